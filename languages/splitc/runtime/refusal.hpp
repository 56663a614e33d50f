// SPDX-License-Identifier: Apache-2.0
// A program that cannot run, as all its ranks see alike.
#pragma once

namespace ramjet::splitc {

// Collective, inside the job: rank 0 prints the sentence, and the job ends.
[[noreturn]] void refuse_program(const char* sentence);

}  // namespace ramjet::splitc
