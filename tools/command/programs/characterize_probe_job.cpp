// SPDX-License-Identifier: Apache-2.0
#include "characterize_probe_job.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/cpus.hpp"
#include "harness/report.hpp"
#include "launch/delegation.hpp"
#include "launch/launch.hpp"
#include "tools/characterize/drift.hpp"

namespace tools {

namespace {

using ramjet::launcher::launch_options;

constexpr double kSecondsMax = 300;

// By the launcher of those hosts, which have this executable by its name here; what rank 0 prints
// is the line that begins as an object does. Returns the exit status.
int launch_on(const std::string& list, launch_options options, std::string& line) {
  std::vector<ramjet::launcher::host> hosts;
  if (const auto wrong = ramjet::launcher::parse_hosts(list, hosts)) {
    fmt::print(stderr, "ramjet: {}\n", wrong.sentence);
    return wrong.exit_status;
  }
  options.command[0] = std::filesystem::read_symlink("/proc/self/exe");
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return 1;
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    ::dup2(ends[1], STDOUT_FILENO);
    ::_exit(ramjet::launcher::delegate(options, std::move(hosts)));
  }
  ::close(ends[1]);
  std::string all;
  char piece[65536];
  for (ssize_t got; (got = ::read(ends[0], piece, sizeof piece)) > 0;)
    all.append(piece, std::size_t(got));
  ::close(ends[0]);
  int status = 1;
  if (child < 0 || ::waitpid(child, &status, 0) != child) return 1;
  const std::size_t begin = all.starts_with('{') ? 0 : all.find("\n{") + 1;
  line = all.substr(begin, all.find('\n', begin) - begin);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::optional<console::json> results_of(const probe_job& job, const char* command, int& status) {
  using ramjet::launcher::binding;
  launch_options options;
  options.command = {"/proc/self/exe"};
  options.command.insert(options.command.end(), job.words.begin(), job.words.end());
  options.ranks = job.ranks;
  options.nodes = job.hosts.empty() ? job.nodes : 1;
  const unsigned cores = ramjet::base::usable_cpus();
  const bool is_bound = cores > 1 && job.ranks <= cores && job.hosts.empty();
  options.bind = is_bound ? binding::core : binding::automatic;
  options.timeout_s = job.hosts.empty() ? kSecondsMax : 0;  // srun has no such thing
  options.forward_input = false;
  if (!job.uses_profile) options.environment.emplace_back("RAMJET_PROFILE=none");
  std::string line;
  options.on_stdout = [&line](int rank, std::string_view text) {
    if (rank == 0) line = text;
  };
  status =
      job.hosts.empty() ? ramjet::launcher::launch(options) : launch_on(job.hosts, options, line);
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

bool is_interruption(int status) {
  return status == 128 + SIGINT || status == 128 + SIGTERM || status == 128 + SIGHUP;
}

std::optional<console::json> steadier(
    bool quick, int& status, const std::function<std::optional<console::json>()>& measure) {
  const auto drift = [](const console::json& found) { return found.at("drift").as_double(); };
  std::optional<console::json> found = measure();
  if (found && !quick && drift(*found) > characterize::kRankDrift) {
    std::optional<console::json> again = measure();
    if (!again && is_interruption(status)) return std::nullopt;
    if (again && drift(*again) < drift(*found)) found = std::move(again);
  }
  if (found) (*found)["steady"] = drift(*found) <= characterize::kRankDrift;
  return found;
}

}  // namespace tools
