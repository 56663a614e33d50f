// SPDX-License-Identifier: Apache-2.0
#include "launch/launch.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/settings.hpp"
#include "job/bootstrap/variables.hpp"
#include "launch/environment.hpp"
#include "launch/guardian.hpp"
#include "launch/supervise.hpp"
#include "launch/tracing.hpp"

namespace ramjet::launcher {
namespace {

// Descriptor number under which ranks inherit the shared memory, or the highest of several: so high
// that no program expects its own files there, and below the usual soft limit.
constexpr int kJobDescriptor = 1000;
constexpr int kLowestDescriptor = 3;  // where there are more nodes than room below it

// Width of the terminal that a stream of the ranks ends on; absent if it is not a terminal.
constexpr const char* kEnvStdoutColumns = "RAMJET_STDOUT_COLUMNS";
constexpr const char* kEnvStderrColumns = "RAMJET_STDERR_COLUMNS";

problem check(const launch_options& options) {
  if (options.command.empty()) return {kUsageStatus, "name the program to run"};
  if (options.ranks < 1 || options.ranks > node::kRanksMax) {
    return {kUsageStatus,
            text("cannot run %u ranks: a job has 1 to %u", options.ranks, node::kRanksMax)};
  }
  if (options.nodes < 1 || options.nodes > options.ranks) {
    return {kUsageStatus, text("cannot put %u ranks on %u nodes: each needs one at least",
                               options.ranks, options.nodes)};
  }
  return check_additions(options.environment);
}

// The ranks' output are pipes: a program that draws for a terminal learns of it here.
void add_columns(std::vector<std::string>& environment, const char* name, int descriptor) {
  constexpr int kUsualColumns = 80;
  if (::isatty(descriptor) != 1) return;
  winsize size{};
  const bool known = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col != 0;
  const int columns = known ? size.ws_col : kUsualColumns;
  environment.push_back(std::string(name) + "=" + std::to_string(columns));
}

// The settings of the user's environment go before these; what --env says goes before both.
void add_trace_settings(std::vector<std::string>& own, const launch_options& options) {
  constexpr const char *kBytes = "RAMJET_TRACE_BYTES", *kSample = "RAMJET_TRACE_SAMPLE";
  const char* const given = std::getenv(kBytes);
  if (given == nullptr || *given == '\0')
    own.push_back(std::string(kBytes) + "=" +
                  std::to_string(trace::default_ring_bytes(options.ranks)));
  if (options.trace.sample != 0)
    own.push_back(std::string(kSample) + "=" + std::to_string(options.trace.sample));
}

// Python would hold 8 KiB of text back, as its output is a pipe, and lose it when a signal ends it.
constexpr const char* kPythonUnbuffered = "PYTHONUNBUFFERED";

// What differs between ranks is missing.
std::vector<std::string> environment_of(const launch_options& options, const job_memory& memory) {
  std::vector<std::string> own;
  if (!options.on_stdout) add_columns(own, kEnvStdoutColumns, STDOUT_FILENO);
  add_columns(own, kEnvStderrColumns, STDERR_FILENO);
  if (!options.trace.path.empty()) add_trace_settings(own, options);
  if (std::getenv(kPythonUnbuffered) == nullptr)
    own.push_back(std::string(kPythonUnbuffered) + "=1");
  own.insert(own.end(), options.environment.begin(), options.environment.end());
  const auto add = [&own](const char* name, auto value) {
    own.push_back(std::string(name) + "=" + std::to_string(value));
  };
  add(job::kEnvSize, memory.ranks());
  add(job::kEnvNodes, memory.nodes());
  add(job::kEnvLauncher, ::getpid());
  if (memory.nodes() > 1) add(job::kEnvDirectory, memory.directory_descriptor());
  own.push_back(job::secret_variable(memory.secret()));
  return environment_with(own);
}

// What the ranks would say of their settings, each for itself; fills the settings in.
problem check_settings(std::vector<std::string>& environment, base::settings& settings) {
  std::vector<char*> variables = pointers_to(environment);
  char** const own = std::exchange(environ, variables.data());
  std::string sentence;
  const bool good = base::read_settings(settings, sentence);
  environ = own;
  return good ? problem{} : problem{kUsageStatus, sentence};
}

// What a running job holds, set up in this order and taken down in the other.
class running_job {
 public:
  explicit running_job(const launch_options& options)
      : options_(options), output_({options.tag_output, options.ranks == 1, options.on_stdout}) {}
  ~running_job();
  running_job(const running_job&) = delete;
  running_job& operator=(const running_job&) = delete;

  int run();

 private:
  problem set_up();
  problem start_ranks(supervisor& supervisor);

