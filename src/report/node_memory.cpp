// SPDX-License-Identifier: Apache-2.0
#include "report/node_memory.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace ramjet::report {

node_memory::node_memory(int descriptor, board* mapped, std::span<const std::uint16_t> node_of,
                         unsigned node)
    : fd_(descriptor), board_(mapped) {
  for (const std::uint16_t its_node : node_of) members_.push_back(its_node == node);
}

std::uint64_t node_memory::bytes() const {
  struct stat about{};
  return ::fstat(fd_, &about) == 0 && about.st_size > 0 ? std::uint64_t(about.st_size) : 0;
}

bool node_memory::is_whole_job() const {
  return std::find(members_.begin(), members_.end(), false) == members_.end();
}

bool node_memory::read_layout(geometry& out) const {
  if (board_->layout_state.load(std::memory_order_acquire) != 2) return false;  // pairs: job.layout
  std::memcpy(&out, &board_->layout, sizeof out);
  return layout_defect(out, ranks(), bytes()) == nullptr;
}

void node_memory::read(std::uint64_t offset, std::span<std::byte> out) const {
  while (!out.empty()) {
    const ssize_t got = ::pread(fd_, out.data(), out.size(), off_t(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    offset += std::uint64_t(got);
    out = out.subspan(std::size_t(got));
  }
  std::fill(out.begin(), out.end(), std::byte{});
}

const rank_line& readable_job::line(unsigned rank) const {
  if (is_seen(rank)) return memories[node_of[rank]]->line(rank);
  const auto seen = std::find_if(memories.begin(), memories.end(),
                                 [](const node_memory* m) { return m != nullptr; });
  return (*seen)->line(rank);
}

}  // namespace ramjet::report
