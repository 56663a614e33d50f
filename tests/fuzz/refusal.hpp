// SPDX-License-Identifier: Apache-2.0
// Ramjet ends the process when bytes of another process make no sense: loudly, and with a name. For
// a fuzz target that is the right answer, not a finding. Here those ends jump back to the target.
//
// CMakeLists.txt links every target with --wrap for check_failed and die. The jump leaves handlers'
// frames behind, and what they held: leak detection is off.
#pragma once

#include <csetjmp>

namespace fuzz {

extern std::jmp_buf refused;
extern bool may_refuse;  // false: a refusal is a finding

// Runs the attempt; false if Ramjet refused it.
template <class Attempt>
bool tolerate(Attempt&& attempt) {
  if (setjmp(refused) != 0) {
    may_refuse = false;
    return false;
  }
  may_refuse = true;
  attempt();
  may_refuse = false;
  return true;
}

}  // namespace fuzz
