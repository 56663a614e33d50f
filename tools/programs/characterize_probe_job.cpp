// SPDX-License-Identifier: Apache-2.0
#include "characterize_probe_job.hpp"

#include <fmt/format.h>

#include <string_view>

#include "base/cpus.hpp"
#include "harness/report.hpp"
#include "launcher/launch.hpp"

namespace tools {

namespace {
constexpr double kSecondsMax = 300;
}

std::optional<console::json> results_of(const probe_job& job, const char* command, int& status) {
  using ramjet::launcher::binding;
  ramjet::launcher::launch_options options;
  options.command = {"/proc/self/exe"};
  options.command.insert(options.command.end(), job.words.begin(), job.words.end());
  options.ranks = job.ranks;
  options.nodes = job.nodes;
  const unsigned cores = ramjet::base::usable_cpus();
  options.bind = cores > 1 && job.ranks <= cores ? binding::core : binding::automatic;
  options.timeout_s = kSecondsMax;
  options.forward_input = false;
  if (!job.uses_profile) options.environment.emplace_back("RAMJET_PROFILE=none");
  std::string line;
  options.on_stdout = [&line](int rank, std::string_view text) {
    if (rank == 0) line = text;
  };
  status = ramjet::launcher::launch(options);
  bench::show_progress("");
  if (status != 0) {
    fmt::print(stderr, "{}: a job of {} ranks ended with status {}\n", command, job.ranks, status);
    return std::nullopt;
  }
  std::optional<console::json> results = console::json::parse(line);
  if (!results) {
    fmt::print(stderr, "{}: rank 0 reported nothing\n", command);
    status = 1;
  }
  return results;
}

}  // namespace tools
