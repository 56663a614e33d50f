// expect: error: call (of overloaded|to) .*sync.* ambiguous
// SPDX-License-Identifier: Apache-2.0
// The C library's sync() is not taken for sync_all().
#include <unistd.h>
#include <ramjet/ramjet.hpp>

using namespace ramjet;

void complete() { sync(); }
