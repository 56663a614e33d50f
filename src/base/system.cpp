// SPDX-License-Identifier: Apache-2.0
#include "base/system.hpp"

#include <poll.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/exit_status.hpp"
#include "base/process_label.hpp"
#include "base/standard_output.hpp"

namespace ramjet::base {

std::string os_error(const char* what) { return std::string(what) + ": " + std::strerror(errno); }

void report_at_once(const std::string& text) noexcept {
  pollfd ready{STDERR_FILENO, POLLOUT, 0};
  if (::poll(&ready, 1, 0) != 1 || ready.revents != POLLOUT) return;
  char end[] = "\n";
  const iovec parts[] = {{const_cast<char*>(text.data()), text.size()}, {end, 1}};
  static_cast<void>(!::writev(STDERR_FILENO, parts, 2));
}

std::string watch_problem(int error) {
  const char* const remedy = error == ENOSPC   ? "raise fs.epoll.max_user_watches (sysctl)"
                             : error == ENOMEM ? "the system has no memory left for it"
                                               : "see `ramjet info` for the limits of this system";
  return std::string("cannot watch a descriptor (epoll_ctl): ") + std::strerror(error) + "; " +
         remedy;
}

void end_for_want_of_watch(int error) noexcept {
  report_at_once(std::string(process_label()) + ": " + watch_problem(error));
  end_process(kExitJobLost);
}

std::string page_size_problem() {
  constexpr int kPageBytes = 4096;
  const int bytes = ::getpagesize();
  if (bytes == kPageBytes) return {};
  return "pages of 4 KiB are needed, and this kernel's have " + std::to_string(bytes / 1024) +
         " KiB; start a kernel that is configured for pages of 4 KiB";
}

// Newer kernels want a flag that nothing in the file is to be executed; older ones refuse it.
int open_memory_file() noexcept {
  constexpr unsigned kNotExecutable = 0x8;  // MFD_NOEXEC_SEAL, absent from older headers
  const int fd = ::memfd_create(kMemoryFileName, MFD_CLOEXEC | MFD_ALLOW_SEALING | kNotExecutable);
  if (fd >= 0 || errno != EINVAL) return fd;
  return ::memfd_create(kMemoryFileName, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

}  // namespace ramjet::base
