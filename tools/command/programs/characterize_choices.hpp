// SPDX-License-Identifier: Apache-2.0
// The part of `ramjet characterize` that measures by which figures the library had better choose on
// this machine, keeps them as its profile, and shows what the choices are worth.
#pragma once

#include <optional>
#include <vector>

#include "base/machine_profile.hpp"
#include "tools/characterize/choices/probes.hpp"

namespace tools {

struct choice_request {
  bool quick = false;
  bool checks = false;  // compares the profile in use with the other ways
  bool keeps = false;  // a profile: measures no more once it cannot be kept
};

// By jobs of their own; nothing if one failed, which has been said. The conditions are the
// worst of all.
std::optional<characterize::compared> compare_choices(const choice_request& wish, int& status);

ramjet::base::machine_profile profile_of(const std::vector<characterize::comparison>& all);

// A rank of such a job.
inline constexpr const char* kChoiceWorker = "--choice-worker";
int choice_worker(int argc, char** argv);

}  // namespace tools
