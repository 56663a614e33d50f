// SPDX-License-Identifier: Apache-2.0
// The places of rank_that_dies.cpp: what a job does when one of its ranks dies.
#pragma once

#include <span>

#include "ramjet/ramjet.hpp"

// Does something over and over until a call says how it ended.
struct place {
  const char* name;
  ramjet::status (*stay)();
};

int victim();      // the rank that is to die
bool is_victim();  // whether it is this one

// gas_places.cpp
std::span<const place> gas_places();
// thread_places.cpp
std::span<const place> thread_places();
