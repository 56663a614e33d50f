// SPDX-License-Identifier: Apache-2.0
#include "node/dumped_pages.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/deadly_signals.hpp"

namespace ramjet::node {

namespace {

// The part of the object that is this rank's segment behind its program part, and where it is
// mapped.
struct {
  int object = -1;
  std::uint64_t begin = 0, end = 0;  // in the object
  std::uint64_t mapped = 0;          // address of `begin`
} dumped;

void mark_touched_pages() noexcept {
  for (std::uint64_t at = dumped.begin; dumped.object >= 0 && at < dumped.end;) {
    const off_t data = ::lseek(dumped.object, off_t(at), SEEK_DATA);
    if (data < 0 || std::uint64_t(data) >= dumped.end) return;
    const off_t hole = ::lseek(dumped.object, data, SEEK_HOLE);
    if (hole <= data) return;
    at = std::min(std::uint64_t(hole), dumped.end);
    auto* const first =
        reinterpret_cast<void*>(dumped.mapped + (std::uint64_t(data) - dumped.begin));
    ::madvise(first, at - std::uint64_t(data), MADV_DODUMP);
  }
}

}  // namespace

bool dump_touched_pages(int object, const geometry& g, unsigned rank,
                        const program_part& program) noexcept {
  const std::uint64_t segment = g.segments_offset + rank * g.segment_bytes;
  dumped = {::fcntl(object, F_DUPFD_CLOEXEC, 0), segment + program.bytes(),
            segment + g.segment_bytes, g.window_base + program.bytes()};
  if (dumped.object < 0) return false;
  base::call_before_deadly_signal(mark_touched_pages);
  return true;
}

void stop_dumping() noexcept {
  if (dumped.object >= 0) ::close(std::exchange(dumped.object, -1));
}

}  // namespace ramjet::node
