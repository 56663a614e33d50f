// SPDX-License-Identifier: Apache-2.0
// The thread-local values of a user-level thread.
#pragma once

#include "ramjet/ult/detail/control.hpp"

namespace ramjet::ult::detail {

// Destroys them, in the reverse order of their making. On the thread that ends.
void end_locals(control* c);

}  // namespace ramjet::ult::detail
