// SPDX-License-Identifier: Apache-2.0
// Jobs on other machines: `ramjet run --hosts` starts no rank there itself, but delegates to the
// launcher that these machines have. The ranks then find each other through it (PMIx).
//
// Threads: the launcher's one. No state.
#pragma once

#include <string>
#include <vector>

#include "launch/launch.hpp"
#include "launch/problem.hpp"

namespace ramjet::launcher {

struct host {
  std::string name;
  unsigned slots = 0;  // how many ranks it takes, 0: not said
};

// "a,b:4": names, and slots where they are said.
problem parse_hosts(const std::string& list, std::vector<host>& hosts);

// The text of a host file. A line is "name", "name:slots" or "name slots=N"; # begins a comment.
// `file` names it in messages.
problem parse_host_file(const std::string& file, const std::string& contents,
                        std::vector<host>& hosts);

// Gives the ranks to the hosts: where slots are said not more than these, the rest in blocks as
// even as possible. Hosts that get none are left out.
problem deal_to_hosts(unsigned ranks, std::vector<host>& hosts);

enum class system_launcher { srun, prterun, mpirun };

// What `ramjet run` was asked, and where.
struct delegation {
  const launch_options& options;
  std::vector<host> hosts;  // as dealt; slots > 0
  bool slots_said = false;  // by the user, for any host
  std::string folder;  // to work in
  bool is_root = false;
  std::vector<std::string> forwarded;  // names of variables that every rank must have
};

// The words to execute; the first one is the launcher's name.
problem command_line(system_launcher launcher, const delegation& job,
                     std::vector<std::string>& words);

// Replaces this process by the launcher that is installed. Returns only if that fails: what is
// wrong has been said on standard error, and the exit status is returned. A job with a trace (its
// name is a whole path) is waited for: what is left of it in parts is put together.
int delegate(const launch_options& options, std::vector<host> hosts);

}  // namespace ramjet::launcher
