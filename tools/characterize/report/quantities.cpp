// SPDX-License-Identifier: Apache-2.0
#include "tools/characterize/report/quantities.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

namespace characterize {

std::string bytes_text(double bytes) {
  const char* const units[] = {"B", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit < 3; ++unit) bytes /= 1024;
  return bytes == std::floor(bytes) || bytes >= 100 ? fmt::format("{:.0f} {}", bytes, units[unit])
                                                    : fmt::format("{:.1f} {}", bytes, units[unit]);
}

std::string ns_text(double ns) {
  if (ns >= 1e6) return fmt::format("{:.2f} ms", ns / 1e6);
  if (ns >= 1e3) return fmt::format("{:.1f} us", ns / 1e3);
  return fmt::format("{:.{}f} ns", ns, ns < 100 ? 1 : 0);
}

}  // namespace characterize
