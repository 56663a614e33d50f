// SPDX-License-Identifier: Apache-2.0
// What goes to other ranks: words to inlets, fetches and stores, calls of code blocks.
#pragma once

#include <cstdint>
#include <span>

#include "languages/tam/runtime/messages.hpp"
#include "ramjet/tam.h"

namespace ramjet::tam {

void open_remote();

// --- remote_fetch.cpp
void open_remote_fetch();
// While the rank is behind, batched with up to two other fetches to it; leaves with the next of the
// two calls below at the latest.
void fetch_far(tam_array a, tam_word index, tam_name reply, bool takes, const char* site);
void send_waiting_fetches();
void send_waiting_fetches_to(int rank);

void fill_far(tam_array a, tam_word index, tam_word word, const char* site);
// The same for an inlet of another rank: what is fetched goes there.
void fetch_for(tam_array a, tam_word index, tam_name reply, bool takes, const char* site);
void fetch_shared_at(int rank, tam_array a, tam_word index, tam_name reply, const char* site,
                     caller by);
void fill_shared_at(int rank, tam_array a, tam_word index, tam_word word, const char* site,
                    caller by);
void length_far(tam_array a, tam_name reply, const char* site);

void spawn_here(const tam_block* block, std::span<const tam_word> words);

}  // namespace ramjet::tam
