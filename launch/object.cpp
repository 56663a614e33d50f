// SPDX-License-Identifier: Apache-2.0
#include "launch/object.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/system.hpp"

namespace ramjet::launcher {
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
  if (file_.memory != nullptr) ::munmap(file_.memory, board_bytes_);
  if (file_.descriptor >= 0) ::close(file_.descriptor);
}

problem job_object::create(const job_identity& job, unsigned node, int descriptor_min) {
  board_bytes_ = board_bytes(job.ranks);
  if (problem p = create_memory_file("shared memory", board_bytes_, descriptor_min, file_))
    return p;
  board* b = format_board(file_.memory, job.ranks, job.policy, job.secret, job.node_of, node);
  // The nodes are played on this machine, and share its processors.
  b->processors = std::max(1u, b->processors / job.nodes);
  memory_ = std::make_unique<node_memory>(file_.descriptor, b, job.node_of, node);
  return {};
}

void job_object::note_failure(unsigned rank, int signal, int exit_status) const {
  // Sleepers are on the board or on a port line, and these follow the board.
  geometry layout;
  std::uint64_t needed = board_bytes_;
  if (memory_->read_layout(layout)) {
    needed = layout.table[0].offset + layout.table[0].bytes;
  }
  void* memory = ::mmap(nullptr, needed, PROT_READ | PROT_WRITE, MAP_SHARED, file_.descriptor, 0);
  if (memory == MAP_FAILED) {  // sleepers on their ports wake by their time-out
    report_failure(file_.memory, board_bytes_, rank, signal, exit_status);
    return;
  }
  report_failure(memory, needed, rank, signal, exit_status);
  ::munmap(memory, needed);
}

}  // namespace ramjet::launcher
