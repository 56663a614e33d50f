// SPDX-License-Identifier: Apache-2.0
#include "launch/memory.hpp"

#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <span>

namespace ramjet::launcher {
namespace {

problem draw(const char* what, std::span<std::byte> into) {
  if (::getrandom(into.data(), into.size(), 0) == ssize_t(into.size())) return {};
  return {1, text("cannot draw the job's %s (getrandom): %s", what, errno_text(errno).c_str())};
}

}  // namespace

job_memory::~job_memory() {
  if (directory_.memory != nullptr) ::munmap(directory_.memory, directory_bytes(job_.ranks));
  if (directory_.descriptor >= 0) ::close(directory_.descriptor);
}

problem job_memory::create(unsigned ranks, unsigned nodes, node::failure_policy policy,
                           int descriptor_min) {
  job_ = {ranks, policy, 0, deal_ranks(ranks, nodes), nodes};
  if (problem p = draw("secret", std::as_writable_bytes(std::span(&job_.secret, 1)))) return p;
  for (unsigned i = 0; i < nodes; ++i) {
    objects_.push_back(std::make_unique<job_object>());
    if (problem p = objects_.back()->create(job_, i, descriptor_min)) return p;
    readable_.memories.push_back(&objects_.back()->memory());
  }
  readable_.node_of = job_.node_of;
  return nodes == 1 ? problem{} : create_directory(descriptor_min);
}

problem job_memory::create_directory(int descriptor_min) {
  job_key key;
  if (problem p = draw("key", std::as_writable_bytes(std::span(key)))) return p;
  if (problem p = create_memory_file("directory", directory_bytes(job_.ranks), descriptor_min,
                                     directory_)) {
    return p;
  }
  format_directory(directory_.memory, job_.ranks, key);
  return {};
}

bool job_memory::has_started() const {
  if (directory_.memory != nullptr)
    return has_job_started(static_cast<const directory*>(directory_.memory));
  const board& b = node(0).the_board();
  return b.joined.load(std::memory_order_relaxed) >= b.members;
}

int job_memory::ended_with(unsigned rank) const {
  const std::uint32_t ended = home_of(rank).the_board().job_ended.load(std::memory_order_relaxed);
  return ended == 0 ? -1 : int(ended & 0xff);
}

void job_memory::note_failure(unsigned rank, int signal, int exit_status) const {
  objects_[node_of(rank)]->note_failure(rank, signal, exit_status);
  if (directory_.memory == nullptr) return;
  note_dead(static_cast<directory*>(directory_.memory), rank);
}

}  // namespace ramjet::launcher
