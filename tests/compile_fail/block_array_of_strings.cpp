// expect: the elements of a block_array are trivially copyable
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

#include <string>

ramjet::block_array<std::string> array;
