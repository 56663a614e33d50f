// SPDX-License-Identifier: Apache-2.0
// Reads the command line; src/launcher does the work.
#include "tools/command/run.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "launch/delegation.hpp"
#include "tools/cli/inputs.hpp"
#include "tools/cli/text_file.hpp"
#include "tools/command/command_line.hpp"

namespace tools {

namespace {

using ramjet::launcher::binding;
using ramjet::launcher::host;
using ramjet::launcher::launch_options;
using ramjet::node::failure_policy;

constexpr double kSecondsMax = 1e9;

// The values of the options as they were typed: our own parsing says better what is wrong.
struct typed {
  std::string ranks, nodes, hosts, host_file, bind, on_failure, progress, timeout, explain_after;
  std::string grace, cores_per_rank;
  std::string metrics_port, metrics_address;
  std::string trace, trace_sample, trace_limit;
  std::vector<std::string> environment;
  bool tag_output = false, top = false, no_profile = false, trace_near = false;
};

constexpr const char* kRunFooter = R"(
Options end at PROGRAM; what follows is its own. The exit status is 0 if every rank finalized and
exited with 0, else that of the first rank that failed (128 + N if signal N killed it); 124 after
--timeout; 128 + N if signal N to this command ended the job; 127 or 126 if PROGRAM cannot be found
or executed; 2 for a wrong command line; 1 for everything else.

Output comes in whole lines, when they are printed. An unfinished line comes when its rank ends.
Python ranks get PYTHONUNBUFFERED=1, unless it is set.

Rank 0 reads standard input. A terminal is lent to it when it reads, so that what is typed for the
shell is left for the shell.

SIGINT, SIGTERM, SIGHUP and SIGQUIT end the job: every rank gets SIGTERM, and SIGKILL --grace
seconds later. SIGUSR1 to this command prints what every rank waits for, and every message counter;
ranks that catch it get it, too. SIGUSR2 and SIGCONT are passed on to every rank. SIGTSTP stops the
job.

