// SPDX-License-Identifier: Apache-2.0
#include "launch/spawn.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "base/cpus.hpp"
#include "job/bootstrap/variables.hpp"
#include "launch/guardian.hpp"
#include "node/board.hpp"

namespace ramjet::launcher {
namespace {

constexpr int kNotFound = 127, kNotExecutable = 126;

// 0 if the file can be executed, else why not.
int executable_error(const std::string& path) {
  struct stat about{};
  if (::stat(path.c_str(), &about) != 0) return errno;
  if (S_ISDIR(about.st_mode)) return EISDIR;
  return ::access(path.c_str(), X_OK) == 0 ? 0 : errno;
}

problem refusal(const std::string& word, int error) {
  const char* name = word.c_str();
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return {kNotFound, text("cannot find the program '%s'; check its path", name)};
    case EISDIR:
      return {kNotExecutable, text("'%s' is a directory; name a program", name)};
    case EACCES:
    case EPERM:
      return {kNotExecutable, text("'%s' may not be executed; is it a program, and is it marked "
                                   "executable (chmod +x)?",
                                   name)};
    case ENOEXEC:
      return {kNotExecutable, text("'%s' is not a program for this machine; a script needs a first "
                                   "line such as #!/bin/sh",
                                   name)};
    case E2BIG:
      return {kNotExecutable, text("the arguments and environment of '%s' are too long; shorten "
                                   "them (getconf ARG_MAX)",
                                   name)};
    default:
      return {kNotExecutable, text("cannot execute '%s': %s", name, errno_text(error).c_str())};
  }
}

struct pipe_pair {
  int read_end = -1, write_end = -1;

  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read_end = ends[0];
    write_end = ends[1];
    ::fcntl(read_end, F_SETFL, O_NONBLOCK);
    return true;
  }
  void close() {
    if (read_end >= 0) ::close(read_end);
    if (write_end >= 0) ::close(write_end);
    read_end = write_end = -1;
  }
};

// What the child needs, made ready before there is one.
struct child_plan {
  const spawn_plan* plan;
  const rank_plan* own;
  pid_t launcher;
  int out, err;
  bool bound;
  cpu_set_t cpus;
  char* const* arguments;
  char* const* environment;
};

// With the errno of this step.
[[noreturn]] void give_up(const child_plan& child, spawn_trouble::step failed) {
  const spawn_trouble trouble{child.own->rank, errno, failed};
  while (::write(child.plan->trouble_pipe, &trouble, sizeof trouble) < 0 && errno == EINTR) {
  }
  ::_exit(kNotFound);
}

[[noreturn]] void become_rank(const child_plan& child) {
  const spawn_plan& plan = *child.plan;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != child.launcher) ::_exit(1);  // it died before that was set
  ::setpgid(0, 0);
  guardian::announce(plan.guardian_pipe,
                     {plan.secret, ::getpid(), mark_of(child.own->job_descriptor),
                      mark_of(child.out), mark_of(child.err)});
  ::dup2(child.own->input, STDIN_FILENO);
  ::dup2(child.out, STDOUT_FILENO);
  ::dup2(child.err, STDERR_FILENO);
  ::fcntl(child.own->job_descriptor, F_SETFD, 0);
  if (plan.directory_descriptor >= 0) ::fcntl(plan.directory_descriptor, F_SETFD, 0);
  if (child.bound) ::sched_setaffinity(0, sizeof child.cpus, &child.cpus);
  if (::setrlimit(RLIMIT_NOFILE, &plan.open_files) != 0)
    give_up(child, spawn_trouble::step::set_limit);
  plan.signals->restore();
  if (child.own->asks_for_terminal) {  // where it is ignored, reading the terminal is an error
    ::signal(SIGTTIN, SIG_DFL);
    ::signal(SIGTTOU, SIG_DFL);
  }
  ::execve(plan.path.c_str(), child.arguments, child.environment);
  give_up(child, spawn_trouble::step::exec);
}

// The child runs in this process's memory, which stands still until the program takes its place: a
// copy of the launcher would be made and thrown away for each rank. No signal runs a handler in
// between, as the launcher has none.
pid_t start_rank(const child_plan& child) {
  const pid_t pid = ::vfork();
  if (pid == 0) become_rank(child);
  return pid;
}

}  // namespace

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

