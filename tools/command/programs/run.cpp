// SPDX-License-Identifier: Apache-2.0
// `ramjet run` with --top or --metrics-port: a program of its own, which the command starts
// (tools/command/run.hpp).
#include "tools/command/run.hpp"

#include "tools/command/command_line.hpp"
#include "tools/command/commands.hpp"
#include "tools/live/metrics.hpp"
#include "tools/live/run_top.hpp"

namespace {

int launch_shown(const tools::shown_job& job, char**) {
  ramjet::launcher::fill_standard_streams();
  if (job.top && !tools::has_terminal())
    return tools::refuse(tools::kRunName, "--top needs a terminal; `ramjet top --once` needs none");
  ramjet::launcher::launch_options options = job.options;
  tools::metrics_server metrics;
  if (!job.metrics_port.empty()) {
    tools::metrics_place place;
    if (auto wrong = tools::read_metrics_place(job.metrics_port, job.metrics_address, place))
      return tools::refuse(tools::kRunName, *wrong);
    if (!metrics.open(place)) return 1;
    options.service = {metrics.descriptor(), [&metrics](const ramjet::report::readable_job& j) {
                         return metrics.serve(j);
                       }};
  }
  return job.top ? tools::launch_and_show(options) : ramjet::launcher::launch(options);
}

}  // namespace

int run_command(int argc, char** argv) { return tools::run_job(argc, argv, launch_shown); }
