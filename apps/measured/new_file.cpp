// SPDX-License-Identifier: Apache-2.0
#include "new_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace measured {
namespace {

// --- A name that goes where a signal ends the process --------------------------------------------

constexpr std::array kEndings{SIGINT, SIGTERM, SIGHUP};

// Written while no handler of ours is installed, read by the handler. Empty: there is none.
std::array<char, 4096> name_in_the_way{};

// Calls only what is safe in a handler. The action is the default one again (SA_RESETHAND), and the
// signal is blocked until the handler returns: then it ends the process.
void on_ending(int signal) {
  unlink(name_in_the_way.data());
  raise(signal);
}

// One name at a time. A signal that the program ignores or handles itself stays as it is.
void remove_at_signals(const std::string& name) {
  if (name_in_the_way[0] != '\0' || name.size() >= name_in_the_way.size()) return;
  name.copy(name_in_the_way.data(), name.size());
  for (const int signal : kEndings) {
    struct sigaction now{}, ours{};
    ours.sa_handler = on_ending;
    ours.sa_flags = SA_RESETHAND;
    if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_DFL)
      sigaction(signal, &ours, nullptr);
  }
}

void keep_at_signals(const std::string& name) {
  if (name != name_in_the_way.data()) return;
  for (const int signal : kEndings) {
    struct sigaction now{};
    if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == on_ending)
      std::signal(signal, SIG_DFL);
  }
  name_in_the_way.fill('\0');
}

// --- Paths ---------------------------------------------------------------------------------------

// Where symbolic links lead, which need not be there.
std::string followed(const std::string& path) {
  constexpr int kLinksMax = 40;
  std::filesystem::path at(path);
  std::error_code failed;
  for (int i = 0; i < kLinksMax && std::filesystem::is_symlink(at, failed); ++i)
    at = at.parent_path() / std::filesystem::read_symlink(at, failed);
  return at.string();
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

// What the user's umask leaves of the rights of a new file.
mode_t usual_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

new_file::new_file(const std::string& path, meanwhile how) : path_(followed(path)) {
  struct stat info{};
  in_place_ = stat(path_.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
  if (in_place_)
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  else
    make(how);
  if (descriptor_ < 0) error_ = errno;
}

void new_file::make(meanwhile how) {
  errno = EOPNOTSUPP;
  if (how == meanwhile::nameless)
    descriptor_ = open(folder_of(path_).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  if (descriptor_ >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return;
  std::string name = path_ + ".XXXXXX";
  descriptor_ = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ < 0) return;
  unfinished_ = name;
  remove_at_signals(unfinished_);
}

new_file::~new_file() {
  if (!unfinished_.empty()) {
    unlink(unfinished_.c_str());
    keep_at_signals(unfinished_);
  }
  if (descriptor_ >= 0) close(descriptor_);
}

int new_file::append(const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t n = write(descriptor_, bytes, count);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : ENOSPC;
    bytes += n;
    count -= static_cast<std::size_t>(n);
  }
  return 0;
}

int new_file::finish() { return in_place_ ? 0 : name_it(); }

// link() does not replace a file, rename() does: so the name beside it comes first.
int new_file::name_it() {
  if (unfinished_.empty()) {
    const std::string self = "/proc/self/fd/" + std::to_string(descriptor_);
    const std::string name = path_ + "." + std::to_string(getpid());
    if (linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0)
      return errno;
    unfinished_ = name;
  } else if (fchmod(descriptor_, usual_mode()) != 0) {
    return errno;
  }
  if (std::rename(unfinished_.c_str(), path_.c_str()) != 0) return errno;
  keep_at_signals(unfinished_);
  unfinished_.clear();
  return 0;
}

}  // namespace measured
