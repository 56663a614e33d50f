// expect: error: .*(ambiguous|operator=)
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>
//
#include <ramjet/threads.hpp>

#include "names/headers.hpp"
#include "names/uses.hpp"

using namespace std;

void use() { static_cast<void>(exchange(at, 1)); }
