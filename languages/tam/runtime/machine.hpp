// SPDX-License-Identifier: Apache-2.0
// The state of the threaded abstract machine of this rank, besides tam_here, which generated code
// uses. Only the main thread uses it; handlers of messages run in that thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ramjet/tam.h"

namespace ramjet::tam {

struct machine {
  bool open = false;
  int ranks = 1;
  std::uint32_t scheduler = TAM_AM;
  std::vector<const tam_block*> blocks;
  tam_lcv lcv = nullptr;  // the bottom of the local continuation vector
  tam_word* queue_head = nullptr;  // equals tam_here.queue_tail: no message waits
  std::size_t frame_bytes = 0;  // frames lie in the first frame_bytes of tam_here.frames
  char* heap = nullptr;
  std::size_t heap_used = 0;  // arrays lie in the first heap_used bytes of the heap

  bool has_result = false;
  tam_word result[4] = {};
};
extern machine here;

// Ends the process with the line, after this rank's name.
[[noreturn, gnu::format(printf, 1, 2)]] void stop(const char* format, ...) noexcept;

}  // namespace ramjet::tam
