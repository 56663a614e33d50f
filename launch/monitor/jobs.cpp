// SPDX-License-Identifier: Apache-2.0
#include "launch/monitor/jobs.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <functional>
#include <new>
#include <string_view>
#include <utility>

#include "base/plain.hpp"
#include "launch/monitor/usage.hpp"
#include "report/process_info.hpp"
#include "report/text.hpp"

namespace ramjet::monitor {

namespace {

using node::board;
using node::board_bytes;
using report::text;

// What /proc shows of base::open_memory_file.
constexpr const char* kLinkStart = "/memfd:ramjet-job";
constexpr std::size_t kAlignment = alignof(board);

bool read_all(int fd, std::byte* into, std::size_t bytes) {
  std::size_t have = 0;
  while (have < bytes) {
    const ssize_t got = ::pread(fd, into + have, bytes - have, off_t(have));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    have += std::size_t(got);
  }
  return true;
}

bool is_number(std::string_view word, pid_t& number) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc{} && end == word.data() + word.size() && number > 0;
}

// Calls visit(name) for every entry of the folder; false if it cannot be read.
bool for_each_entry(const std::string& folder, const std::function<void(const char*)>& visit) {
  DIR* const directory = ::opendir(folder.c_str());
  if (directory == nullptr) return false;
  while (const dirent* entry = ::readdir(directory)) visit(entry->d_name);
  ::closedir(directory);
  return true;
}

// The user that owns the process; false if there is none.
bool owner_of(pid_t pid, uid_t& owner) {
  struct stat about{};
  if (::stat(text("/proc/%d", pid).c_str(), &about) != 0) return false;
  owner = about.st_uid;
  return true;
}

// Whether one process has started the other, over others or not.
bool is_ancestor(pid_t ancestor, pid_t pid) {
  constexpr unsigned kGenerationsMax = 64;
  for (unsigned i = 0; i < kGenerationsMax && pid > 1; ++i) {
    pid = report::read_process(pid).parent;
    if (pid == ancestor) return true;
  }
  return false;
}

}  // namespace

open_object::~open_object() { ::close(fd_); }

const char* open_object::refresh() {
  memory_.reset();
  struct stat about{};
  if (::fstat(fd_, &about) != 0 || about.st_size < off_t(node::kRanksOffset))
    return "it is too short";
  const auto bytes =
      std::min(std::size_t(about.st_size), std::size_t(board_bytes(node::kRanksMax)));
  bytes_ = std::make_unique<std::byte[]>(bytes + kAlignment);
  void* start = bytes_.get();
  std::size_t space = bytes + kAlignment;
  board_ = static_cast<board*>(std::align(kAlignment, bytes, start, space));
  if (!read_all(fd_, reinterpret_cast<std::byte*>(board_), bytes)) return "it cannot be read";
  if (const char* defect = node::board_defect(board_, bytes)) return defect;
  const std::uint16_t* nodes = node::rank_nodes(board_, board_->ranks);
  memory_.emplace(fd_, board_, std::span(nodes, board_->ranks), board_->node);
  return nullptr;
}

// Collects the objects that processes hold, and makes jobs of them.
class job_search {
 public:
  // What this process holds. False if that may not be known.
  bool look_at(pid_t pid);
  std::vector<std::unique_ptr<attached_job>> jobs();
  const char* defect() const { return defect_; }  // of an object that is not a job's; nullptr: none

 private:
  struct held {
    dev_t device;
    ino_t inode;
    std::unique_ptr<open_object> object;  // nullptr: of no use
    std::vector<job_process> holders;
  };
  void note(pid_t pid, const std::string& path);

  std::vector<held> found_;
  const char* defect_ = nullptr;
};

bool job_search::look_at(pid_t pid) {
  const std::string folder = text("/proc/%d/fd", pid);
  return for_each_entry(folder, [&](const char* name) {
    char target[64];
    const std::string path = folder + "/" + name;
    const ssize_t length = ::readlink(path.c_str(), target, sizeof target);
    if (length <= 0 || !std::string_view(target, std::size_t(length)).starts_with(kLinkStart))
      return;
    struct stat link{};
    // A process that looks at a job, as this one does, holds its memory for reading only.
    if (::lstat(path.c_str(), &link) != 0 || (link.st_mode & S_IWUSR) == 0) return;
    note(pid, path);
  });
}

void job_search::note(pid_t pid, const std::string& path) {
  struct stat about{};
  if (::stat(path.c_str(), &about) != 0) return;
  const job_process holder{pid, read_usage(pid).started_ticks};
  const auto same = [&about](const held& h) {
    return h.device == about.st_dev && h.inode == about.st_ino;
  };
  auto known = std::find_if(found_.begin(), found_.end(), same);
  if (known == found_.end()) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    auto object = std::make_unique<open_object>(fd);
    if (const char* defect = object->refresh()) {
      defect_ = defect;
      object.reset();
    }
    known = found_.insert(found_.end(), {about.st_dev, about.st_ino, std::move(object), {}});
  }
  if (std::find(known->holders.begin(), known->holders.end(), holder) == known->holders.end())
    known->holders.push_back(holder);
}

