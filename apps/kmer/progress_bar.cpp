// SPDX-License-Identifier: Apache-2.0
#include "progress_bar.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "terminal.hpp"

namespace kmer {
namespace {

using namespace std::chrono_literals;

constexpr auto kSilence = 1s;
constexpr auto kBetween = 100ms;
constexpr const char* kEndOfLine = "\033[K\r";  // what stood here goes; back to the first column
constexpr int kTextColumns = 62;  // what stands beside the bar, at most

}  // namespace

progress_bar::progress_bar(std::uint64_t total_bytes)
    : total_bytes_(total_bytes),
      terminal_(columns_of(STDERR_FILENO) > 0),
      due_(start_ + kSilence) {}

void progress_bar::draw_if_due() {
  const clock::time_point now = clock::now();
  if (now < due_) return;
  due_ = now + kBetween;
  draw(std::chrono::duration<double>(now - start_).count());
}

void progress_bar::begin(const char* what, std::uint64_t total_bytes) {
  what_ = what;
  total_bytes_ = total_bytes;
  done_bytes_ = 0;
  start_ = clock::now();
}

void progress_bar::draw(double seconds) {
  const double done = static_cast<double>(done_bytes_), total = static_cast<double>(total_bytes_);
  std::string line = what_;
  line += ' ';
  if (total_bytes_ != 0) {
    const double part = std::min(1.0, done / total);
    const int width = std::clamp(columns_of(STDERR_FILENO) - kTextColumns, 10, 60);
    line += fmt::format("{} {:3.0f} %  {:.0f} of {:.0f} MB",
                        framed_bar(part, width, unicode_on(STDERR_FILENO)), 100 * part, done * 1e-6,
                        total * 1e-6);
    if (part > 0.02) line += fmt::format("  {:.0f} s left", seconds * (1 - part) / part);
  } else {
    line += fmt::format("{:.0f} MB", done * 1e-6);
  }
  if (seconds > 0) line += fmt::format("  {:.0f} MB/s", done * 1e-6 / seconds);
  line += kEndOfLine;
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

void progress_bar::clear() {
  if (!drawn_) return;
  std::fputs(kEndOfLine, stderr);
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace kmer
