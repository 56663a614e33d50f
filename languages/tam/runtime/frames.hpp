// SPDX-License-Identifier: Apache-2.0
// The memory of frames, and the checks of their names. The main thread's.
#pragma once

#include <cstddef>

#include "languages/tam/runtime/machine.hpp"
#include "ramjet/tam.h"

namespace ramjet::tam {

inline constexpr std::size_t kLcvEntries = 1 << 20;
void open_frames();
void close_frames() noexcept;
std::size_t physical_bytes() noexcept;
// Reserves `bytes` of address space, or less if not available, and sets `bytes` to what it got;
// memory is taken as it is touched. The process ends if there is none.
char* reserve(std::size_t& bytes, const char* what);
// Calls f(frame, with) for each frame that is not free. No thread runs.
void each_frame(void (*f)(const tam_frame*, void*), void* with);
// Says what is wrong with the destination of a message, and ends the process.
[[noreturn, gnu::cold]] void refuse_destination(tam_name to) noexcept;
// This rank's frame of that name, whose inlet there is; else the process ends.
inline tam_frame* checked_frame(tam_name to) {
  const tam_name offset = to & (TAM_INLET_UNIT - 1);
  tam_frame* f = tam_frame_of(to);
  if (!tam_is_own(to) || offset >= here.frame_bytes || offset % TAM_FRAME_UNIT != 0 ||
      f->block == nullptr || tam_inlet_of(to) >= f->block->inlet_count) [[unlikely]]
    refuse_destination(to);
  return f;
}

}  // namespace ramjet::tam
