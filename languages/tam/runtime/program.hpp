// SPDX-License-Identifier: Apache-2.0
// The frame outside all code blocks, which takes a program's result.
#pragma once

#include "ramjet/tam.h"

namespace ramjet::tam {

extern const tam_block* const root_block;

}  // namespace ramjet::tam
