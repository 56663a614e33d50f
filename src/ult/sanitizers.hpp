// SPDX-License-Identifier: Apache-2.0
// What the sanitizers learn about stacks. Nothing, where none is in use.
#pragma once

#include "ramjet/ult/detail/control.hpp"

namespace ramjet::ult::detail {

void* make_fiber();
void* current_fiber();
// The stack's frames were left without returning.
void forget_frames(control* c) noexcept;
// First thing on a stack that was switched to for the first time.
void arrived() noexcept;

}  // namespace ramjet::ult::detail
