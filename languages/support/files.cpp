// SPDX-License-Identifier: Apache-2.0
#include "languages/support/files.hpp"

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

constexpr std::size_t kTextBytesMax = 256 << 20;  // what does not end, such as /dev/zero

std::string all_of(std::FILE* file, const std::string& name) {
  std::string text;
  char block[65536];
  while (const std::size_t got = std::fread(block, 1, sizeof block, file)) {
    text.append(block, got);
    if (text.size() > kTextBytesMax) throw failure(name + " is over 256 MiB");
  }
  if (std::ferror(file)) fail(name + " cannot be read");
  return text;
}

bool is_folder(const std::string& name) {
  struct stat about{};
  return stat(name.c_str(), &about) == 0 && S_ISDIR(about.st_mode);
}

void remove_regular(const std::string& name) {
  std::error_code regular;
  if (std::filesystem::is_regular_file(name, regular)) unlink(name.c_str());
}

constexpr std::size_t kBufferBytes = 64 * 1024;  // pieces may be short

}  // namespace

std::string read_file(const std::string& name) {
  check_readable(name);
  const open_file file(std::fopen(name.c_str(), "rb"));
  if (!file) fail(name + " cannot be read");
  return all_of(file.get(), name);
}

std::string read_standard_input() { return all_of(stdin, "standard input"); }

void write_file(const std::string& name, std::string_view text) {
  output_file file(name);
  file.put(text);
  file.close();
}

output_file::output_file(std::string name)
    : name_(std::move(name)), file_(name_ == "-" ? stdout : std::fopen(name_.c_str(), "wb")) {
  if (!file_) fail(name_ + " cannot be written");
  if (file_ != stdout) std::setvbuf(file_, nullptr, _IOFBF, kBufferBytes);
}

output_file::~output_file() {
  if (!file_ || file_ == stdout) return;
  std::fclose(file_);
  remove_regular(name_);
}

void output_file::put(std::string_view piece) {
  if (std::fwrite(piece.data(), 1, piece.size(), file_) != piece.size()) fail_to_write();
}

void output_file::close() {
  if (std::fflush(file_) != 0) fail_to_write();
  if (file_ != stdout && std::fclose(file_) != 0) {
    file_ = nullptr;
    const int wrong = errno;
    remove_regular(name_);
    errno = wrong;
    fail(name_ + " cannot be written");
  }
  file_ = nullptr;
}

// What is there of it is removed by the destructor.
void output_file::fail_to_write() {
  fail(file_ == stdout ? "standard output cannot be written" : name_ + " cannot be written");
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

// Devices, such as /dev/null, lose nothing.
void check_source_stays(const std::string& source, const std::string& output) {
  if (source == "-" || output == "-") return;
  struct stat from{}, to{};
  if (stat(source.c_str(), &from) != 0 || stat(output.c_str(), &to) != 0) return;
  if (S_ISREG(from.st_mode) && from.st_dev == to.st_dev && from.st_ino == to.st_ino)
    throw failure("the output " + output + " would overwrite the source");
}

}  // namespace frontend
