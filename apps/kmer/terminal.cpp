// SPDX-License-Identifier: Apache-2.0
#include "terminal.hpp"

#include <algorithm>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace kmer {

namespace {

constexpr int kUsualColumns = 80;

int columns_said_by_launcher(int descriptor) {
  const char* said =
      std::getenv(descriptor == STDOUT_FILENO ? "RAMJET_STDOUT_COLUMNS" : "RAMJET_STDERR_COLUMNS");
  return said == nullptr ? 0 : std::max(0, std::atoi(said));
}

}  // namespace

int columns_of(int descriptor) {
  if (isatty(descriptor) != 1) return columns_said_by_launcher(descriptor);
  winsize size{};
  const bool known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col != 0;
  return known ? size.ws_col : kUsualColumns;
}

bool unicode_on(int descriptor) {
  static const bool utf8 =
      std::setlocale(LC_CTYPE, "") != nullptr && std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
  return utf8 && columns_of(descriptor) != 0;
}

std::string bar_of(double part, int width, bool unicode) {
  static constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!(part > 0)) return {};
  if (!unicode) {
    const long columns = std::lround(part * width);
    return std::string(static_cast<std::size_t>(std::max(1L, columns)), '#');
  }
  const long eighths = std::max(1L, std::lround(part * width * 8));
  std::string bar;
  for (long i = 0; i < eighths / 8; ++i) bar += "█";
  return bar + kEighths[eighths % 8];
}

std::string framed_bar(double part, int width, bool unicode) {
  const int inside = width - 2;
  const auto full = static_cast<int>(part * inside);
  std::string bar(unicode ? "▕" : "[");
  for (int i = 0; i < inside; ++i) bar += i < full ? (unicode ? "█" : "#") : unicode ? "░" : ".";
  return bar + (unicode ? "▏" : "]");
}

}  // namespace kmer
