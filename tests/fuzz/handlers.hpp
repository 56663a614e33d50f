// SPDX-License-Identifier: Apache-2.0
// Handlers of every shape, for the fuzz targets. Each reads every byte it is given.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ramjet/ramjet.hpp"

namespace fuzz {

struct eight_words {
  std::array<std::uint64_t, 7> values;
};
struct large {
  std::array<std::uint8_t, 1000> values;
};  // does not fit a record

void on_answer(ramjet::reply_token t, std::uint64_t value);
void on_answer_none(ramjet::reply_token t);
void on_answer_large(ramjet::reply_token t, large values);
void on_answer_medium(ramjet::reply_token t, std::uint32_t i, ramjet::payload p);
void on_answer_long(ramjet::reply_token t, std::uint32_t i, ramjet::deposit d);

void on_none();
void on_short(ramjet::request_token t, std::uint64_t value);
void on_line(ramjet::request_token t, eight_words values);
void on_large(ramjet::request_token t, large values);
void on_medium(ramjet::request_token t, std::uint32_t i, ramjet::payload p);
void on_medium_quiet(ramjet::payload p);
void on_long(ramjet::request_token t, std::uint32_t i, ramjet::deposit d);
std::uint64_t add(std::uint64_t a, std::uint32_t b);

// C handlers, which take any number of words; before the job is joined.
void register_c_handlers();

// Keeps the reading of bytes in the program.
void look_at(const void* bytes, std::size_t count);

}  // namespace fuzz
