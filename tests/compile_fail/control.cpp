// expect: success
// SPDX-License-Identifier: Apache-2.0
// Everything that the other files here get wrong, done right.
#include <ramjet/ramjet.hpp>

namespace {

void on_answer(ramjet::reply_token, int) {}
void on_ask(ramjet::request_token token, int key) {
  ramjet::reply<on_answer>(std::move(token), key);
}
void on_block(ramjet::request_token, int, ramjet::payload) {}
void on_row(ramjet::request_token, int, ramjet::deposit) {}
void on_note(int) {}
void on_numbers(short, std::uint8_t, bool, unsigned, long, double, float) {}
void on_places(ramjet::global_ptr<int*>, ramjet::segment_ptr<int>) {}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  ramjet::request<on_ask>(0, 1);
  ramjet::request<on_note>(0, short{1});
  const std::size_t much = 7;
  enum colour { red };
  ramjet::request<on_numbers>(0, 1, 255, 0, -1, much, much, 3);
  ramjet::request<on_numbers>(0, red, 'x', true, red, 5u, 'x', 1.5f);
  ramjet::request<on_note>(much % 3, static_cast<int>(much));
  ramjet::request<on_places>(0, ramjet::global_ptr<int*>(), static_cast<int*>(nullptr));
  ramjet::request_medium<on_block>(0, "block", 5, 1);
  ramjet::request_long<on_row>(0, ramjet::segment_begin(0), "row", 3, 1);
  ramjet::finalize();
}
