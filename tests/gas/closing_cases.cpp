// SPDX-License-Identifier: Apache-2.0
// An endpoint closes when all that it has begun has ended: whoever counts on it need not wait for
// somebody who is gone. Run with four endpoints a rank; nobody polls before everything has been
// begun, so nothing has been answered by then where memory is reached by messages.
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "spmd.hpp"

namespace {

using word = std::uint64_t;

// begin(word of the right neighbour) in a thread with endpoint `index`, which closes at once; then
// after(), in that thread. Meanwhile this rank polls in `meet`.
template <class Begin, class After, class Meet>
void close_after(unsigned index, ramjet::global_ptr<word> there, Begin&& begin, After&& after,
                 Meet&& meet) {
  std::atomic<bool> knows_the_way = false, has_begun = false, ended = false;
  std::thread thread([&] {
    {
      const ramjet::endpoint own(index);
      EXPECT_EQUAL(ramjet::read(there), 0u);
      knows_the_way = true;
      begin(there);
      has_begun = true;
      has_begun.notify_one();
    }
    after();
    ended = true;
  });
  EXPECT_OK(ramjet::wait_until([&] { return knows_the_way.load(); }));
  has_begun.wait(false);
  ::usleep(20'000);
  meet();
  EXPECT_OK(ramjet::wait_until([&] { return ended.load(); }));
  thread.join();
}

bool has_endpoints() { return spmd::given.endpoints > 3; }

ramjet::spread_ptr<word[64]> all_zero() {
  const auto a = ramjet::all_spread_malloc<word[64]>(std::size_t(spmd::size()));
  for (word& w : *(a + spmd::rank()).local()) w = 0;
  EXPECT_OK(ramjet::barrier());
  return a;
}

void increase(word* at) { ++*at; }
word doubled(word value) { return 2 * value; }

}  // namespace

SPMD_CASE(closing, stores_land_though_their_endpoint_closes) {
  if (!has_endpoints()) return spmd::skip("it takes --endpoints=4");
  EXPECT_OK(ramjet::all_store_sync());
  ramjet::reset_store_sync();
  const auto a = all_zero();
  const word* mine = *(a + spmd::rank()).local();
  const std::vector<word> many(32, 5);
  close_after(
      1, a[spmd::right()],
      [&](ramjet::global_ptr<word> there) {
        ramjet::store(there + 1, 7);
        ramjet::bulk_store(there + 2, many.data(), many.size() * sizeof(word));
      },
      [] {},
      [&] {
        EXPECT_OK(ramjet::all_store_sync());
        EXPECT_EQUAL(mine[1], 7u);
        for (unsigned i = 2; i < 34; ++i) EXPECT_EQUAL(mine[i], 5u);
      });
  EXPECT_OK(ramjet::all_store_sync());
  ramjet::all_spread_free(a);
}

SPMD_CASE(closing, what_sync_waits_for_has_ended) {
  if (!has_endpoints()) return spmd::skip("it takes --endpoints=4");
  const auto a = all_zero();
  word got = 1;
  close_after(
      2, a[spmd::right()],
      [&](ramjet::global_ptr<word> there) {
        ramjet::put(there + 1, 7);
        ramjet::add(there + 2, 8);
        EXPECT_OK(ramjet::run_atomic<&increase>(there + 3));
        ramjet::get(&got, there);
      },
      [&] {
        EXPECT_OK(ramjet::sync_all());
        EXPECT_EQUAL(got, 0u);
      },
      [] {});
  EXPECT_OK(ramjet::barrier());
  const word* mine = *(a + spmd::rank()).local();
  EXPECT_EQUAL(mine[1], 7u);
  EXPECT_EQUAL(mine[2], 8u);
  EXPECT_EQUAL(mine[3], 1u);
  EXPECT_OK(ramjet::barrier());
  ramjet::all_spread_free(a);
}

SPMD_CASE(closing, results_are_handed_on) {
  if (!has_endpoints()) return spmd::skip("it takes --endpoints=4");
  const auto a = all_zero();
  word result = 0;
  close_after(
      3, a[spmd::right()],
      [&](ramjet::global_ptr<word>) {
        ramjet::call<&doubled>(spmd::right(), word{21}).then([&](ramjet::status s, word value) {
          EXPECT_OK(s);
          result = value;
        });
      },
      [&] { EXPECT_EQUAL(result, 42u); }, [] {});
  EXPECT_OK(ramjet::barrier());
  ramjet::all_spread_free(a);
}
