// SPDX-License-Identifier: Apache-2.0
#include "launch/delegation.hpp"

#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "base/settings.hpp"
#include "launch/environment.hpp"
#include "launch/spawn.hpp"
#include "trace/file/join.hpp"
#include "trace/file/part.hpp"

namespace ramjet::launcher {
namespace {

using words_list = std::vector<std::string>;

bool read_slots(std::string_view word, unsigned& slots) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), slots);
  return error == std::errc{} && end == word.data() + word.size() && slots >= 1 &&
         slots <= node::kRanksMax;
}

bool is_host_name(std::string_view name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
  };
  return !name.empty() && name[0] != '-' && std::all_of(name.begin(), name.end(), fits);
}

// "name" or "name:slots". The sentence has no subject: the caller says where the word stands.
problem add_host(const std::string& word, std::vector<host>& hosts) {
  const std::size_t colon = word.find(':');
  host h{word.substr(0, colon), 0};
  if (!is_host_name(h.name)) {
    return {kUsageStatus, text("'%s' names no host", word.c_str())};
  }
  if (colon != word.npos && !read_slots(word.substr(colon + 1), h.slots)) {
    return {kUsageStatus, text("'%s': give a number of slots from 1 to %u after the colon",
                               word.c_str(), node::kRanksMax)};
  }
  if (std::any_of(hosts.begin(), hosts.end(), [&h](const host& o) { return o.name == h.name; })) {
    return {kUsageStatus, text("host %s is named twice; for two ranks there write %s:2",
                               h.name.c_str(), h.name.c_str())};
  }
  hosts.push_back(h);
  return {};
}

problem at(const std::string& where, const problem& p) {
  return p ? problem{p.exit_status, where + ": " + p.sentence} : p;
}

problem cannot(const char* option, const char* launcher, const char* remedy) {
  return {kUsageStatus, text("%s cannot be had from %s: %s", option, launcher, remedy)};
}

// "a:4,b:4" for mpirun, "a,b" for srun.
std::string host_list(const std::vector<host>& hosts, bool with_slots) {
  std::string list;
  for (const host& h : hosts) {
    if (!list.empty()) list += ",";
    list += h.name;
    if (with_slots) list += ":" + std::to_string(h.slots);
  }
  return list;
}

void append(words_list& to, const words_list& more) {
  to.insert(to.end(), more.begin(), more.end());
}

// Both are Open MPI's way: PRRTE took its options over, but for some that it writes anew.
void open_mpi_words(const delegation& job, bool is_mpirun, words_list& words) {
  const launch_options& o = job.options;
  append(words, {"-n", std::to_string(o.ranks), "--host", host_list(job.hosts, true)});
  append(words, {"--wdir", job.folder});
  if (job.is_root) words.push_back("--allow-run-as-root");
  if (o.bind == binding::core) append(words, {"--bind-to", "core:overload-allowed"});
  if (o.bind == binding::none) append(words, {"--bind-to", "none"});
  if (o.tag_output)
    append(words, is_mpirun ? words_list{"--tag-output"} : words_list{"--output", "tag"});
  if (o.timeout_s > 0) {
    append(words, {"--timeout", std::to_string(std::llround(std::ceil(o.timeout_s)))});
  }
  if (o.policy == node::failure_policy::carry_on) {
    if (is_mpirun) {
      words.push_back("--enable-recovery");
    } else {
      append(words, {"--runtime-options", "recoverable"});
    }
  }
  for (const std::string& name : job.forwarded) append(words, {"-x", name});
}