problem find_program(const std::string& word, std::string& path) {
  if (word.find('/') != word.npos) {
    path = word;
    const int error = executable_error(path);
    return error == 0 ? problem{} : refusal(word, error);
  }
  const char* search = std::getenv("PATH");
  std::istringstream folders(search != nullptr ? search : "/usr/local/bin:/usr/bin:/bin");
  int worst = ENOENT;
  for (std::string folder; std::getline(folders, folder, ':');) {
    path = (folder.empty() ? "." : folder) + "/" + word;
    const int error = executable_error(path);
    if (error == 0) return {};
    if (error == EACCES) worst = error;
  }
  if (worst == ENOENT && executable_error("./" + word) == 0) {
    return {kNotFound,
            text("cannot find the program '%s' in PATH; for the one in this folder write ./%s",
                 word.c_str(), word.c_str())};
  }
  return refusal(word, worst);
}

problem raise_open_files(unsigned ranks, unsigned memory_files, rlimit& before) {
  constexpr rlim_t kOwn = 64;  // the launcher's own files, with room to spare
  const rlim_t needed = 2 * rlim_t{ranks} + memory_files - 1 + kOwn;
  ::getrlimit(RLIMIT_NOFILE, &before);
  rlimit raised = before;
  raised.rlim_cur = raised.rlim_max;
  const rlim_t now = ::setrlimit(RLIMIT_NOFILE, &raised) == 0 ? raised.rlim_cur : before.rlim_cur;
  if (now >= needed) return {};
  return {1, text("%u ranks need %llu open files in the launcher, and the limit is %llu; raise it "
                  "(ulimit -Hn) or start fewer ranks",
                  ranks, static_cast<unsigned long long>(needed),
                  static_cast<unsigned long long>(now))};
}

problem spawn_rank(const spawn_plan& plan, const rank_plan& own, rank_process& started) {
  pipe_pair out, err;
  if (!out.open() || !err.open()) {
    problem refused = out_of_files("make a pipe");
    out.close();
    return refused;
  }
  std::vector<std::string> command = plan.command, environment = plan.environment;
  const auto add = [&environment](const char* name, auto value) {
    environment.push_back(std::string(name) + "=" + std::to_string(value));
  };
  add(job::kEnvRank, own.rank);
  add(job::kEnvNode, own.node);
  add(job::kEnvDescriptor, own.job_descriptor);
  const std::vector<char*> arguments = pointers_to(command), variables = pointers_to(environment);
  const bool bound = !own.cpus.empty() && own.cpus.back() < CPU_SETSIZE;
  child_plan child{&plan, &own, ::getpid(),       out.write_end,   err.write_end,
                   bound, {},   arguments.data(), variables.data()};
  for (const int cpu : own.cpus)
    if (cpu < CPU_SETSIZE) CPU_SET(std::size_t(cpu), &child.cpus);

  const pid_t pid = start_rank(child);
  const int error = errno;
  ::close(std::exchange(out.write_end, -1));
  ::close(std::exchange(err.write_end, -1));
  if (pid > 0) {
    started = {pid, out.read_end, err.read_end};
    return {};
  }
  out.close();
  err.close();
  rlimit processes{};
  ::getrlimit(RLIMIT_NPROC, &processes);
  const std::string limit =
      processes.rlim_cur == RLIM_INFINITY
          ? "unlimited"
          : std::to_string(static_cast<unsigned long long>(processes.rlim_cur));
  return {1,
          text("started only %u ranks: fork: %s; raise the limit of processes (ulimit -u, now %s; "
               "in a container its pids limit), free memory, or start fewer ranks",
               own.rank, errno_text(error).c_str(), limit.c_str())};
}

problem explain(const spawn_trouble& trouble, const spawn_plan& plan) {
  const std::string& word = plan.command[0];
  if (trouble.failed == spawn_trouble::step::set_limit) {
    return {1, text("cannot set the limit of open files for rank %u (setrlimit): %s; does a filter "
                    "of system calls refuse it?",
                    trouble.rank, errno_text(trouble.error).c_str())};
  }
  if (trouble.error == ENOENT) {  // the file was there a moment ago
    return {kNotFound,
            text("cannot execute '%s': the interpreter that it names is not there", word.c_str())};
  }
  return refusal(word, trouble.error);
}

}  // namespace ramjet::launcher
