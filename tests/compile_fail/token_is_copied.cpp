// expect: deleted|implicitly
// SPDX-License-Identifier: Apache-2.0
// There is one right to reply, so there is one token.
#include <ramjet/ramjet.hpp>

void on_ask(ramjet::request_token token) { ramjet::request_token second = token; }
