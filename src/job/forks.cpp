// SPDX-License-Identifier: Apache-2.0
#include "job/forks.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/system.hpp"
#include "job/join.hpp"
#include "ramjet/detail/base/check.hpp"

namespace ramjet::job {

namespace {

// Still of use when the job is left: the variables stay where they are.
inherited_segment kept;
// Ends when the child has copied: the child alone has the writing end then.
int reading_end = -1, writing_end = -1;

void shut(int& descriptor) noexcept {
  if (descriptor >= 0) close(std::exchange(descriptor, -1));
}

}  // namespace

constinit const void* stack_in_use = nullptr;

bool keep_object_for_forks(int object, std::string& message) {
  if (self().program.bytes() == 0) return true;
  const membership& m = self();
  kept = {fcntl(object, F_DUPFD_CLOEXEC, 0),
          m.layout.segments_offset + unsigned(m.rank) * m.layout.segment_bytes,
          m.layout.segment_bytes, m.layout.window_base, m.program};
  if (kept.object >= 0) return true;
  message = base::os_error("cannot keep the memory of the program's variables");
  return false;
}

void before_fork() noexcept {
  if (kept.object < 0) return;
  const auto here = std::uint64_t(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
  RAMJET_CHECK(here - kept.window >= kept.part.bytes(),
               "a function that forks on a stack in the segment: call fork itself, which does not, "
               "or posix_spawn");
  int ends[2];
  RAMJET_CHECK(pipe2(ends, O_CLOEXEC) == 0, "fork: no descriptors for a pipe to the child");
  reading_end = ends[0];
  writing_end = ends[1];
}

void after_fork_in_parent() noexcept {
  shut(writing_end);
  char nothing;
  while (reading_end >= 0 && ::read(reading_end, &nothing, 1) < 0 && errno == EINTR) continue;
  shut(reading_end);
}

void after_fork_in_child() noexcept {
  if (kept.object < 0) return;
  const auto in_use = std::uint64_t(reinterpret_cast<std::uintptr_t>(stack_in_use));
  if (!own_program_part(kept, std::min(in_use - kept.window, kept.part.bytes()))) {
    std::perror("ramjet: a forked child cannot have its own variables and stack");
    std::_Exit(1);
  }
  shut(kept.object);
  shut(reading_end);
  shut(writing_end);
}

}  // namespace ramjet::job
