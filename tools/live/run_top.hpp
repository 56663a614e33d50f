// SPDX-License-Identifier: Apache-2.0
// `ramjet run --top`: the job in a process of its own, the screen in this one.
#pragma once

#include "launch/launch.hpp"

namespace tools {

bool has_terminal();  // that a screen can be drawn on

// Runs the job as launcher::launch does, and shows it meanwhile. What the ranks write to this
// terminal comes when the screen is left; what they write elsewhere goes there at once. They do not
// read this terminal. The exit status of the job.
int launch_and_show(ramjet::launcher::launch_options options);

}  // namespace tools
