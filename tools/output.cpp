// SPDX-License-Identifier: Apache-2.0
#include "output.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tools {
namespace {

bool write_all(std::FILE* file, std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
}

// A regular file is written beside, and takes its place when it is whole; 0, or why not.
int write_file(const std::string& path, std::string_view text) {
  struct stat about {};
  const bool is_special = ::lstat(path.c_str(), &about) == 0 && !S_ISREG(about.st_mode);
  std::string name = path + "." + std::to_string(::getpid()) + ".part";
  std::FILE* file = is_special ? nullptr : std::fopen(name.c_str(), "wxe");
  if (file == nullptr) {  // a pipe, a link, or no file may be made there
    name = path;
    file = std::fopen(path.c_str(), "we");
  }
  if (file == nullptr) return errno;
  int why = write_all(file, text) ? 0 : errno;
  if (std::fclose(file) != 0 && why == 0) why = errno;
  if (name == path) return why;
  if (why == 0 && std::rename(name.c_str(), path.c_str()) != 0) why = errno;
  if (why != 0) ::unlink(name.c_str());
  return why;
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
  const int why = write_file(output, pages::html_of(d));
  if (why == 0) return 0;
  std::fprintf(stderr, "%s: cannot write %s: %s\n", command, output.c_str(), std::strerror(why));
  return 1;
}

}  // namespace tools
