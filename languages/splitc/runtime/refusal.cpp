// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/runtime/refusal.hpp"

#include <cstdio>

#include "base/exit_status.hpp"
#include "base/process_label.hpp"
#include "ramjet/ramjet.hpp"

void ramjet::splitc::refuse_program(const char* sentence) {
  if (ramjet::rank() == 0) {
    std::fprintf(stderr, "%s: %s\n", ramjet::base::process_label(), sentence);
    ramjet::end_job(ramjet::base::kExitJobLost);
  }
  static_cast<void>(ramjet::barrier());
  ramjet::end_job(ramjet::base::kExitJobLost);
}
