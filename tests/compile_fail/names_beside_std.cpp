// expect: success
// SPDX-License-Identifier: Apache-2.0
// With `using namespace std` each name is usable, too, but those that clash.
#include "names/headers.hpp"
//
#include <ramjet/coroutine.hpp>
#include <ramjet/ramjet.hpp>
#include <ramjet/threads.hpp>
#include <ramjet/ult.hpp>

#include "names/uses.hpp"

using namespace std;

#define USES_OR_CLASHES(what, type)
#include "names/uses.inc"
