// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace console {
namespace {

class descriptor {
 public:
  explicit descriptor(const std::string& name)
      : fd_(name == "-" ? ::dup(STDIN_FILENO) : ::open(name.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;

  int number() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

std::optional<std::string> text_of_file(const std::string& name, std::string& problem) {
  const auto fail = [&](const std::string& what) {
    problem = what;
    return std::nullopt;
  };
  const auto cannot = [&] { return fail("cannot read " + name + ": " + std::strerror(errno)); };
  const std::string too_large = name + " is too large: more than 16 MiB";
  const descriptor file(name);
  struct stat about{};
  if (file.number() < 0 || ::fstat(file.number(), &about) != 0) return cannot();
  if (S_ISDIR(about.st_mode)) return fail(name + " is a folder: name the files in it");
  if (S_ISREG(about.st_mode) && about.st_size > off_t(kTextBytesMax)) return fail(too_large);
  std::string text;
  char part[1 << 16];
  while (text.size() <= kTextBytesMax) {
    const ssize_t got = ::read(file.number(), part, sizeof part);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot();
    if (got == 0) return text;
    text.append(part, std::size_t(got));
  }
  return fail(too_large);
}

}  // namespace console
