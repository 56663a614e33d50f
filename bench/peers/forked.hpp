// SPDX-License-Identifier: Apache-2.0
// Ranks without a launcher: forked, pinned one to a core in turn, over anonymous shared memory. The
// parent measures nothing: it watches, so that one failed rank ends the others instead of leaving
// them spinning on a word that nobody will write.
#pragma once

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "measure.hpp"

namespace peers {

class shared_memory {
 public:
  explicit shared_memory(size_t bytes) : bytes_(bytes) {
    address_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    PEERS_CHECK(address_ != MAP_FAILED);
    // Page faults belong to set-up, not to the first measurement that meets them.
    std::memset(address_, 0, bytes);
  }
  ~shared_memory() { munmap(address_, bytes_); }
  shared_memory(const shared_memory&) = delete;
  shared_memory& operator=(const shared_memory&) = delete;

  void* address() const { return address_; }

 private:
  void* address_ = nullptr;
  size_t bytes_;
};

// At least two cores, or the program ends: on one, a ping-pong would measure the scheduler.
inline std::vector<int> usable_cpus() {
  std::vector<int> cpus = allowed_cpus();
  if (cpus.size() < 2) {
    std::fprintf(stderr, "two cores are needed: this process may run on one only\n");
    std::exit(1);
  }
  if (cpus.size() > kRanksMax) cpus.resize(kRanksMax);
  return cpus;
}

inline pid_t fork_rank(int rank, int cpu, const std::function<std::string(int)>& body, char* text,
                       size_t text_bytes) {
  const pid_t parent = getpid();
  const pid_t child = fork();
  PEERS_CHECK(child >= 0);
  if (child > 0) {
    return child;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) {
    _exit(1);
  }
  pin_to(cpu);
  const std::string result = body(rank);
  if (rank == 0) {
    PEERS_CHECK(result.size() < text_bytes);
    std::memcpy(text, result.c_str(), result.size() + 1);
  }
  std::fflush(nullptr);
  _exit(0);
}

// Runs `body(rank)` in `ranks` processes on the given cores; returns what rank 0 returned. Ends the
// program with a message if any rank fails.
inline std::string run_forked(int ranks, const std::vector<int>& cpus,
                              const std::function<std::string(int)>& body) {
  constexpr size_t kTextBytes = 65536;
  shared_memory text(kTextBytes);
  std::fflush(nullptr);
  std::vector<pid_t> children;
  for (int rank = 0; rank < ranks; ++rank) {
    const int cpu = cpus[static_cast<size_t>(rank) % cpus.size()];
    children.push_back(fork_rank(rank, cpu, body, static_cast<char*>(text.address()), kTextBytes));
  }
  for (int left = ranks; left > 0; --left) {
    int status = 0;
    PEERS_CHECK(wait(&status) > 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      std::fprintf(stderr, "a rank failed (wait status 0x%x); ending the others\n", status);
      for (pid_t child : children) {
        kill(child, SIGKILL);
      }
      std::exit(1);
    }
  }
  return static_cast<const char*>(text.address());
}

}  // namespace peers
