// SPDX-License-Identifier: Apache-2.0
// `ramjet run`. What shows a job while it runs is in the program ramjet-run: the libraries of the
// screen and of the metrics' server take longer to load than all others together.
#pragma once

#include <string>

#include "launch/launch.hpp"

namespace tools {

inline constexpr const char* kRunName = "ramjet run";

// A job of this machine with --top or --metrics-port.
struct shown_job {
  ramjet::launcher::launch_options options;
  bool top = false;
  std::string metrics_port, metrics_address;  // as they were typed
};

// Reads the command line and runs the job, by `launch_shown` where it is to be shown. Returns the
// exit status.
int run_job(int argc, char** argv, int (*launch_shown)(const shown_job& job, char** argv));

}  // namespace tools
