// SPDX-License-Identifier: Apache-2.0
// Text that somebody else has written, on its way to a terminal or a file.
#pragma once

namespace ramjet::base {

// The character, or '?' for what is no visible one of ASCII: that could steer a terminal.
constexpr char plain(char c) noexcept { return c < ' ' || c > '~' ? '?' : c; }

}  // namespace ramjet::base
