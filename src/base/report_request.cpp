// SPDX-License-Identifier: Apache-2.0
#include "base/report_request.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <mutex>

namespace ramjet::base {

namespace {

constexpr std::size_t kReportersMax = 2;  // src/ult/report.cpp, src/report/node_report.cpp

// Written under the mutex of on_report_request, an entry once; read by the signal handler.
std::atomic<void (*)(question)> reporters[kReportersMax];

void on_signal(int, siginfo_t* info, void*) {
  const int kept = errno;
  const int asked = info->si_code == SI_QUEUE ? info->si_value.sival_int : 0;
  if (asked == int(question::nothing)) return;
  const question what = asked == int(question::threads) ? question::threads : question::everything;
  for (const auto& each : reporters) {
    auto* report = each.load(std::memory_order_acquire);  // pairs: base.report_request
    if (report != nullptr) report(what);
  }
  errno = kept;
}

bool take_signal() {
  struct sigaction now{};
  if (sigaction(SIGUSR1, nullptr, &now) != 0) return false;
  if (now.sa_sigaction == on_signal) return true;
  if (now.sa_handler != SIG_DFL) return false;
  now.sa_sigaction = on_signal;
  now.sa_flags = SA_RESTART | SA_SIGINFO;
  return sigaction(SIGUSR1, &now, nullptr) == 0;
}

}  // namespace

bool on_report_request(void (*report)(question)) noexcept {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (!take_signal()) return false;
  for (auto& each : reporters) {
    auto* taken = each.load(std::memory_order_relaxed);
    if (taken == report) return true;
    if (taken != nullptr) continue;
    each.store(report, std::memory_order_release);  // pairs: base.report_request
    return true;
  }
  return false;
}

void ask(question what, int pidfd, pid_t process) noexcept {
  sigval value;
  value.sival_int = int(what);
  if (pidfd < 0) {
    sigqueue(process, SIGUSR1, value);
    return;
  }
  siginfo_t info{};
  info.si_signo = SIGUSR1;
  info.si_code = SI_QUEUE;
  info.si_pid = ::getpid();
  info.si_uid = ::getuid();
  info.si_value = value;
  ::syscall(SYS_pidfd_send_signal, pidfd, SIGUSR1, &info, 0);
}

}  // namespace ramjet::base
