// SPDX-License-Identifier: Apache-2.0
// Activations that are not started yet, and may be on any rank.
#pragma once

#include <cstdint>

#include "ramjet/tam.h"

namespace ramjet::tam {

struct activation {
  const tam_block* block;
  std::uint32_t count;  // of words
  tam_word words[4];
};

void open_placement();
// On TAM_LEAST_LOADED. In a thread of a frame, or outside all.
void spawn_anywhere(const activation& a);
// Posts a thread that was put aside, if there is room again; else starts the youngest activation of
// those that are left when an idle rank has got its part. False: there is neither.
bool start_pooled();
// To a rank that is idle, if one is.
void give_if_asked();
// This rank has nothing to run: lets others know.
void ask_for_work();
// Nothing is left to run on any rank.
void end_placement();

}  // namespace ramjet::tam
