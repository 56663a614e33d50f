// SPDX-License-Identifier: Apache-2.0
#include "frontend/files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace frontend {
namespace {

struct closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using open_file = std::unique_ptr<std::FILE, closer>;

[[noreturn]] void fail(const std::string& what) {
  throw failure(what + ": " + std::strerror(errno));
}

std::string all_of(std::FILE* file, const std::string& name) {
  std::string text;
  char block[65536];
  while (const std::size_t got = std::fread(block, 1, sizeof block, file)) text.append(block, got);
  if (std::ferror(file)) fail(name + " cannot be read");
  return text;
}

bool is_folder(const std::string& name) {
  struct stat about{};
  return stat(name.c_str(), &about) == 0 && S_ISDIR(about.st_mode);
}

void write_to_output(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    fail("standard output cannot be written");
}

}  // namespace

std::string read_file(const std::string& name) {
  check_readable(name);
  const open_file file(std::fopen(name.c_str(), "rb"));
  if (!file) fail(name + " cannot be read");
  return all_of(file.get(), name);
}

std::string read_standard_input() { return all_of(stdin, "standard input"); }

void write_file(const std::string& name, std::string_view text) {
  if (name == "-") return write_to_output(text);
  open_file file(std::fopen(name.c_str(), "wb"));
  if (!file) fail(name + " cannot be written");
  const bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
  if (std::fclose(file.release()) == 0 && written) return;
  const int wrong = errno;
  std::error_code regular;
  if (std::filesystem::is_regular_file(name, regular)) unlink(name.c_str());
  errno = wrong;
  fail(name + " cannot be written");
}

void check_readable(const std::string& name) {
  if (is_folder(name)) throw failure(name + " cannot be read: it is a folder");
  if (access(name.c_str(), R_OK) != 0) fail(name + " cannot be read");
}

void check_writable(const std::string& name) {
  if (name == "-") return;
  if (is_folder(name)) throw failure(name + " cannot be written: it is a folder");
  if (access(name.c_str(), F_OK) == 0) {
    if (access(name.c_str(), W_OK) != 0) fail(name + " cannot be written");
    return;
  }
  const std::string folder = std::filesystem::path(name).parent_path().string();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK) != 0) fail(name + " cannot be written");
}

}  // namespace frontend
