// SPDX-License-Identifier: Apache-2.0
// Chooses the bootstrap of this process by what its environment says of a launcher.
//
// Threads: the one that calls join.
#pragma once

#include <memory>
#include <string>

#include "job/bootstrap/bootstrap.hpp"

namespace ramjet::job {

// Where this process learns its rank and those of the others; nullptr and one sentence if its
// launcher gives it no way to.
std::unique_ptr<bootstrap> find_bootstrap(std::string& message);

}  // namespace ramjet::job
