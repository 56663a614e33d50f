// SPDX-License-Identifier: Apache-2.0
#include "base/out_of_memory.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "base/process_label.hpp"

namespace ramjet::base {

namespace {

constexpr unsigned long kBytesInMiB = 1024 * 1024;

// Reads a small file of /proc; "" if it cannot be read.
void read_text(const char* path, char* text, std::size_t bytes) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t got = file >= 0 ? ::read(file, text, bytes - 1) : 0;
  text[got > 0 ? got : 0] = '\0';
  if (file >= 0) ::close(file);
}

unsigned long available_mib() {
  char text[1024];
  read_text("/proc/meminfo", text, sizeof text);
  const char* const line = std::strstr(text, "MemAvailable:");
  return line == nullptr ? 0 : std::strtoul(line + sizeof "MemAvailable:", nullptr, 10) / 1024;
}

// "1024 MiB (ulimit -v)", or that there is no limit.
void describe_limit(char* text, std::size_t bytes) {
  rlimit space{}, data{};
  ::getrlimit(RLIMIT_AS, &space);
  ::getrlimit(RLIMIT_DATA, &data);
  const bool by_space = space.rlim_cur != RLIM_INFINITY;
  const rlim_t limit = by_space ? space.rlim_cur : data.rlim_cur;
  if (limit == RLIM_INFINITY)
    std::snprintf(text, bytes, "has no limit of its own");
  else
    std::snprintf(text, bytes, "may have %lu MiB (ulimit %s)",
                  static_cast<unsigned long>(limit / kBytesInMiB), by_space ? "-v" : "-d");
}

std::terminate_handler handler_before = nullptr;  // written once, before the handler is installed

[[noreturn]] void on_terminate() {
  if (handles_bad_alloc())
    report_out_of_memory(process_label());
  else if (handler_before != nullptr)
    handler_before();
  std::abort();
}

}  // namespace

void report_out_of_memory(const char* who) noexcept {
  char statm[128], limit[64], line[512];
  read_text("/proc/self/statm", statm, sizeof statm);
  char* rest = statm;
  const unsigned long pages_in_mib = kBytesInMiB / static_cast<unsigned long>(::getpagesize());
  const unsigned long mapped = std::strtoul(rest, &rest, 10) / pages_in_mib;
  const unsigned long resident = std::strtoul(rest, &rest, 10) / pages_in_mib;
  describe_limit(limit, sizeof limit);
  const int length = std::snprintf(
      line, sizeof line,
      "%s: out of memory: an allocation failed (std::bad_alloc); the process has %lu MiB in use "
      "and %lu MiB mapped, and %s; the machine has %lu MiB available; raise the limit, free "
      "memory, or start fewer ranks on this machine\n",
      who, resident, mapped, limit, available_mib());
  if (length > 0 && ::write(STDERR_FILENO, line, std::size_t(length)) < 0) return;
}

void report_uncaught_bad_alloc() noexcept {
  if (std::get_terminate() == on_terminate) return;
  handler_before = std::set_terminate(on_terminate);
}

bool handles_bad_alloc() noexcept {
  if (std::current_exception() == nullptr) return false;
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace ramjet::base
