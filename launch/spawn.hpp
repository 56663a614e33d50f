// SPDX-License-Identifier: Apache-2.0
// Starting the processes of a job. Each rank leads a process group of its own, so that it and what
// it starts can be signalled together, and Ctrl-C at the terminal reaches the launcher alone. Not a
// session: the kernel schedules sessions as groups, and a rank alone in its group yields to nobody
// (64 ranks on 2 cores meet in 1 ms then, and in 70 us otherwise).
//
// Threads: the launcher's one. Until exec a rank runs in the launcher's memory (vfork): it changes
// none of it, and only makes async-signal-safe calls.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "launch/problem.hpp"
#include "launch/signals.hpp"

namespace ramjet::launcher {

// The file to execute for a command's first word, looked up in PATH unless it holds a slash.
// Statuses as in shells: 127 not found, 126 not executable.
problem find_program(const std::string& word, std::string& path);

// Raises this process's soft limit of open files to the hard one, if that is enough for `ranks`
// ranks and `memory_files` memory files; `before` is what it was.
problem raise_open_files(unsigned ranks, unsigned memory_files, rlimit& before);

// As exec wants them: the words' characters, then a null pointer. Valid as long as the words are.
std::vector<char*> pointers_to(std::vector<std::string>& words);

// What is the same for all ranks.
struct spawn_plan {
  std::string path;
  std::vector<std::string> command;
  std::vector<std::string> environment;  // K=V, complete but for what a rank_plan adds
  int directory_descriptor = -1;  // -1: none
  int guardian_pipe = -1;
  std::uint64_t secret = 0;  // of the job
  int trouble_pipe = -1;  // write end, close-on-exec: carries spawn_trouble
  rlimit open_files{};
  const signal_watch* signals = nullptr;
};

// What differs between ranks.
struct rank_plan {
  unsigned rank = 0;
  unsigned node = 0;
  int job_descriptor = -1;  // the node's memory object
  int input = -1;  // its standard input
  bool asks_for_terminal = false;  // by SIGTTIN, before it reads
  std::vector<int> cpus{};  // that it may use; empty: it is not bound
};

struct rank_process {
  pid_t pid = -1;  // also the id of its process group
  int out = -1;  // read ends, non-blocking
  int err = -1;
};

// Starts one rank.
problem spawn_rank(const spawn_plan& plan, const rank_plan& own, rank_process& started);

// What a rank reports to the launcher when it cannot become the program.
struct spawn_trouble {
  enum class step : unsigned { exec, set_limit };

  unsigned rank;
  int error;  // errno
  step failed = step::exec;
};
problem explain(const spawn_trouble& trouble, const spawn_plan& plan);

}  // namespace ramjet::launcher
