// SPDX-License-Identifier: Apache-2.0
#include "job/node_profile.hpp"

#include <cstdio>

#include "base/process_label.hpp"
#include "base/profile_file.hpp"

namespace ramjet::job {

base::machine_profile read_profile(const membership& m) {
  const base::found_profile found = base::find_profile(m.settings.profile);
  if (!found.problem.empty() && (m.nodes == 1 || m.rank == 0))
    std::fprintf(stderr, "%s: %s\n", base::process_label(), found.problem.c_str());
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
