// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/inputs.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace console {
namespace {

// A device, such as a terminal, loses nothing.
std::optional<std::string> find(const struct stat& written,
                                const std::vector<std::string>& inputs) {
  if (!S_ISREG(written.st_mode)) return std::nullopt;
  for (const std::string& name : inputs) {
    struct stat read{};
    const int failed = name == "-" ? ::fstat(STDIN_FILENO, &read) : ::stat(name.c_str(), &read);
    if (failed == 0 && read.st_dev == written.st_dev && read.st_ino == written.st_ino) return name;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> input_that_is(const std::string& output,
                                         const std::vector<std::string>& inputs) {
  struct stat written{};
  if (::stat(output.c_str(), &written) != 0) return std::nullopt;
  return find(written, inputs);
}

std::optional<std::string> input_on_standard_output(const std::vector<std::string>& inputs) {
  struct stat written{};
  if (::fstat(STDOUT_FILENO, &written) != 0) return std::nullopt;
  return find(written, inputs);
}

}  // namespace console
