// SPDX-License-Identifier: Apache-2.0
#include "output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tools {
namespace {

bool write_all(std::FILE* file, std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
}

}  // namespace

int print(std::string_view text) {
  if (write_all(stdout, text)) return 0;
  std::fprintf(stderr, "ramjet: cannot write standard output: %s\n", std::strerror(errno));
  return 1;
}

int write_document(const char* command, const pages::document& d, bool as_json,
                   const std::string& output) {
  if (output.empty()) return print(as_json ? pages::json_of(d).dump(1) + "\n" : pages::text_of(d));
  const std::string text = pages::html_of(d);
  std::FILE* file = std::fopen(output.c_str(), "we");
  bool done = file != nullptr && write_all(file, text);
  int why = errno;
  if (file != nullptr && std::fclose(file) != 0 && done) done = false, why = errno;
  if (done) return 0;
  std::fprintf(stderr, "%s: cannot write %s: %s\n", command, output.c_str(), std::strerror(why));
  return 1;
}

}  // namespace tools
