// expect: the keys and values of a hash_table are trivially copyable
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

#include <string>

ramjet::hash_table<std::string, int> table;
