// SPDX-License-Identifier: Apache-2.0
// The C back end: a program as one unit of C over include/ramjet/tam.h, for any of its schedulers.
#ifndef TL0_EMIT_EMIT_HPP
#define TL0_EMIT_EMIT_HPP

#include <string>

#include "languages/tam/tl0/program/program.hpp"

namespace tl0 {

// Of a verified program. Lines are those of the sources, for debuggers and reports.
std::string emit(const program& p);

}  // namespace tl0

#endif
