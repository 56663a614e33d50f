// expect: an aggregated handler takes no request_token
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_add(ramjet::request_token, int) {}
template <>
inline constexpr bool ramjet::aggregated<&on_add> = true;

void send() { ramjet::request<&on_add>(0, 1); }