std::vector<std::unique_ptr<attached_job>> job_search::jobs() {
  std::vector<std::unique_ptr<attached_job>> jobs;
  for (held& h : found_) {
    if (h.object == nullptr) continue;
    const board& b = h.object->the_board();
    // The nodes that one launcher plays have its secret in common; without one there is one node.
    const auto same = [&b](const std::unique_ptr<attached_job>& job) {
      const board& its = job->objects_.front()->the_board();
      return b.secret != 0 && its.secret == b.secret && its.ranks == b.ranks;
    };
    auto job = std::find_if(jobs.begin(), jobs.end(), same);
    if (job == jobs.end()) job = jobs.insert(jobs.end(), std::make_unique<attached_job>());
    (*job)->ranks_ = b.ranks;
    (*job)->nodes_ = b.nodes;
    for (const job_process& holder : h.holders) (*job)->holders_.push_back(holder);
    (*job)->objects_.push_back(std::move(h.object));
  }
  const auto oldest_first = [](const job_process& a, const job_process& b) {
    return std::pair(a.started_ticks, a.pid) < std::pair(b.started_ticks, b.pid);
  };
  std::erase_if(jobs, [&](const std::unique_ptr<attached_job>& job) {
    std::sort(job->holders_.begin(), job->holders_.end(), oldest_first);
    std::string why;
    return !job->refresh(why);
  });
  std::sort(jobs.begin(), jobs.end(), [&](const auto& a, const auto& b) {
    return oldest_first(a->holders_.front(), b->holders_.front());
  });
  return jobs;
}

bool attached_job::refresh(std::string& why) {
  readable_.memories.assign(nodes_, nullptr);
  for (const std::unique_ptr<open_object>& object : objects_) {
    if (const char* defect = object->refresh()) {
      why = defect;
      return false;
    }
    const board& b = object->the_board();
    const std::uint16_t* nodes = node::rank_nodes(&b, b.ranks);
    if (readable_.node_of.empty()) readable_.node_of.assign(nodes, nodes + b.ranks);
    if (b.ranks != ranks_ || b.nodes != nodes_ ||
        !std::equal(readable_.node_of.begin(), readable_.node_of.end(), nodes, nodes + b.ranks)) {
      why = "its boards do not agree";
      return false;
    }
    readable_.memories[b.node] = &object->memory();
  }
  return true;
}

std::vector<job_process> attached_job::known_processes() const {
  std::vector<job_process> all = holders_;
  for (unsigned r = 0; r < ranks_; ++r) {
    if (!readable_.is_seen(r)) continue;
    const auto pid = pid_t(readable_.line(r).pid.load(std::memory_order_relaxed));
    if (pid > 0) all.push_back({pid, 0});
  }
  return all;
}

std::string attached_job::command() const {
  pid_t pid = id();
  for (unsigned r = ranks_; r-- > 0;) {
    if (!readable_.is_seen(r)) continue;
    const auto of_rank = pid_t(readable_.line(r).pid.load(std::memory_order_relaxed));
    if (of_rank > 0) pid = of_rank;
  }
  std::ifstream file(text("/proc/%d/comm", pid));
  std::string name;
  std::getline(file, name);
  for (char& c : name) c = base::plain(c);
  return name.empty() ? "?" : name;
}

bool attached_job::has(pid_t pid) const {
  const std::vector<job_process> all = known_processes();
  return std::any_of(all.begin(), all.end(), [pid](const job_process& p) { return p.pid == pid; });
}

bool attached_job::descends_from(pid_t pid) const {
  const std::vector<job_process> all = known_processes();
  return std::any_of(all.begin(), all.end(),
                     [pid](const job_process& p) { return is_ancestor(pid, p.pid); });
}

bool attached_job::is_over() const {
  for (const job_process& p : known_processes()) {
    const process_usage now = read_usage(p.pid);
    if (now.lives && (p.started_ticks == 0 || p.started_ticks == now.started_ticks)) return false;
  }
  return true;
}

namespace {

// Looks at all processes of this user.
void search_everywhere(job_search& search) {
  const uid_t me = ::geteuid();
  for_each_entry("/proc", [&](const char* name) {
    pid_t pid = 0;
    uid_t owner = 0;
    if (is_number(name, pid) && owner_of(pid, owner) && owner == me) search.look_at(pid);
  });
}

}  // namespace

std::vector<std::unique_ptr<attached_job>> find_jobs() {
  job_search search;
  search_everywhere(search);
  return search.jobs();
}

std::unique_ptr<attached_job> find_job_of(pid_t pid, std::string& message) {
  uid_t owner = 0;
  if (!owner_of(pid, owner)) {
    message = text("there is no process %d", pid);
    return nullptr;
  }
  if (owner != ::geteuid()) {
    message = text("process %d is another user's (uid %u): only its owner can look at a job", pid,
                   unsigned(owner));
    return nullptr;
  }
  std::vector<std::unique_ptr<attached_job>> jobs = find_jobs(), started;
  for (std::unique_ptr<attached_job>& job : jobs)
    if (job->has(pid)) return std::move(job);
  for (std::unique_ptr<attached_job>& job : jobs)
    if (job->descends_from(pid)) started.push_back(std::move(job));
  if (started.size() == 1) return std::move(started.front());
  if (!started.empty()) {
    message = text("process %d has started %zu jobs; `ramjet top --list` names them", pid,
                   started.size());
    return nullptr;
  }
  job_search its_own;
  its_own.look_at(pid);
  message =
      its_own.defect() == nullptr
          ? text("process %d is of no Ramjet job; `ramjet top --list` names those that run", pid)
          : text("the memory that process %d holds cannot be read as a job's: %s", pid,
                 its_own.defect());
  return nullptr;
}

}  // namespace ramjet::monitor
