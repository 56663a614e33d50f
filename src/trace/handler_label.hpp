// SPDX-License-Identifier: Apache-2.0
// The name of a handler as traces, reports and messages print it.
#pragma once

#include <string>
#include <string_view>

namespace ramjet::trace {

// Takes the registered name of a handler: the compiler's text "... [with auto F = f]", or the name
// that a C program chose. A user's handler gets the name that the user wrote, without the library's
// templates around it and without anonymous namespaces. A handler of the library gets a plain name
// of its purpose ("collective: part of a message"); one that has none is "ramjet: " and its
// unqualified name.
std::string handler_label(std::string_view registered);

}  // namespace ramjet::trace
