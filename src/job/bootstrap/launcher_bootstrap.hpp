// SPDX-License-Identifier: Apache-2.0
// The bootstraps that need nobody but this project: by what `ramjet run` hands down to a rank, and
// by nothing at all, for a program that is a job of its own.
#pragma once

#include <memory>

#include "job/bootstrap/bootstrap.hpp"

namespace ramjet::job {

// For a rank that `ramjet run` has started: the environment names the descriptors. Also sees to it
// that this rank does not outlive its parent.
std::unique_ptr<bootstrap> launcher_bootstrap();

// For the only rank of a job: it makes the memory object for itself.
std::unique_ptr<bootstrap> lone_bootstrap();

// A sentence's end: "start the program with: ramjet run -n N PROGRAM".
inline constexpr const char* kStartHint = "start the program with: ramjet run -n N PROGRAM";

}  // namespace ramjet::job
