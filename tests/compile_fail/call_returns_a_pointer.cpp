// expect: an argument or the result of a call is an address
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

int* find(int) { return nullptr; }

int* ask() { return ramjet::call<find>(0, 1).get(); }
