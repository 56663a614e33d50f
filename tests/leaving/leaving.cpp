// SPDX-License-Identifier: Apache-2.0
// finalize delivers: what was sent or chained before it is handled, on every rank, by every rank's
// return from it. A future outlives the endpoint that its call was made on.
#include <cstdio>
#include <thread>

#include "ramjet/ramjet.hpp"

namespace {

constexpr unsigned kRequests = 700;
constexpr unsigned kChains = 20'000;  // far more than the way holds
unsigned requests, chains, relayed;

void on_request(unsigned) { ++requests; }
void on_relay() { ++relayed; }
void on_chain(int back_to) {
  ++chains;
  if (chains % 16 == 0) (void)ramjet::chain<on_relay>(back_to);
}
int add(int a, int b) { return a + b; }

bool check(bool holds, const char* what) {
  if (!holds) std::fprintf(stderr, "leaving: %s\n", what);
  return holds;
}

// A future of an endpoint that is gone: it may be dropped, and says that its call has failed.
bool futures_outlive_endpoints() {
  ramjet::future<int> unanswered;
  std::thread worker([&] {
    ramjet::endpoint e(1);
    unanswered = ramjet::call<add>(ramjet::rank(), 1, 2);  // whose main thread is in join()
  });
  worker.join();
  return check(unanswered.valid() && unanswered.ready(), "a lost call has not ended") &&
         check(unanswered.wait() == ramjet::status::peer_failed, "a lost call ended well");
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::options options;
  options.endpoints = 2;
  ramjet::init(argc, argv, options);
  bool right = futures_outlive_endpoints();
  const auto n = unsigned(ramjet::size()), me = unsigned(ramjet::rank());
  const int next = int((me + 1) % n);
  ramjet::future<int> kept = ramjet::call<add>(next, 40, 2);
  right &= check(kept.get() == 42, "a call has the wrong result");
  for (unsigned i = 0; i < kRequests; ++i) (void)ramjet::request<on_request>(int(i % n), i);
  for (unsigned i = 0; i < kChains; ++i) (void)ramjet::chain<on_chain>(next, ramjet::rank());
  ramjet::finalize();
  const unsigned from_each = (kRequests - me + n - 1) / n;
  right &= check(requests == from_each * n, "finalize lost requests");
  right &= check(chains == kChains, "finalize lost chained messages");
  right &= check(relayed == kChains / 16, "finalize lost what handlers chained");
  return right ? 0 : 1;  // and the future `kept` goes after its engine
}
