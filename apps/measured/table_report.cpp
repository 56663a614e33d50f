// SPDX-License-Identifier: Apache-2.0
#include "table_report.hpp"

#include <fmt/format.h>

namespace measured {
namespace {

double per_s(const table_speed& s, double seconds) {
  return static_cast<double>(s.count) / seconds;
}

}  // namespace

std::string speed_text(const table_speed& s) {
  const std::string own = fmt::format("  {:<9}  {:7.2f} M {}/s by a rank\n", s.call,
                                      per_s(s, s.seconds) * 1e-6, s.what);
  if (s.limit_seconds == 0) return own + "  limit      none: the ranks are on several machines\n";
  return own + fmt::format(
                   "  limit      {:7.2f} M {}/s by a rank, {} plain addresses\n"
                   "  ratio      {:7.2f}\n",
                   per_s(s, s.limit_seconds) * 1e-6, s.what, s.limit_how,
                   s.limit_seconds / s.seconds);
}

void add_speed(console::json& object, const table_speed& s) {
  using console::json;
  const bool has_limit = s.limit_seconds != 0;
  const std::string rate = std::string(s.what) + "_per_s";
  object[rate] = per_s(s, s.seconds);
  object["limit_" + rate] = has_limit ? json(per_s(s, s.limit_seconds)) : json();
  object["ratio_to_limit"] = has_limit ? json(s.limit_seconds / s.seconds) : json();
}

}  // namespace measured
