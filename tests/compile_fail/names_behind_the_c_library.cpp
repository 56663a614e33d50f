// expect: success
// SPDX-License-Identifier: Apache-2.0
// Each public name means what it says behind the headers of the C library and of std.
#include "names/headers.hpp"
//
#include <ramjet/coroutine.hpp>
#include <ramjet/ramjet.hpp>
#include <ramjet/threads.hpp>
#include <ramjet/ult.hpp>

#include "names/uses.hpp"

#define USES_OR_CLASHES USES
#include "names/uses.inc"
