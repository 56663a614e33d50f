// SPDX-License-Identifier: Apache-2.0
// The ranks' environment: the launcher's, what it knows of its terminal, the user's additions, and
// the variables of the job, in that order of rising precedence.
//
// Threads: the launcher's one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "launch/problem.hpp"

namespace ramjet::launcher {

// Whether K=V is a variable by which a rank finds its job. Nobody else may set it, and a launcher
// that is a rank itself does not pass its own on.
bool is_job_variable(std::string_view pair);

// Why these K=V cannot be added.
problem check_additions(const std::vector<std::string>& additions);

// This process's environment without variables of a job, and the additions, the last one of a name.
std::vector<std::string> environment_with(const std::vector<std::string>& additions);

}  // namespace ramjet::launcher
