// SPDX-License-Identifier: Apache-2.0
#include "keep_inputs.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "byte_source.hpp"
#include "failure.hpp"

namespace kmer {
namespace {

// Whether it is a file that can be replaced or grow, as a terminal cannot.
bool is_file(int error, const struct stat& info) { return error == 0 && S_ISREG(info.st_mode); }

void refuse_same(const std::vector<std::string>& inputs, const struct stat& output,
                 const std::string& name) {
  for (const std::string& path : inputs) {
    const bool piped = path == kStandardInput;
    struct stat info{};
    const int error = piped ? fstat(STDIN_FILENO, &info) : stat(path.c_str(), &info);
    if (!is_file(error, info)) continue;
    if (info.st_dev != output.st_dev || info.st_ino != output.st_ino) continue;
    throw output_error("cannot write " + name + ": it is the same file as the input " +
                       (piped ? "on standard input" : path));
  }
}

}  // namespace

void keep_inputs(const std::vector<std::string>& inputs, const std::string& output) {
  struct stat info{};
  if (!output.empty() && is_file(stat(output.c_str(), &info), info)) {
    refuse_same(inputs, info, output);
  }
  if (is_file(fstat(STDOUT_FILENO, &info), info)) refuse_same(inputs, info, "standard output");
}

}  // namespace kmer
