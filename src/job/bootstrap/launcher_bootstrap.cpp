// SPDX-License-Identifier: Apache-2.0
#include "job/bootstrap/launcher_bootstrap.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/system.hpp"
#include "job/bootstrap/directory.hpp"
#include "job/bootstrap/inherited_file.hpp"
#include "job/bootstrap/variables.hpp"

namespace ramjet::job {

namespace {

bool brings_secret(std::uint64_t of_the_board) {
  const char* text = std::getenv(kEnvSecret);
  if (text == nullptr) return false;
  std::uint64_t brought = 0;
  const auto [end, error] = std::from_chars(text, text + std::strlen(text), brought, 16);
  return error == std::errc{} && *end == '\0' && brought == of_the_board;
}

// A file of memory mapped from its start, as long as this lives. Longer than the file on purpose
// where it may still grow.
class mapping {
 public:
  mapping(int descriptor, std::size_t bytes, int access) : bytes_(bytes) {
    memory_ = mmap(nullptr, bytes, access, MAP_SHARED, descriptor, 0);
  }
  ~mapping() {
    if (memory_ != MAP_FAILED) munmap(memory_, bytes_);
  }
  mapping(const mapping&) = delete;
  mapping& operator=(const mapping&) = delete;

  void* memory() const { return memory_ == MAP_FAILED ? nullptr : memory_; }

 private:
  void* memory_;
  std::size_t bytes_;
};

class handed_down final : public bootstrap {
 public:
  const char* name() const noexcept override { return "ramjet run"; }
  status find_identity(identity& into, std::string& message) override;
  status open_object(int& descriptor, std::string& message) override;
  status exchange(const std::string& mine, std::vector<std::string>& all,
                  std::string& message) override;
  status key(job_key& into, std::string& message) override;
  int dead_rank() override {
    if (directory_ == nullptr) return -1;
    return find_dead(static_cast<directory*>(directory_->memory()), ranks_);
  }

 private:
  status read_board(identity& into, std::size_t bytes, std::string& message);
  status open_directory(std::string& message);

  int object_ = -1;
  unsigned rank_ = 0, ranks_ = 0;
  std::unique_ptr<mapping> directory_;  // once exchange() was called
  std::uint32_t round_ = 0;  // of the last exchange
};

// A process that outlives the one that has started it would hold a rank that the launcher takes for
// dead. The kernel watches the parent's thread, though, which may end before its process does.
void end_with_parent() {
  const pid_t parent = getppid();
  struct stat tasks;  // of /proc/PID/task: two links, and one for each thread
  const std::string folder = "/proc/" + std::to_string(parent) + "/task";
  if (stat(folder.c_str(), &tasks) == 0 && tasks.st_nlink > 3) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) raise(SIGKILL);
}

status handed_down::find_identity(identity& into, std::string& message) {
  into.rank = number_from_environment(kEnvRank);
  std::string why;
  object_ = open_inherited_file(kEnvDescriptor, why);
  struct stat info;
  if (into.rank < 0 || object_ < 0 || fstat(object_, &info) != 0) {
    message =
        std::string(kEnvDescriptor) + " and " + kEnvRank + " name no job" + why + "; " + kStartHint;
    return status::environment;
  }
  keep_from_children(kEnvDirectory);
  end_with_parent();
  into.launched = true;
  return read_board(into, std::size_t(info.st_size), message);
}

status handed_down::read_board(identity& into, std::size_t bytes, std::string& message) {
  // The first rank that joins makes the object longer, never shorter.
  const mapping map(object_, board_bytes(kRanksMax), PROT_READ);
  const auto* b = static_cast<const board*>(map.memory());
  if (bytes < kRanksOffset || b == nullptr) {
    message = base::os_error("cannot map the job's board");
    return status::environment;
  }
  if (const char* defect = board_defect(b, bytes)) {
    message = std::string("cannot join the job: ") + defect;
    return status::environment;
  }
  if (!brings_secret(b->secret)) {
    message = std::string(kEnvDescriptor) + " and " + kEnvSecret +
              " are not of one job (was the environment copied from another one?); " + kStartHint;
    return status::environment;
  }
  rank_ = unsigned(into.rank);
  into.ranks = ranks_ = b->ranks;
  const std::uint16_t* nodes = rank_nodes(b, ranks_);
  into.node_of.assign(nodes, nodes + ranks_);
  return status::ok;
}

status handed_down::open_object(int& descriptor, std::string&) {
  descriptor = object_;
  return status::ok;
}

status handed_down::open_directory(std::string& message) {
  std::string why;
  const int descriptor = open_inherited_file(kEnvDirectory, why);
  struct stat info;
  if (descriptor < 0 || fstat(descriptor, &info) != 0) {
    message = std::string(kEnvDirectory) + " names no memory" + why + "; " + kStartHint;
    return status::environment;
  }
  const auto bytes = std::size_t(info.st_size);
  directory_ =
      std::make_unique<mapping>(descriptor, directory_bytes(ranks_), PROT_READ | PROT_WRITE);
  close(descriptor);
  auto* d = static_cast<directory*>(directory_->memory());
  if (bytes < sizeof(directory) || d == nullptr) {
    message = base::os_error("cannot map the job's directory");
    return status::environment;
  }
  if (const char* defect = directory_defect(d, bytes, ranks_)) {
    message = std::string("cannot join the job: ") + kEnvDirectory + ": " + defect;
    return status::environment;
  }
  return status::ok;
}

status handed_down::exchange(const std::string& mine, std::vector<std::string>& all,
                             std::string& message) {
  if (directory_ == nullptr) {
    if (status s = open_directory(message); s != status::ok) return s;
  }
  auto* d = static_cast<directory*>(directory_->memory());
  return exchange_cards(d, rank_, ranks_, ++round_, mine, all, message);
}

status handed_down::key(job_key& into, std::string&) {
  into = static_cast<const directory*>(directory_->memory())->key;
  return status::ok;
}

// A job of one rank, which nobody else can reach.
class alone final : public bootstrap {
 public:
  const char* name() const noexcept override { return "nobody"; }
  status find_identity(identity& into, std::string&) override {
    into.node_of = {0};
    return status::ok;
  }
  status open_object(int& descriptor, std::string& message) override;
  status exchange(const std::string& mine, std::vector<std::string>& all, std::string&) override {
    all = {mine};
    return status::ok;
  }
  status key(job_key& into, std::string&) override {
    into = {};  // nobody uses it
    return status::ok;
  }
};

status alone::open_object(int& descriptor, std::string& message) {
  descriptor = base::open_memory_file();
  if (descriptor < 0 || ftruncate(descriptor, off_t(board_bytes(1))) != 0) {
    message = base::os_error("cannot create shared memory (memfd_create)");
    return status::environment;
  }
  const mapping map(descriptor, board_bytes(1), PROT_READ | PROT_WRITE);
  if (map.memory() == nullptr) {
    message = base::os_error("cannot map shared memory");
    return status::environment;
  }
  // No secret: nobody else has the descriptor.
  format_board(map.memory(), 1, failure_policy::abort, 0);
  return status::ok;
}

}  // namespace

std::string secret_variable(std::uint64_t secret) {
  char text[64];
  std::snprintf(text, sizeof text, "%s=%llx", kEnvSecret, static_cast<unsigned long long>(secret));
  return text;
}

std::unique_ptr<bootstrap> launcher_bootstrap() { return std::make_unique<handed_down>(); }
std::unique_ptr<bootstrap> lone_bootstrap() { return std::make_unique<alone>(); }

}  // namespace ramjet::job
