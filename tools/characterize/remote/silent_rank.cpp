// SPDX-License-Identifier: Apache-2.0
#include "tools/characterize/remote/silent_rank.hpp"

#include <stdexcept>

#include "ramjet/ramjet.hpp"
#include "tools/characterize/stopwatch.hpp"

namespace characterize {
namespace {

using console::json;

constexpr unsigned kEchoes = 1000;  // of a sample
constexpr unsigned kItemsInRow = 20'000;
constexpr unsigned kPolls = 20'000;
constexpr unsigned kTriesOfPolls = 100;

// Of this rank; handlers write it.
struct {
  std::uint64_t echoes = 0;  // rank 0
  bool is_over = false;
} heard;

void on_echo(ramjet::reply_token) { ++heard.echoes; }
void on_question(ramjet::request_token t) { ramjet::reply<on_echo>(std::move(t)); }
void on_item() {}
void on_end() { heard.is_over = true; }
int rank_here() { return ramjet::rank(); }

// All polls are written out: how soon a wait sleeps depends on how many ranks the node has.
void ask() {
  const std::uint64_t due = heard.echoes + 1;
  ramjet::request<on_question>(1);
  while (heard.echoes < due) ramjet::poll();
}

double echo_sample() {
  const stopwatch time;
  for (unsigned i = 0; i < kEchoes; ++i) ask();
  return time.ns() / kEchoes;
}

// The question comes behind the row: its answer says that all of it was handled.
double row_sample() {
  const stopwatch time;
  for (unsigned i = 0; i < kItemsInRow; ++i) ramjet::request<on_item>(1);
  ask();
  return time.ns() / kItemsInRow;
}

// Polls that found a message were not idle, and are made again.
double poll_sample() {
  for (unsigned i = 0; i < kTriesOfPolls; ++i) {
    unsigned handled = 0;
    const stopwatch time;
    for (unsigned j = 0; j < kPolls; ++j) handled += ramjet::poll();
    const double ns = time.ns() / kPolls;
    if (handled == 0) return ns;
  }
  throw std::runtime_error("polls find messages that nobody sends");
}

beside_silent_rank probe_pair(const patience& each) {
  beside_silent_rank r;
  poll_sample();  // to warm up
  r.round_trip_ns = measure(echo_sample, each).median;
  r.gap_ns = measure(row_sample, each).median;
  poll_sample();
  r.poll_ns = measure(poll_sample, each).median;
  return r;
}

}  // namespace

beside_silent_rank probe_beside_silent_rank(const patience& each) {
  if (ramjet::node_of(1) != ramjet::node_of(0)) throw std::runtime_error("ranks 0, 1 are apart");
  // The silent one has talked with both: what leads to it is open.
  if (ramjet::rank() != 2) ramjet::call<rank_here>(2).get();
  ramjet::barrier();
  beside_silent_rank r;
  if (ramjet::rank() == 0) {
    r = probe_pair(each);
    for (const int other : {1, 2}) ramjet::request<on_end>(other);
  } else if (ramjet::rank() == 1) {
    while (!heard.is_over) ramjet::poll();
  } else {
    ramjet::wait_until([] { return heard.is_over; }, "characterize: the end");
  }
  return r;
}

json as_json(const beside_silent_rank& r) {
  return {{"round_trip_ns", r.round_trip_ns}, {"gap_ns", r.gap_ns}, {"poll_ns", r.poll_ns}};
}

beside_silent_rank beside_silent_rank_of(const json& j) {
  return {.round_trip_ns = j.at("round_trip_ns").as_double(),
          .gap_ns = j.at("gap_ns").as_double(),
          .poll_ns = j.at("poll_ns").as_double()};
}

}  // namespace characterize
