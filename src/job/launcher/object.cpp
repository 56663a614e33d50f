// SPDX-License-Identifier: Apache-2.0
#include "job/launcher/object.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <initializer_list>

#include "base/system.hpp"

namespace ramjet::job {
namespace {

const char* remedy(int error) {
  switch (error) {
    case EMFILE:
    case ENFILE:
      return "raise the limit of open files (ulimit -n)";
    case ENOMEM:
    case ENOSPC:
      return "free memory, or raise the memory limits (ulimit -v, control group)";
    case ENOSYS:
    case EPERM:
      return "the kernel or a sandbox refuses memfd_create: use Linux 3.17 or later and allow it";
    case EFBIG:
      return "raise the limit of file sizes (ulimit -f)";
    default:
      return "see `ramjet info` for the limits of this environment";
  }
}

}  // namespace

problem create_memory_file(const char* what, std::size_t bytes, int descriptor_min,
                           memory_file& created) {
  const auto refusal = [what](const char* step, int error) {
    return problem{1, text("cannot %s the job's %s: %s; %s", step, what, errno_text(error).c_str(),
                           remedy(error))};
  };
  const int first = base::open_memory_file();
  if (first < 0) return refusal("create", errno);
  created.descriptor = ::fcntl(first, F_DUPFD_CLOEXEC, descriptor_min);
  const int error = errno;
  ::close(first);
  if (created.descriptor < 0) return refusal("create", error == EINVAL ? EMFILE : error);
  if (::ftruncate(created.descriptor, off_t(bytes)) != 0) return refusal("size", errno);
  ::fcntl(created.descriptor, F_ADD_SEALS, F_SEAL_SHRINK);  // a mapping of ours can never fault
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, created.descriptor, 0);
  if (memory == MAP_FAILED) return refusal("map", errno);
  created.memory = memory;
  return {};
}

job_object::~job_object() {
  if (board_ != nullptr) ::munmap(board_, board_bytes(ranks_));
  if (fd_ >= 0) ::close(fd_);
}

problem job_object::create(const job_identity& job, unsigned node, int descriptor_min) {
  ranks_ = job.ranks;
  for (const std::uint16_t its_node : job.node_of) members_.push_back(its_node == node);
  memory_file file;
  const problem p = create_memory_file("shared memory", board_bytes(ranks_), descriptor_min, file);
  fd_ = file.descriptor;
  if (p) return p;
  board_ = format_board(file.memory, ranks_, job.policy, job.secret, job.node_of, node);
  // The nodes are played on this machine, and share its processors.
  board_->processors = std::max(1u, board_->processors / job.nodes);
  return {};
}

std::uint64_t job_object::bytes() const {
  struct stat about{};
  return ::fstat(fd_, &about) == 0 && about.st_size > 0 ? std::uint64_t(about.st_size) : 0;
}

bool job_object::read_layout(geometry& out) const {
  if (board_->layout_state.load(std::memory_order_acquire) != 2) return false;  // pairs: job.layout
  std::memcpy(&out, &board_->layout, sizeof out);
  return layout_defect(out, ranks_, bytes()) == nullptr;
}

void job_object::read(std::uint64_t offset, std::span<std::byte> out) const {
  while (!out.empty()) {
    const ssize_t got = ::pread(fd_, out.data(), out.size(), off_t(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    offset += std::uint64_t(got);
    out = out.subspan(std::size_t(got));
  }
  std::fill(out.begin(), out.end(), std::byte{});
}

void job_object::tell_failure(unsigned rank, int signal, int exit_status) const {
  // Whoever sleeps does so on the board or on a port line, and these follow the board.
  geometry layout;
  std::uint64_t needed = board_bytes(ranks_);
  if (read_layout(layout)) {
    needed = layout.ports_offset + layout.ports * sizeof(detail::port_line);
  }
  void* memory = ::mmap(nullptr, needed, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
  if (memory == MAP_FAILED) {  // sleepers on their ports wake by their time-out
    report_failure(board_, board_bytes(ranks_), rank, signal, exit_status);
    return;
  }
  report_failure(memory, needed, rank, signal, exit_status);
  ::munmap(memory, needed);
}

const char* layout_defect(const geometry& layout, unsigned ranks, std::uint64_t bytes) {
  if (layout.ranks != ranks) return "it is for another number of ranks";
  if (layout.endpoints == 0 || layout.endpoints > kEndpointsMax) return "impossible endpoints";
  if (layout.ports != layout.ranks * layout.endpoints || layout.ports > detail::kPortsMax) {
    return "impossible ports";
  }
  const std::uint64_t ports = layout.ports;
  struct part {
    std::uint64_t offset, bytes;
  };
  for (const part p :
       {part{layout.ports_offset, ports * sizeof(detail::port_line)},
        part{layout.counters_offset, ports * ports * sizeof(detail::pair_counters)}}) {
    if (p.offset % 64 != 0 || p.offset < board_bytes(ranks)) return "a part overlaps the board";
    if (p.offset > bytes || p.bytes > bytes - p.offset) return "a part lies outside the object";
  }
  return nullptr;
}

}  // namespace ramjet::job