  const launch_options& options_;
  output_hub output_;
  signal_watch signals_;
  guardian guardian_;
  job_memory memory_;
  tracing trace_{options_, memory_, output_};
  core_claims claims_;
  rank_input input_;
  spawn_plan plan_;
  base::settings settings_;  // of the ranks
  int trouble_read_end_ = -1;
};

running_job::~running_job() {
  if (plan_.trouble_pipe >= 0) ::close(plan_.trouble_pipe);
  if (trouble_read_end_ >= 0) ::close(trouble_read_end_);
}

problem running_job::set_up() {
  if (problem p = check(options_)) return p;
  plan_.command = options_.command;
  if (problem p = find_program(options_.command[0], plan_.path)) return p;
  if (problem p = raise_open_files(options_.ranks, job_memory::descriptors(options_.nodes),
                                   plan_.open_files))
    return p;
  if (problem p = signals_.start()) return p;
  if (problem p = guardian_.start()) return p;  // first: it must inherit nothing of the job
  const auto highest = int(std::min<rlim_t>(plan_.open_files.rlim_cur - 1, kJobDescriptor));
  const int lowest = highest - int(job_memory::descriptors(options_.nodes)) + 1;
  if (problem p = memory_.create(options_.ranks, options_.nodes, options_.policy,
                                 std::max(lowest, kLowestDescriptor))) {
    return p;
  }
  if (problem p = output_.open()) return p;
  if (problem p = input_.open(options_.forward_input)) return p;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return out_of_files("make a pipe");
  trouble_read_end_ = ends[0];
  plan_.trouble_pipe = ends[1];
  ::fcntl(trouble_read_end_, F_SETFL, O_NONBLOCK);
  plan_.directory_descriptor = memory_.directory_descriptor();
  plan_.guardian_pipe = guardian_.pipe();
  plan_.secret = memory_.secret();
  plan_.signals = &signals_;
  plan_.environment = environment_of(options_, memory_);
  if (problem p = check_settings(plan_.environment, settings_)) return p;
  return trace_.open(settings_);
}

problem running_job::start_ranks(supervisor& supervisor) {
  if (problem p = supervisor.open()) return p;
  // A rank with a co-processor needs two cores: the kernel finds them better.
  core_wish wish{options_.bind, options_.cores_per_rank};
  const bool coprocessors = settings_.progress == "coproc" || settings_.progress == "node";
  if (wish.bind == binding::automatic && coprocessors) wish.bind = binding::none;
  core_sets cores;
  if (problem p = plan_cores(wish, options_.ranks, claims_, cores)) return p;
  for (unsigned rank = 0; rank < options_.ranks; ++rank) {
    rank_process started;
    const rank_plan own{rank,
                        memory_.node_of(rank),
                        memory_.home_of(rank).descriptor(),
                        input_.for_rank(rank),
                        rank == 0 && input_.is_terminal(),
                        cores.empty() ? std::vector<int>{} : cores[rank]};
    if (problem p = spawn_rank(plan_, own, started)) return p;
    if (problem p = supervisor.add_rank(started)) return p;
    if (rank != 0) continue;
    if (problem p = input_.watch_keys(started.pid)) return p;
  }
  input_.ranks_started();
  ::close(plan_.trouble_pipe);  // its end of file says that all ranks have become their program
  plan_.trouble_pipe = -1;
  return {};
}

int running_job::run() {
  if (problem p = set_up()) {
    output_.say(p.sentence);
    return p.exit_status;
  }
  const double explain_after_s = options_.explain_after_s > 0
                                     ? options_.explain_after_s
                                     : double(settings_.explain_after_ms) * 1e-3;
  supervisor supervisor({options_, plan_, memory_, signals_, input_, output_, trouble_read_end_,
                         std::uint64_t(explain_after_s * 1e9), trace_});
  if (problem p = start_ranks(supervisor)) {
    output_.say(p.sentence);
    return p.exit_status;
  }
  const int exit_status = supervisor.run();
  input_.take_back();
  trace_.finish();
  return exit_status;
}

}  // namespace

void fill_standard_streams() {
  for (int fd = ::open("/dev/null", O_RDWR); fd >= 0; fd = ::open("/dev/null", O_RDWR)) {
    if (fd > STDERR_FILENO) {
      ::close(fd);
      return;
    }
  }
}

int launch(const launch_options& options) {
  std::fflush(nullptr);  // a forked rank must not hold our unwritten output
  fill_standard_streams();
  int was_subreaper = 0;
  ::prctl(PR_GET_CHILD_SUBREAPER, &was_subreaper);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // orphans of the job fall to us, who end them
  const int exit_status = running_job(options).run();
  ::prctl(PR_SET_CHILD_SUBREAPER, was_subreaper);
  return exit_status;
}

}  // namespace ramjet::launcher
