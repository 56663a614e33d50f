// SPDX-License-Identifier: Apache-2.0
// `ramjet run`: reads the command line; src/job/launcher does the work.
#include <CLI/CLI.hpp>
#include <charconv>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command_line.hpp"
#include "commands.hpp"
#include "help.hpp"
#include "launcher/delegation.hpp"
#include "launcher/launch.hpp"

namespace {

using ramjet::job::binding;
using ramjet::job::failure_policy;
using ramjet::job::host;
using ramjet::job::launch_options;

constexpr double kSecondsMax = 1e9;

// The values of the options as they were typed: our own parsing says better what is wrong.
struct typed {
  std::string ranks, nodes, hosts, host_file, bind, on_failure, progress, timeout, explain_after;
  std::vector<std::string> environment;
  bool tag_output = false;
};

constexpr const char* kFooter = R"(
Options end at PROGRAM; what follows is its own. The exit status is 0 if every rank finalized and
exited with 0, else that of the first rank that failed (128 + N if signal N killed it); 124 after
--timeout; 130, 143 or 129 after Ctrl-C, SIGTERM or SIGHUP; 127 or 126 if PROGRAM cannot be found or
executed; 2 for a wrong command line; 1 for everything else.

SIGUSR1 to this command prints what every rank waits for, and every message counter.

  ramjet run -n 4 ./hello
  ramjet run -n 8 --tag-output --env OMP_NUM_THREADS=1 ./solve input.txt
  ramjet run -n 8 --nodes 4 ./solve input.txt
  ramjet run -n 64 --hosts node1,node2 ./solve input.txt
  ramjet run -n 2 --explain-after 5 ./hangs)";

void describe(CLI::App& app, typed& t) {
  app.formatter(
      std::make_shared<tools::help_formatter>("ramjet run -n N [options] PROGRAM [arguments]"));
  app.option_defaults()->take_last();
  app.add_option("-n,--ranks", t.ranks, "how many ranks to start")->type_name("N");
  app.add_option("--nodes", t.nodes,
                 "run as if on K machines: the ranks of different nodes share no memory and talk "
                 "over the network")
      ->type_name("K");
  app.add_option("--hosts", t.hosts,
                 "run on other machines, a host or host:slots each, by the launcher that is "
                 "installed: srun in a Slurm allocation, else mpirun (Open MPI) or prterun")
      ->type_name("A,B,...");
  app.add_option("--hostfile", t.host_file,
                 "the same from a file of lines such as: host, host:slots, host slots=N")
      ->type_name("FILE");
  app.add_option("--bind", t.bind,
                 "core: a core of its own for each rank, in turn if there are too few; none: "
                 "anywhere; without this option: core if there are enough free ones")
      ->type_name("core|none");
  app.add_option("--timeout", t.timeout, "end the job after so many seconds")->type_name("S");
  app.add_flag("--tag-output", t.tag_output, "begin each line of output with its rank, as [3]");
  app.add_option("--env", t.environment, "set a variable for the ranks; may be repeated")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  app.add_option("--on-failure", t.on_failure,
                 "when a rank fails: abort (the default) ends the job, continue lets the others "
                 "go on; their calls that need the rank return an error")
      ->type_name("abort|continue");
  app.add_option("--progress", t.progress,
                 "coproc: a thread in each rank serves the handlers that are safe there, and other "
                 "machines' accesses to its memory, however busy the rank is; node: one of these "
                 "threads serves those accesses for all ranks of its machine; main: the rank "
                 "serves all when it polls; without this option: as the program wants it")
      ->type_name("main|coproc|node");
  app.add_option("--explain-after", t.explain_after,
                 "when ranks wait and nothing has moved for so many seconds, print who waits for "
                 "whom, and every message counter")
      ->type_name("S");
  app.footer(kFooter);
}

// Takes -np for -n. The index at which the program's own words begin: after the options and their
// values, or after "--". argv[0] is the command's name.
int program_index(const CLI::App& app, int argc, char** argv) {
  static char usual_name[] = "-n";
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "-np") argv[i] = usual_name;  // as other launchers call it
    const std::string_view word = argv[i];
    if (word == "--" || word.size() < 2 || word[0] != '-') return i;
    const bool is_long = word[1] == '-';
    const std::size_t name_end = is_long ? word.find('=') : 2;
    const CLI::Option* option = app.get_option_no_throw(std::string(word.substr(0, name_end)));
    const bool has_value = name_end < word.size();
    if (option != nullptr && !has_value && option->get_items_expected_max() > 0) ++i;
  }
  return argc;
}

