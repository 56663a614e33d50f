// expect: success
// SPDX-License-Identifier: Apache-2.0
// The same in front of them.
#include <ramjet/ramjet.hpp>
//
#include <ramjet/coroutine.hpp>
#include <ramjet/threads.hpp>
#include <ramjet/ult.hpp>
//
#include "names/headers.hpp"
#include "names/uses.hpp"

#define USES_OR_CLASHES USES
#include "names/uses.inc"
