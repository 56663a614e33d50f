// SPDX-License-Identifier: Apache-2.0
// What goes to other ranks: words to inlets, fetches and stores, calls of code blocks; and the
// order of a job: how many ranks there are, and when all of them have nothing left to run.
#pragma once

#include "ramjet/tam.h"

namespace ramjet::tam {

void open_remote();

void fetch_far(tam_array a, tam_word index, tam_name reply, bool takes, const char* site);
void fill_far(tam_array a, tam_word index, tam_word word, const char* site);
void length_far(tam_array a, tam_name reply, const char* site);

// Runs until no rank has anything left to run. Collective.
void run_on_all_ranks();

}  // namespace ramjet::tam
