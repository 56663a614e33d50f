// SPDX-License-Identifier: Apache-2.0
// A rank that has work of its own, and lets nothing keep it waiting: neither the start, nor a way
// that is full, nor answers that are slow to come.
//
//   ramjet run -n 2 patience
#include <cstdio>
#include <string>

#include "ramjet/ramjet.hpp"

namespace {

constexpr unsigned kItems = 100'000;
unsigned answered = 0;

void on_answer(ramjet::reply_token) { ++answered; }
void on_item(ramjet::request_token token, unsigned) { ramjet::reply<on_answer>(std::move(token)); }

struct tally {
  unsigned own_work = 0;    // pieces done while the way was full
  unsigned impatience = 0;  // times that the answers were not there in time
};

// Gives every item to `peer`, and works where request() would wait.
bool hand_out(int peer, tally& t) {
  for (unsigned item = 0; item < kItems;) {
    switch (ramjet::try_request<on_item>(peer, item)) {
      case ramjet::status::ok:
        ++item;
        break;
      case ramjet::status::retry:  // nothing was sent; polling makes room in the end
        ++t.own_work;
        ramjet::poll();
        break;
      default:
        return false;
    }
  }
  return true;
}

int work(int peer) {
  tally t;
  if (!hand_out(peer, t)) return 1;
  while (ramjet::wait_for(1, [] { return answered == kItems; }) == ramjet::status::timed_out)
    ++t.impatience;
  std::printf("%u items, %u pieces of own work meanwhile; %u times not all answers in a ms\n",
              answered, t.own_work, t.impatience);

  // A wrong rank ends the process, except by the try_ forms.
  const bool refused = ramjet::try_request<on_item>(ramjet::size(), 0u) == ramjet::status::bad_rank;
  // Nobody will ever send this one.
  const bool gave_up =
      ramjet::wait_for(20, [] { return answered > kItems; }) == ramjet::status::timed_out;
  return answered == kItems && refused && gave_up ? 0 : 1;
}

}  // namespace

int main(int, char**) {
  std::string problem;
  if (ramjet::try_init({}, problem) != ramjet::status::ok) {
    std::fprintf(stderr, "patience: nobody to work with: %s\n", problem.c_str());
    return 1;
  }
  const int result = ramjet::rank() == 0 ? work(ramjet::size() - 1) : 0;
  ramjet::barrier();  // the others serve while they wait here
  ramjet::finalize();
  return result;
}