problem srun_words(const delegation& job, words_list& words) {
  const launch_options& o = job.options;
  if (o.timeout_s > 0) {
    return cannot("--timeout", "srun",
                  "it counts minutes; leave the option out, and give the "
                  "allocation a time limit");
  }
  append(words, {"--mpi=pmix", "--ntasks=" + std::to_string(o.ranks),
                 "--nodes=" + std::to_string(job.hosts.size()),
                 "--nodelist=" + host_list(job.hosts, false)});
  if (job.slots_said) {
    const unsigned slots = job.hosts[0].slots;
    for (const host& h : job.hosts) {
      if (h.slots == slots) continue;
      return cannot("a different number of ranks on each host", "srun",
                    "give the hosts slots so that each gets as many");
    }
    words.push_back("--ntasks-per-node=" + std::to_string(slots));
  }
  words.push_back("--chdir=" + job.folder);
  words.push_back("--export=ALL");  // what is to be forwarded is in srun's own environment
  if (o.bind == binding::core) words.push_back("--cpu-bind=cores");
  if (o.bind == binding::none) words.push_back("--cpu-bind=none");
  words.push_back("--input=0");  // standard input to rank 0
  if (o.tag_output) words.push_back("--label");
  if (o.policy == node::failure_policy::carry_on) {
    append(words, {"--kill-on-bad-exit=0", "--no-kill"});
  } else {
    words.push_back("--kill-on-bad-exit=1");
  }
  return {};
}

const char* word_for(system_launcher l) {
  return l == system_launcher::srun ? "srun" : l == system_launcher::prterun ? "prterun" : "mpirun";
}

const char* name_of(system_launcher l) {
  return l == system_launcher::srun      ? "srun (Slurm)"
         : l == system_launcher::prterun ? "prterun (PRRTE)"
                                         : "mpirun (Open MPI)";
}

// Some mpiruns do not know PMIx.
bool is_open_mpi(const std::string& path) {
  std::string command = "'";
  for (char c : path) command += c == '\'' ? std::string("'\\''") : std::string(1, c);
  command += "' --version 2>/dev/null";
  FILE* output = ::popen(command.c_str(), "r");
  if (output == nullptr) return false;
  char answer[256] = {};
  const std::size_t got = std::fread(answer, 1, sizeof answer - 1, output);
  ::pclose(output);
  return std::string_view(answer, got).find("Open MPI") != std::string_view::npos;
}

problem find_system_launcher(system_launcher& found, std::string& path) {
  for (system_launcher l :
       {system_launcher::srun, system_launcher::mpirun, system_launcher::prterun}) {
    if (l == system_launcher::srun && std::getenv("SLURM_JOB_ID") == nullptr) continue;
    if (find_program(word_for(l), path)) continue;
    if (l == system_launcher::mpirun && !is_open_mpi(path)) continue;
    found = l;
    return {};
  }
  return {1,
          "no launcher for other hosts is installed; install Open MPI (mpirun) or PRRTE "
          "(prterun), or start this inside a Slurm allocation (srun)"};
}

