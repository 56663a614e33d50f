// SPDX-License-Identifier: Apache-2.0
#include "terminal.hpp"

#include <algorithm>
#include <clocale>
#include <cmath>
#include <cstring>

#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace kmer {

bool unicode_on(int descriptor) {
  if (isatty(descriptor) != 1) return false;
  static const bool utf8 = std::setlocale(LC_CTYPE, "") != nullptr &&
                           std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
  return utf8;
}

int columns_of(int descriptor) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
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
