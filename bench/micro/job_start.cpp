// SPDX-License-Identifier: Apache-2.0
// `ramjet run -n 4` of a program that joins the job and leaves it, from start to end. The limit is
// to start, as often as that takes ranks, the same executable, which then ends at once: what is
// left between the two is the launcher and the joining.
#include <stdexcept>

#include "harness/process.hpp"
#include "micro/bodies.hpp"

namespace bench {
namespace {

constexpr unsigned kRanks = 4;

}  // namespace

std::optional<record> measure_job_start(const command_context& c, std::string&) {
  const std::vector<std::string> empty = {c.program, "bench", "--worker"};
  std::vector<std::string> job = {c.program, "run",   "-n",      std::to_string(kRanks),
                                  c.program, "bench", "--worker"};
  for (const std::string& word : worker_arguments("job_start", c.how_much)) job.push_back(word);
  const unsigned repeats = c.how_much.repeats;
  samples ours, limit;
  for (unsigned i = 0; i < repeats; ++i) {
    const finished f = run_command_line(job);
    const double empty_s = run_side_by_side(empty, kRanks);
    if (f.exit_status != 0 || empty_s < 0)
      throw std::runtime_error("a job of ranks that do nothing failed");
    ours.add(f.seconds * 1e3);
    limit.add(empty_s * 1e3);
  }
  record r;
  r.value = ours.median();
  r.limit = limit.median();
  r.params = {{"ranks", kRanks},
              {"repeats", ours.count()},
              {"spread", ours.spread()},
              {"limit_spread", limit.spread()}};
  return r;
}

}  // namespace bench
