// SPDX-License-Identifier: Apache-2.0
// The verifier: what must hold of a program whose names and types are right, before it is executed.
//
// For every outcome of the switches of a code block:
//  - an inlet that the block names gets one message, or none;
//  - a thread gets as many entries as its count says, or none;
//  - one thread with ffree is executed, and the thread enables nothing of its activation;
//  - a slot is written before it is read, on every way by which the reader is enabled.
// A loop is what lies between its head and an `again` of it. A round of it ends in an `again`, or
// is the last one. What is outside of a loop gets its entries from the last round; what is inside
// gets none from outside, but for the head.
#ifndef TL0_VERIFY_VERIFY_HPP
#define TL0_VERIFY_VERIFY_HPP

#include "languages/support/messages.hpp"
#include "languages/tam/tl0/program/program.hpp"

namespace tl0 {

// Whether nothing is wrong; each wrong thing is reported.
bool verify(const program& p, frontend::messages& report);

// The line, from its first to its last character.
frontend::place place_of(const program& p, const position& where, frontend::messages& report);

}  // namespace tl0

#endif