std::optional<std::string> parse_seconds(const std::string& option, const std::string& word,
                                         double& seconds) {
  if (word.empty()) return {};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), seconds);
  if (error != std::errc{} || end != word.data() + word.size() || !(seconds > 0) ||
      seconds > kSecondsMax) {
    return option + " " + word + ": give a number of seconds above 0, such as 5 or 0.5";
  }
  return {};
}

// A whole number; false if it is none, or far too large.
bool read_count(const std::string& word, long long& value) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return end == word.data() + word.size() && error == std::errc{};
}

std::optional<std::string> parse_nodes(const std::string& word, unsigned ranks, unsigned& nodes) {
  if (word.empty()) return {};
  long long value = 0;
  if (!read_count(word, value) || value < 1 || value > ranks) {
    return "--nodes " + word + ": give a number of nodes from 1 to that of the ranks, " +
           std::to_string(ranks);
  }
  nodes = unsigned(value);
  return {};
}

// The hosts to delegate to; none: the job runs here.
std::optional<std::string> read_hosts(const typed& t, std::vector<host>& hosts) {
  if (!t.hosts.empty() && !t.host_file.empty()) return "give --hosts or --hostfile, not both";
  ramjet::job::problem wrong;
  if (!t.hosts.empty()) wrong = ramjet::job::parse_hosts(t.hosts, hosts);
  if (!t.host_file.empty()) {
    std::ifstream file(t.host_file);
    std::ostringstream contents;
    if (!file || !(contents << file.rdbuf())) {
      return "--hostfile " + t.host_file + ": the file cannot be read, or is empty";
    }
    wrong = ramjet::job::parse_host_file(t.host_file, contents.str(), hosts);
  }
  if (wrong) return wrong.sentence;
  return {};
}

std::optional<std::string> parse_ranks(const std::string& word, unsigned& ranks) {
  const std::string most = std::to_string(ramjet::job::kRanksMax);
  if (word.empty()) return "say how many ranks to start: -n N, with N from 1 to " + most;
  long long value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size() || error == std::errc::invalid_argument) {
    return "-n " + word + ": not a number; give a number of ranks from 1 to " + most;
  }
  if (error != std::errc{} || value < 1 || value > ramjet::job::kRanksMax) {
    return "-n " + word + ": a job has 1 to " + most + " ranks";
  }
  ranks = unsigned(value);
  return {};
}

// Fills the options; one sentence if something is wrong.
std::optional<std::string> interpret(const typed& t, launch_options& out) {
  if (auto wrong = parse_ranks(t.ranks, out.ranks)) return wrong;
  if (auto wrong = parse_nodes(t.nodes, out.ranks, out.nodes)) return wrong;
  if (auto wrong = parse_seconds("--timeout", t.timeout, out.timeout_s)) return wrong;
  if (auto wrong = parse_seconds("--explain-after", t.explain_after, out.explain_after_s)) {
    return wrong;
  }
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
  if (!t.progress.empty()) out.environment.push_back("RAMJET_PROGRESS=" + t.progress);
  if (out.command.empty()) return "name the program to run: ramjet run -n N PROGRAM [arguments]";
  return {};
}

}  // namespace

int run_command(int argc, char** argv) {
  CLI::App app("Starts a program on N ranks and waits for its end.", "ramjet run");
  typed t;
  describe(app, t);
  const int program = program_index(app, argc, argv);
  if (const auto status = tools::parse(app, program, argv)) return *status;
  launch_options options;
  const bool marked = program < argc && std::string_view(argv[program]) == "--";
  options.command.assign(argv + program + (marked ? 1 : 0), argv + argc);
  std::vector<host> hosts;
  if (auto wrong = interpret(t, options)) return tools::refuse(app, *wrong);
  if (auto wrong = read_hosts(t, hosts)) return tools::refuse(app, *wrong);
  if (!hosts.empty()) return ramjet::job::delegate(options, std::move(hosts));
  return ramjet::job::launch(options);
}
