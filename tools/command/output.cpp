// SPDX-License-Identifier: Apache-2.0
#include "tools/command/output.hpp"

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

bool is_special(const std::string& path) {
  struct stat about{};
  return ::lstat(path.c_str(), &about) == 0 && !S_ISREG(about.st_mode);
}

// What is not yet the whole file.
std::string part_of(const std::string& path) {
  return path + "." + std::to_string(::getpid()) + ".part";
}

int cannot_write(const char* command, const std::string& path, int why) {
  std::fprintf(stderr, "%s: cannot write %s: %s\n", command, path.c_str(), std::strerror(why));
  return 1;
}

// A regular file is written beside, and takes its place when it is whole; 0, or why not.
int write_file(const std::string& path, std::string_view text) {
  std::string name = part_of(path);
  std::FILE* file = is_special(path) ? nullptr : std::fopen(name.c_str(), "wxe");
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
  return why == 0 ? 0 : cannot_write(command, output, why);
}

bool can_write(const char* command, const std::string& output) {
  const std::string name = part_of(output);
  std::FILE* const file = is_special(output) ? nullptr : std::fopen(name.c_str(), "wxe");
  if (file != nullptr) {
    std::fclose(file);
    ::unlink(name.c_str());
    return true;
  }
  const bool is_folder = ::access((output + "/.").c_str(), F_OK) == 0;
  if (!is_folder && ::access(output.c_str(), W_OK) == 0) return true;
  cannot_write(command, output, is_folder ? EISDIR : errno);
  return false;
}

}  // namespace tools
