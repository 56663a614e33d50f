// SPDX-License-Identifier: Apache-2.0
// Whether what was measured is good enough to become this machine's profile.
#pragma once

#include <string>

namespace characterize {

// How choices were measured.
struct conditions {
  double drift = 1;  // of the machine's paces the slowest over the fastest
  // The share of the time for which a rank that has a core to itself was ready and did not run,
  // because other programs had its core.
  double lost = 0;
};

// Ways that are compared take turns, so a slow change of the machine affects all of them alike.
// Most of the ways differ by less than a factor of two. A pace that changes by more hides the
// differences, or they hold for one of the paces alone.
inline constexpr double kKeptDriftMax = 2;
// The lower quartile of the samples counts. It is undisturbed where a quarter of the samples is.
// Two ranks that each lose a quarter of their time both run for at least half of it.
inline constexpr double kKeptLostMax = 0.25;

// Empty: it may be kept. Otherwise why not, as the end of "the profile is not kept: ".
std::string why_not_kept(const conditions& measured);

}  // namespace characterize
