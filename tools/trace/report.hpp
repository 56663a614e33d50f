// SPDX-License-Identifier: Apache-2.0
// What a document says of a trace.
#pragma once

#include <string>
#include <vector>

#include "tools/pages/document.hpp"

namespace traces {

// The sections of a trace; those of several ones on a page share what a page holds. Throws
// bad_trace.
std::vector<pages::section> sections_of(const std::string& path, std::size_t traces_on_page);

}  // namespace traces
