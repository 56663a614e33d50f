// SPDX-License-Identifier: Apache-2.0
// Joining and leaving a job, and who is in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "ramjet/status.hpp"

namespace ramjet {

// What a program asks for when it joins; the same in every rank.
struct options {
  unsigned endpoints = 1;           // per rank: one for each thread that communicates by itself
  std::size_t segment_bytes = 0;  // address space of each rank's segment; 0: from the memory size
};

// Joins the job that started this process, or becomes a job of one rank. Collective. Ends the
// process with one clear line (status 70) if that is impossible. Once per process, main thread.
void init(int& argc, char**& argv, const options& wanted = {});

// The same, but returns what went wrong and leaves the line in `message`.
[[nodiscard]] status try_init(const options& wanted, std::string& message);

// Collective: waits for all ranks, then leaves. Nothing of Ramjet may be used afterwards.
void finalize();

bool initialized() noexcept;

int rank() noexcept;  // 0 .. size() - 1
int size() noexcept;  // number of ranks in the job

// A rank that died.
struct lost_rank {
  int rank = -1;
  int signal = 0;  // that killed it, 0 if it exited
  int exit_status = 0;  // of its exit
};

// The most recent death that this rank has noticed; rank -1 if there was none.
lost_rank last_failure() noexcept;
bool alive(int rank) noexcept;

// Thrown by future::get when the callee died.
class failure : public std::runtime_error {
 public:
  failure(status s, const lost_rank& who);
  status code() const noexcept { return code_; }
  const lost_rank& who() const noexcept { return who_; }

 private:
  status code_;
  lost_rank who_;
};

}  // namespace ramjet
