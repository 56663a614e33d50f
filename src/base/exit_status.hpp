// SPDX-License-Identifier: Apache-2.0
// The exit status of a process that cannot go on in its job, and has said why.
#pragma once

namespace ramjet::base {

inline constexpr int kExitJobLost = 70;  // EX_SOFTWARE
inline constexpr int kExitChecked = 86;  // the checked mode of Split-C has reported something

}  // namespace ramjet::base
