// SPDX-License-Identifier: Apache-2.0
// Running what is ready on this rank.
#pragma once

namespace ramjet::tam {

// Runs up to `count` quanta or messages; false if there are none left.
bool run_some(unsigned count);
bool work_waits() noexcept;

}  // namespace ramjet::tam
