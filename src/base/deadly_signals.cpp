// SPDX-License-Identifier: Apache-2.0
#include "base/deadly_signals.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>

namespace ramjet::base {

namespace {

// Signals that end a process by default and that a rank may meet: its own mistakes, the launcher's
// SIGTERM, limits, timers, the keyboard.
constexpr int kDeadly[] = {SIGSEGV, SIGBUS, SIGFPE,  SIGILL,  SIGABRT, SIGSYS,  SIGTRAP, SIGTERM,
                           SIGINT,  SIGHUP, SIGQUIT, SIGUSR2, SIGALRM, SIGXCPU, SIGXFSZ, SIGPIPE};

constexpr int kStepsMax = 4;
// Written by the thread that calls init, an entry once; read by the signal handler.
std::atomic<void (*)() noexcept> deadly_steps[kStepsMax];
// The process that the steps belong to. Written before the handlers are installed.
pid_t steps_owner = 0;

// A faulting instruction runs again when the handler returns, and faults again.
bool is_synchronous_fault(int signal, const siginfo_t& info) {
  const bool can_fault =
      signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL;
  return can_fault && info.si_code > 0;  // 0 and below: another process or thread has sent it
}

// The default action follows when this returns.
void on_deadly_signal(int signal, siginfo_t* info, void*) {
  const int kept = errno;
  for (const auto& each : deadly_steps) {
    auto* const step = each.load(std::memory_order_acquire);  // pairs: base.deadly_signals
    if (step != nullptr && steps_owner == ::getpid()) step();
  }
  struct sigaction standard{};
  standard.sa_handler = SIG_DFL;
  ::sigaction(signal, &standard, nullptr);
  if (!is_synchronous_fault(signal, *info)) ::raise(signal);  // it is blocked until then
  errno = kept;
}

void take_signals() {
  for (const int signal : kDeadly) {
    struct sigaction now{};
    if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    now = {};
    now.sa_sigaction = on_deadly_signal;
    now.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigaction(signal, &now, nullptr);
  }
}

}  // namespace

void call_before_deadly_signal(void (*step)() noexcept) noexcept {
  steps_owner = ::getpid();
  for (auto& each : deadly_steps) {
    auto* const taken = each.load(std::memory_order_relaxed);
    if (taken == step) return;
    if (taken != nullptr) continue;
    each.store(step, std::memory_order_release);  // pairs: base.deadly_signals
    return take_signals();
  }
}

}  // namespace ramjet::base
