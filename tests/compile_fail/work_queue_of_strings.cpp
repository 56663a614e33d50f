// expect: the items of a work_queue are trivially copyable
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

#include <string>

ramjet::work_queue<std::string> queue;
