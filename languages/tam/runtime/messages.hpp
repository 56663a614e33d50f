// SPDX-License-Identifier: Apache-2.0
// Words that are sent to inlets. The main thread's; handlers run in it.
#pragma once

#include <span>

#include "languages/tam/runtime/machine.hpp"
#include "ramjet/tam.h"

namespace ramjet::tam {

// What sends: handlers may not wait.
enum class caller { thread, handler };
// To the inlet `to` of any rank; at most four words.
void send(tam_name to, std::span<const tam_word> words, caller by);
// To an inlet of this rank, as its scheduler does it. From other ranks: the name is checked.
void deliver(tam_name to, std::span<const tam_word> words);
// The same for a name that this rank made.
void deliver_own(tam_name to, std::span<const tam_word> words);
inline void deliver_word(tam_name to, tam_word word) {
  tam_frame* f = tam_frame_of(to);
  const tam_inlet inlet = tam_entries(f->block)[tam_inlet_of(to)];
  if (here.scheduler == TAM_AM || here.scheduler == TAM_HYBRID)
    inlet(f, nullptr, word, 0, 0, 0);  // nothing runs before the handler has ended
  else
    tam_enqueue(inlet, f, 1, word, 0, 0, 0);
}

}  // namespace ramjet::tam
