// SPDX-License-Identifier: Apache-2.0
#include "tools/characterize/choices/keeping.hpp"

#include <fmt/format.h>

namespace characterize {

std::string why_not_kept(const conditions& measured) {
  if (measured.lost > kKeptLostMax)
    return fmt::format(
        "other programs took {:.0f} % of the ranks' processor time meanwhile, and {:.0f} % is the "
        "limit",
        100 * measured.lost, 100 * kKeptLostMax);
  if (measured.drift > kKeptDriftMax)
    return fmt::format(
        "the machine's pace changed by {:.0f} % meanwhile, and {:.0f} % is the limit",
        100 * (measured.drift - 1), 100 * (kKeptDriftMax - 1));
  return "";
}

}  // namespace characterize
