// SPDX-License-Identifier: Apache-2.0
// Running what is ready on this rank.
#pragma once

#include "languages/tam/runtime/machine.hpp"
#include "languages/tam/runtime/polled_elements.hpp"
#include "languages/tam/runtime/waiting.hpp"

namespace ramjet::tam {

// Runs up to `count` quanta or messages, of which it takes off as many as it runs; false if there
// are none left.
bool run_some(unsigned& count);
// Whether something has come since run_some found nothing left.
inline bool work_has_come() noexcept {
  return tam_here.ready != nullptr || here.queue_head != tam_here.queue_tail ||
         (has_waiting() && !holds_loops());
}

}  // namespace ramjet::tam
