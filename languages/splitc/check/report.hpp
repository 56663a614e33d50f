// SPDX-License-Identifier: Apache-2.0
// What the checked mode says: on stderr, one message for each finding, in gcc's format, with all
// the sites that it is about.
//
//   FILE:LINE: check: what is wrong
//   FILE:LINE: note: the other site
//
// Threads: the main thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "languages/splitc/check/sites.hpp"

namespace ramjet::splitc::check {

struct remark {
  site at;
  std::string text;
};

// Says it, unless the same was said of the same sites before.
void report(std::initializer_list<remark> remarks);
// Says it, and ends the job.
[[noreturn]] void report_and_end(std::initializer_list<remark> remarks);
// How often this processor has said something.
std::uint64_t reports() noexcept;

std::string counted(std::uint64_t n, const char* what);  // "1 byte", "2 bytes"

}  // namespace ramjet::splitc::check