// Names of the RAMJET_ variables of an environment, and of those that the user added.
words_list forwarded_names(const words_list& environment, const words_list& additions) {
  words_list names;
  for (const std::string& pair : environment) {
    if (pair.rfind("RAMJET_", 0) == 0) names.push_back(pair.substr(0, pair.find('=')));
  }
  for (const std::string& pair : additions) names.push_back(pair.substr(0, pair.find('=')));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

problem check(const launch_options& options, const std::vector<host>& hosts) {
  if (options.command.empty()) return {kUsageStatus, "name the program to run"};
  if (hosts.empty()) return {kUsageStatus, "name a host at least"};
  if (options.nodes > 1) {
    return {kUsageStatus,
            "--nodes plays several machines on this one; leave it out where hosts are named"};
  }
  return check_additions(options.environment);
}

// The ranks take their events themselves.
void add_trace(const launch_options& options, words_list& additions) {
  additions.push_back("RAMJET_TRACE=" + options.trace.path);
  if (options.trace.bytes_max != 0)
    additions.push_back("RAMJET_TRACE_LIMIT=" + std::to_string(options.trace.bytes_max));
  if (options.trace.sample != 0)
    additions.push_back("RAMJET_TRACE_SAMPLE=" + std::to_string(options.trace.sample));
}

problem prepare(const launch_options& options, std::vector<host>& hosts, std::string& path,
                words_list& words, words_list& environment) {
  if (problem p = check(options, hosts)) return p;
  const bool slots_said =
      std::any_of(hosts.begin(), hosts.end(), [](const host& h) { return h.slots != 0; });
  if (problem p = deal_to_hosts(options.ranks, hosts)) return p;
  system_launcher launcher = system_launcher::mpirun;
  if (problem p = find_system_launcher(launcher, path)) return p;
  words_list additions = options.environment;
  if (options.policy == node::failure_policy::carry_on)
    additions.push_back("RAMJET_ON_FAILURE=continue");
  if (options.explain_after_s > 0)
    additions.push_back(text("RAMJET_EXPLAIN_AFTER=%g", options.explain_after_s));
  if (!options.trace.path.empty()) add_trace(options, additions);
  environment = environment_with(additions);
  char folder[4096];
  if (::getcwd(folder, sizeof folder) == nullptr) {
    return {1, text("cannot find this folder's name: %s", errno_text(errno).c_str())};
  }
  const delegation job{options,          hosts,
                       slots_said,       folder,
                       ::geteuid() == 0, forwarded_names(environment, additions)};
  if (problem p = command_line(launcher, job, words)) return p;
  std::fprintf(stderr, "ramjet: starting %u rank%s on %zu host%s by %s\n", options.ranks,
               options.ranks == 1 ? "" : "s", hosts.size(), hosts.size() == 1 ? "" : "s",
               name_of(launcher));
  return {};
}

problem cannot_execute(const std::string& path) {
  return {1, text("cannot execute %s: %s", path.c_str(), errno_text(errno).c_str())};
}

constexpr int kPassedOn[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
pid_t delegated = 0;  // what these signals to us are passed on to

// A terminal sends SIGINT to all of its foreground group, so the launcher has it, too.
void pass_on(int signal, siginfo_t* about, void*) {
  const bool from_terminal = signal == SIGINT && about->si_code == SI_KERNEL;
  if (delegated > 0 && !from_terminal) ::kill(delegated, signal);
}

void pass_on_signals() {
  struct sigaction how{};
  how.sa_sigaction = pass_on;
  how.sa_flags = SA_SIGINFO | SA_RESTART;
  for (const int signal : kPassedOn) ::sigaction(signal, &how, nullptr);
}

// What a rank's death has left in parts, as far as they are here. Where rank 0 has made the trace,
// whose part goes with that, others that are left could not be had for it: they stay.
void join_what_is_left(const launch_options& options) {
  const std::vector<std::string> paths = trace::find_parts(options.trace.path);
  const bool has_root = !paths.empty() && paths[0] == trace::part_path(options.trace.path, 0);
  if (paths.empty() || (!has_root && ::access(options.trace.path.c_str(), F_OK) == 0)) return;
  base::settings settings;
  std::string wrong;  // reported at the start
  static_cast<void>(base::read_settings(settings, wrong));
  const std::uint64_t said = options.trace.bytes_max;
  trace::joined_trace joined =
      trace::join_files(options.trace.path, paths, said != 0 ? said : settings.trace_limit);
  if (joined.done) {
    joined.sentences.push_back(
        text("%zu parts that were left are joined in it", joined.parts.size()));
    for (const std::string& part : joined.parts) ::unlink(part.c_str());
  }
  for (const std::string& sentence : joined.sentences)
    std::fprintf(stderr, "ramjet: the trace %s: %s\n", options.trace.path.c_str(),
                 sentence.c_str());
}

// The system's launcher as a child, so that a trace can be put together after its end.
int run_traced(const launch_options& options, const std::string& path,
               const std::vector<char*>& arguments, const std::vector<char*>& variables) {
  // Of an earlier job. What is not a file, as a terminal, stays.
  struct stat earlier{};
  if (::lstat(options.trace.path.c_str(), &earlier) == 0 && S_ISREG(earlier.st_mode))
    ::unlink(options.trace.path.c_str());
  for (const std::string& left : trace::find_parts(options.trace.path)) ::unlink(left.c_str());
  const pid_t parent = ::getpid();
  sigset_t passed_on, before;  // blocked until there is whom to pass them on to
  ::sigemptyset(&passed_on);
  for (const int signal : kPassedOn) ::sigaddset(&passed_on, signal);
  ::sigprocmask(SIG_BLOCK, &passed_on, &before);
  delegated = ::fork();
  if (delegated == 0) {
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() == parent) ::execve(path.c_str(), arguments.data(), variables.data());
    std::fprintf(stderr, "ramjet: %s\n", cannot_execute(path).sentence.c_str());
    ::_exit(1);
  }
  if (delegated < 0) {
    std::fprintf(stderr, "ramjet: cannot start %s: %s\n", path.c_str(), errno_text(errno).c_str());
    return 1;
  }
  pass_on_signals();
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  int status = 0;
  while (::waitpid(delegated, &status, 0) < 0 && errno == EINTR) {
  }
  delegated = 0;
  join_what_is_left(options);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

problem parse_hosts(const std::string& list, std::vector<host>& hosts) {
  for (std::size_t from = 0; from <= list.size();) {
    const std::size_t end = std::min(list.find(',', from), list.size());
    if (problem p = add_host(list.substr(from, end - from), hosts)) {
      return at("--hosts " + list, p);
    }
    from = end + 1;
  }
  return {};
}

problem parse_host_file(const std::string& file, const std::string& contents,
                        std::vector<host>& hosts) {
  std::istringstream lines(contents);
  unsigned number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream line_words(line.substr(0, line.find('#')));
    const std::string where = file + ", line " + std::to_string(number);
    std::string name, more;
    if (!(line_words >> name)) continue;
    if (problem p = add_host(name, hosts)) return at(where, p);
    while (line_words >> more) {
      const bool is_slots = more.rfind("slots=", 0) == 0 && hosts.back().slots == 0;
      if (is_slots && read_slots(more.substr(6), hosts.back().slots)) continue;
      return {kUsageStatus, text("%s: '%s': after the host only slots=N may follow, once, with N "
                                 "from 1 to %u",
                                 where.c_str(), more.c_str(), node::kRanksMax)};
    }
  }
  if (!hosts.empty()) return {};
  return {kUsageStatus, file + " names no host; write one on each line"};
}

problem deal_to_hosts(unsigned ranks, std::vector<host>& hosts) {
  std::vector<host*> unsaid;
  unsigned left = ranks;
  for (host& h : hosts) {
    if (h.slots == 0) unsaid.push_back(&h);
    h.slots = std::min(h.slots, left);
    left -= h.slots;
  }
  if (left > 0 && unsaid.empty()) {
    return {kUsageStatus,
            text("%u ranks need as many slots, and the hosts have %u; give them more, "
                 "or start fewer ranks",
                 ranks, ranks - left)};
  }
  for (std::size_t i = unsaid.size(); i > 0; --i) {
    unsaid[i - 1]->slots = left / unsigned(i);  // the first ones get what is left over
    left -= unsaid[i - 1]->slots;
  }
  std::erase_if(hosts, [](const host& h) { return h.slots == 0; });
  return {};
}

problem command_line(system_launcher launcher, const delegation& job,
                     std::vector<std::string>& words) {
  words = {word_for(launcher)};
  if (launcher == system_launcher::srun) {
    if (problem p = srun_words(job, words)) return p;
  } else {
    open_mpi_words(job, launcher == system_launcher::mpirun, words);
  }
  append(words, job.options.command);
  return {};
}

int delegate(const launch_options& options, std::vector<host> hosts) {
  std::string path;
  words_list words, environment;
  problem p = prepare(options, hosts, path, words, environment);
  if (!p) {
    const std::vector<char*> arguments = pointers_to(words), variables = pointers_to(environment);
    if (!options.trace.path.empty()) return run_traced(options, path, arguments, variables);
    ::execve(path.c_str(), arguments.data(), variables.data());
    p = cannot_execute(path);
  }
  std::fprintf(stderr, "ramjet: %s\n", p.sentence.c_str());
  return p.exit_status;
}

}  // namespace ramjet::launcher
