// SPDX-License-Identifier: Apache-2.0
#include "job/node_profile.hpp"

#include <unistd.h>

#include <cstdio>
#include <functional>

#include "base/process_label.hpp"
#include "base/profile_file.hpp"

namespace ramjet::job {

namespace {

std::string machine_prefix(bool is_first) {
  char name[256] = {};
  if (is_first || ::gethostname(name, sizeof name - 1) != 0) return {};
  return std::string("on ") + name + ", ";
}

}  // namespace

base::machine_profile read_profile(membership& m) {
  const base::found_profile found = base::find_profile(m.settings.profile);
  const bool is_first = m.nodes == 1 || m.rank == 0;
  if (m.rank == 0) m.first_profile_problem = std::hash<std::string>{}(found.problem);
  const bool is_said =
      !is_first && std::hash<std::string>{}(found.problem) == m.first_profile_problem;
  if (!found.problem.empty() && !is_said)
    std::fprintf(stderr, "%s: %s%s\n", base::process_label(), machine_prefix(is_first).c_str(),
                 found.problem.c_str());
  return found.profile;
}

status take_profile(const membership& m, std::string& message) {
  base::machine_profile profile = m.shared->profile;
  if (m.nodes > 1) profile = base::joined_profile(m.first_profile, profile);
  if (!base::is_plausible(profile)) {
    message = "the job's memory says of this machine what cannot be; start the job again";
    return status::environment;
  }
  base::use_profile(profile);
  return status::ok;
}

}  // namespace ramjet::job
