// SPDX-License-Identifier: Apache-2.0
// Where output goes: standard output or a file, either of which may be on a full disk.
#pragma once

#include <string>
#include <string_view>

#include "tools/pages/document.hpp"

namespace tools {

// Writes the text. Returns the exit status: 0, or 1 after standard error has said why not all
// of it could be written.
int print(std::string_view text);

// Writes the document to the file as a page of HTML; if `output` is empty, to standard output as
// text or as JSON. Returns the exit status as print does.
int write_document(const char* command, const pages::document& d, bool as_json,
                   const std::string& output);

// Whether the page can be written to the file, before what it shows is measured; else standard
// error says why not. Leaves the file as it is.
bool can_write(const char* command, const std::string& output);

}  // namespace tools