  ramjet run -n 4 ./hello
  ramjet run -n 8 --tag-output --env OMP_NUM_THREADS=1 ./solve input.txt
  ramjet run -n 8 --nodes 4 ./solve input.txt
  ramjet run -n 64 --hosts node1,node2 ./solve input.txt
  ramjet run -n 2 --explain-after 5 ./hangs)";

void describe(console::command_line& line, typed& t) {
  line.word("-n,--ranks", "N", "how many ranks to start", t.ranks);
  line.word("--nodes", "K",
            "run as if on K machines: the ranks of different nodes share no memory and talk "
            "over the network",
            t.nodes);
  line.word("--hosts", "A,B,...",
            "run on other machines, a host or host:slots each, by the launcher that is "
            "installed: srun in a Slurm allocation, else mpirun (Open MPI) or prterun",
            t.hosts);
  line.word("--hostfile", "FILE",
            "the same from a file of lines such as: host, host:slots, host slots=N", t.host_file);
  line.word("--bind", "core|none",
            "core: one core for each rank, in turn if there are too few; none: anywhere; without "
            "this option the free cores are shared out among the ranks, if there are enough",
            t.bind);
  line.word("--cores-per-rank", "N", "N cores for each rank, such as for its OpenMP threads",
            t.cores_per_rank);
  line.word("--timeout", "S", "end the job after S seconds", t.timeout);
  line.word("--grace", "S",
            "when the job is ended, kill ranks S seconds after their SIGTERM; without this "
            "option 1, and 0.2 after a rank's failure",
            t.grace);
  line.flag("--tag-output", "begin each line of output with its rank, as [3]", t.tag_output);
  line.words("--env", "NAME=VALUE", "set a variable for the ranks; may be repeated", t.environment);
  line.word("--on-failure", "abort|continue",
            "when a rank fails: abort (the default) ends the job, continue lets the others "
            "go on; their calls that need the rank return an error",
            t.on_failure);
  line.word("--progress", "main|coproc|node",
            "coproc: a thread in each rank serves the handlers that are safe there, and other "
            "machines' accesses to its memory, however busy the rank is; node: one of these "
            "threads serves those accesses for all ranks of its machine; main: the rank "
            "serves all when it polls; without this option: as the program wants it",
            t.progress);
  line.flag("--no-profile",
            "choose by built-in figures, not by what ramjet characterize has kept of this machine",
            t.no_profile);
  line.word("--explain-after", "S",
            "when ranks wait and nothing has moved for S seconds, print who waits for "
            "whom, and every message counter",
            t.explain_after);
  line.flag("--top", "show on the terminal what the ranks do, as ramjet top", t.top);
  line.word("--metrics-port", "PORT",
            "serve the job's counters at http://127.0.0.1:PORT/metrics (OpenMetrics); 0: a free "
            "port, which is printed",
            t.metrics_port);
  line.word("--metrics-address", "IP", "serve them at this address of the machine",
            t.metrics_address);
  line.word("--trace", "FILE",
            "write what the ranks do to a file for `ramjet trace` and Perfetto's viewer: messages "
            "and their handlers, waits, collectives, threads",
            t.trace);
  line.word("--trace-sample", "N", "trace only one message in N", t.trace_sample);
  line.flag("--trace-near", "tell accesses to memory of the same node, too, which makes them slow",
            t.trace_near);
  line.word("--trace-limit", "BYTES",
            "how large the file may become, such as 64M (default 256M); half of it is for the end",
            t.trace_limit);
}

// The index of the first word of the program. -np is taken for -n, as other launchers call it.
int find_program(const console::command_line& line, int argc, char** argv) {
  static char usual_name[] = "-n";
  const int program = line.first_of_program(argc, argv);
  for (int i = 1; i < program; ++i) {
    if (std::string_view(argv[i]) != "-np") continue;
    argv[i] = usual_name;
    return find_program(line, argc, argv);
  }
  return program;
}

std::optional<std::string> parse_seconds(const std::string& option, const std::string& word,
                                         double& seconds) {
  if (word.empty()) return {};
  if (!console::read_number(word, seconds) || !(seconds > 0) || seconds > kSecondsMax) {
    return option + " " + word + ": give a number of seconds above 0, such as 5 or 0.5";
  }
  return {};
}

std::optional<std::string> parse_nodes(const std::string& word, unsigned ranks, unsigned& nodes) {
  if (word.empty()) return {};
  long long value = 0;
  if (!console::read_number(word, value) || value < 1 || value > ranks) {
    return "--nodes " + word + ": give a number of nodes from 1 to that of the ranks, " +
           std::to_string(ranks);
  }
  nodes = unsigned(value);
  return {};
}

std::optional<std::string> parse_grace(const std::string& word, double& seconds) {
  if (word.empty()) return {};
  if (!console::read_number(word, seconds) || !(seconds >= 0) || seconds > kSecondsMax)
    return "--grace " + word + ": give a number of seconds from 0 on, such as 30";
  return {};
}

std::optional<std::string> parse_cores(const std::string& word, const std::string& bind,
                                       unsigned& cores) {
  if (word.empty()) return {};
  long long value = 0;
  constexpr long long kMost = 4096;
  if (!console::read_number(word, value) || value < 1 || value > kMost)
    return "--cores-per-rank " + word + ": give a number of cores from 1 on, such as 4";
  if (!bind.empty()) return "give --bind or --cores-per-rank, not both";
  cores = unsigned(value);
  return {};
}

// The hosts to delegate to; none: the job runs here.
std::optional<std::string> read_hosts(const typed& t, std::vector<host>& hosts) {
  if (!t.hosts.empty() && !t.host_file.empty()) return "give --hosts or --hostfile, not both";
  ramjet::launcher::problem wrong;
  if (!t.hosts.empty()) wrong = ramjet::launcher::parse_hosts(t.hosts, hosts);
  if (!t.host_file.empty()) {
    std::string problem;
    const std::optional<std::string> text = console::text_of_file(t.host_file, problem);
    if (!text) return "--hostfile: " + problem;
    wrong = ramjet::launcher::parse_host_file(t.host_file, *text, hosts);
  }
  if (wrong) return wrong.sentence;
  return {};
}

std::optional<std::string> parse_ranks(const std::string& word, unsigned& ranks) {
  const std::string most = std::to_string(ramjet::node::kRanksMax);
  if (word.empty()) return "say how many ranks to start: -n N, with N from 1 to " + most;
  long long value = 0;
  if (word.find_first_not_of("0123456789", word[0] == '-' ? 1 : 0) != word.npos) {
    return "-n " + word + ": not a number; give a number of ranks from 1 to " + most;
  }
  if (!console::read_number(word, value) || value < 1 || value > ramjet::node::kRanksMax) {
    return "-n " + word + ": a job has 1 to " + most + " ranks";
  }
  ranks = unsigned(value);
  return {};
}

std::optional<std::string> parse_trace(const typed& t, ramjet::launcher::trace_options& out) {
  const char* const usual = std::getenv("RAMJET_TRACE");
  out.path = t.trace.empty() && usual != nullptr ? usual : t.trace;
  if (out.path.empty() && (!t.trace_sample.empty() || !t.trace_limit.empty() || t.trace_near))
    return std::string(!t.trace_sample.empty()  ? "--trace-sample"
                       : !t.trace_limit.empty() ? "--trace-limit"
                                                : "--trace-near") +
           " goes with --trace FILE";
  long long value = 0;
  if (!t.trace_sample.empty()) {
    if (!console::read_number(t.trace_sample, value) || value < 1 || value > 1'000'000'000)
      return "--trace-sample " + t.trace_sample + ": give a whole number from 1 on, such as 16";
    out.sample = std::uint64_t(value);
  }
  if (t.trace_limit.empty()) return {};
  const std::size_t power = std::string_view("KMGT").find(t.trace_limit.back());
  const bool has_unit = power != std::string_view::npos;
  const std::string digits = t.trace_limit.substr(0, t.trace_limit.size() - (has_unit ? 1 : 0));
  const unsigned shift = has_unit ? 10 * unsigned(power + 1) : 0;
  if (!console::read_number(digits, value) || value < 0 || value >> (62 - shift) != 0 ||
      std::uint64_t(value) << shift < ramjet::launcher::kTraceBytesMin)
    return "--trace-limit " + t.trace_limit + ": give a number of bytes from 64K on, such as 64M";
  out.bytes_max = std::uint64_t(value) << shift;
  return {};
}

// The trace may be neither the program nor a file among its arguments.
std::optional<std::string> check_trace_is_no_input(const typed& t, const launch_options& options) {
  std::vector<std::string> inputs = options.command;
  if (!t.host_file.empty()) inputs.push_back(t.host_file);
  std::erase(inputs, "-");
  const auto same = console::input_that_is(options.trace.path, inputs);
  if (!same) return {};
  return "--trace " + options.trace.path + " is the file " + *same +
         ", which the job reads: write the trace to another one";
}

// Fills the options; one sentence if something is wrong.
std::optional<std::string> interpret(const typed& t, launch_options& out) {
  if (auto wrong = parse_ranks(t.ranks, out.ranks)) return wrong;
  if (auto wrong = parse_nodes(t.nodes, out.ranks, out.nodes)) return wrong;
  if (auto wrong = parse_seconds("--timeout", t.timeout, out.timeout_s)) return wrong;
  if (auto wrong = parse_seconds("--explain-after", t.explain_after, out.explain_after_s)) {
    return wrong;
  }
  if (auto wrong = parse_grace(t.grace, out.grace_s)) return wrong;
  if (auto wrong = parse_cores(t.cores_per_rank, t.bind, out.cores_per_rank)) return wrong;
  if (auto wrong = parse_trace(t, out.trace)) return wrong;
  if (t.bind == "core") {
    out.bind = binding::core;
  } else if (t.bind == "none") {
    out.bind = binding::none;
  } else if (!t.bind.empty()) {
    return "--bind " + t.bind + ": write core or none";
  }
  if (t.on_failure == "continue") {
    out.policy = failure_policy::carry_on;
  } else if (!t.on_failure.empty() && t.on_failure != "abort") {
    return "--on-failure " + t.on_failure + ": write abort or continue";
  }
  if (!t.progress.empty() && t.progress != "main" && t.progress != "coproc" &&
      t.progress != "node") {
    return "--progress " + t.progress + ": write main, coproc or node";
  }
  out.tag_output = t.tag_output;
  out.environment = t.environment;
  if (t.trace_near) out.environment.push_back("RAMJET_TRACE_NEAR=1");
  if (!t.progress.empty()) out.environment.push_back("RAMJET_PROGRESS=" + t.progress);
  if (t.no_profile) out.environment.push_back("RAMJET_PROFILE=none");
  if (out.command.empty()) return "name the program to run: ramjet run -n N PROGRAM [arguments]";
  return check_trace_is_no_input(t, out);
}

// What other launchers' jobs cannot have.
std::optional<std::string> check_delegated(const typed& t) {
  if (t.top) return "--top shows jobs of this machine: on each of the hosts, ramjet top does";
  if (!t.metrics_port.empty()) return "--metrics-port serves jobs of this machine, without hosts";
  if (!t.cores_per_rank.empty())
    return "--cores-per-rank is for jobs of this machine: the launcher has its own option";
  if (!t.grace.empty()) return "--grace is for jobs of this machine: the launcher has its own";
  return {};
}

}  // namespace

int run_job(int argc, char** argv, int (*launch_shown)(const shown_job& job, char** argv)) {
  console::command_line line(kRunName, "Starts a program on N ranks and waits for its end.",
                             "usage: ramjet run -n N [options] PROGRAM [arguments]", kRunFooter);
  typed t;
  describe(line, t);
  const int program = find_program(line, argc, argv);
  if (const auto status = read(kRunName, line, program, argv)) return *status;
  launch_options options;
  const bool marked = program < argc && std::string_view(argv[program]) == "--";
  options.command.assign(argv + program + (marked ? 1 : 0), argv + argc);
  std::vector<host> hosts;
  if (auto wrong = interpret(t, options)) return refuse(kRunName, *wrong);
  if (auto wrong = read_hosts(t, hosts)) return refuse(kRunName, *wrong);
  if (!hosts.empty()) {
    if (auto wrong = check_delegated(t)) return refuse(kRunName, *wrong);
    if (!options.trace.path.empty())  // on all machines
      options.trace.path = std::filesystem::absolute(options.trace.path).lexically_normal();
    return ramjet::launcher::delegate(options, std::move(hosts));
  }
  if (t.metrics_port.empty() && !t.metrics_address.empty())
    return refuse(kRunName, "--metrics-address says where: give --metrics-port, too");
  if (t.top || !t.metrics_port.empty())
    return launch_shown({options, t.top, t.metrics_port, t.metrics_address}, argv);
  return ramjet::launcher::launch(options);
}

}  // namespace tools
