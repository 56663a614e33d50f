// SPDX-License-Identifier: Apache-2.0
// The forms that never wait: back-pressure and misuse as values, and nothing is sent with them.
#include <cstdlib>
#include <string_view>
#include <vector>

#include "spmd.hpp"

namespace {

using ramjet::status;
using word = std::uint64_t;

word counted, counted_medium, counted_long;
void on_count() { ++counted; }
void on_count_medium(ramjet::payload) { ++counted_medium; }
void on_count_long(ramjet::deposit d) {
  EXPECT_EQUAL(spmd::first_wrong(d.bytes, d.count, 3), d.count);
  ++counted_long;
}

bool let_go;
void on_let_go() { let_go = true; }

}  // namespace

// Into the lane of a rank that does not poll: room for many, then retry; what was accepted arrives,
// what was refused does not.
SPMD_CASE(trying, retry_when_the_way_is_full) {
  const int to = spmd::right();
  word sent = 0, refused = 0;
  while (refused < 10) {
    const status s = ramjet::try_request<on_count>(to);
    EXPECT(s == status::ok || s == status::retry);
    ++(s == status::ok ? sent : refused);
    EXPECT(sent < 100'000'000);
  }
  EXPECT(sent >= 60);
  // A short message goes through its ring alone; a payload has a ring of its own, but its record
  // needs the first.
  EXPECT(ramjet::try_request_medium<on_count_medium>(to, &sent, sizeof sent) == status::retry);
  const word left_sent = sent;
  if (spmd::size() == 1) {
    EXPECT_OK(ramjet::wait_until([=] { return counted == left_sent; }));
  } else {
    EXPECT_OK(ramjet::request<on_let_go>((spmd::rank() + 1) % spmd::size()));
    EXPECT_OK(ramjet::wait_until([] { return let_go; }));
  }
  word all = sent;
  EXPECT_OK(ramjet::quiesce());
  word handled = counted;
  EXPECT_OK(ramjet::all_reduce(all, [](word a, word b) { return a + b; }));
  EXPECT_OK(ramjet::all_reduce(handled, [](word a, word b) { return a + b; }));
  EXPECT_EQUAL(all, handled);
  EXPECT_EQUAL(counted_medium, 0u);
}

// The payload ring fills before the record ring does; after some polling it has room again.
SPMD_CASE(trying, retry_when_payloads_fill_their_ring) {
  const word before = counted_medium;  // of the case before; a neighbour may send at once
  EXPECT_OK(ramjet::barrier());
  std::vector<std::byte> data(ramjet::medium_bytes_max);
  const int to = spmd::right();
  // The first waits: credit for what was sent before may yet be on its way.
  EXPECT_OK(ramjet::request_medium<on_count_medium>(to, data.data(), data.size()));
  word sent = 1;
  while (ramjet::try_request_medium<on_count_medium>(to, data.data(), data.size()) == status::ok) {
    ++sent;
    EXPECT(sent < 1'000'000);
  }
  status s = status::retry;
  EXPECT_OK(ramjet::wait_until([&] {
    if (s != status::ok) s = ramjet::try_request_medium<on_count_medium>(to, data.data(), 5000);
    return s == status::ok;
  }));
  EXPECT_OK(ramjet::quiesce());
  word all = sent + 1;
  word handled = counted_medium - before;
  EXPECT_OK(ramjet::all_reduce(all, [](word a, word b) { return a + b; }));
  EXPECT_OK(ramjet::all_reduce(handled, [](word a, word b) { return a + b; }));
  EXPECT_EQUAL(all, handled);
}

// Short payloads begin their ring again near its start, where it is in the caches. What the sender
// leaves out there counts as taken: who takes each payload soon makes room for the next, and does
// not wait until the lane has been quiet.
SPMD_CASE(trying, what_payloads_leave_out_is_given_back) {
  const char* channel = std::getenv("RAMJET_CHANNEL");
  if (channel != nullptr && std::string_view(channel).starts_with("faulty"))
    return spmd::skip("this channel holds credit back for many polls");
  std::vector<std::byte> data(8192);
  const auto poll = [](int times) {
    while (times-- > 0) (void)ramjet::poll();
  };
  const auto take = [&](std::size_t bytes) {
    const word due = counted_medium + 1;
    EXPECT_OK(ramjet::try_request_medium<on_count_medium>(spmd::rank(), data.data(), bytes));
    EXPECT_OK(ramjet::wait_until([&] { return counted_medium >= due; }));
    poll(2);  // credit is given by one, and taken by the next
  };
  EXPECT_OK(ramjet::barrier());
  for (int longer = 1; longer <= 8; ++longer) {
    poll(1000);  // all is given back
    take(4096);  // at the start, if those of the round before went beyond it
    for (int i = 0; i < longer; ++i) take(data.size());
  }
}

SPMD_CASE(trying, misuse_is_a_value) {
  const int n = spmd::size();
  std::vector<std::byte> data(ramjet::medium_bytes_max + 1);
  for (int to : {-1, n, n + 1, 1 << 30, -(1 << 30)}) {
    EXPECT(ramjet::try_request<on_count>(to) == status::bad_rank);
    EXPECT(ramjet::try_request_medium<on_count_medium>(to, data.data(), 1) == status::bad_rank);
    EXPECT(ramjet::try_request_long<on_count_long>(to, ramjet::segment_begin(0), data.data(), 1) ==
           status::bad_rank);
  }
  EXPECT(ramjet::try_request<on_count>({0, 64}) == status::bad_rank);
  EXPECT(ramjet::try_request<on_count>({0, ~0u}) == status::bad_rank);
  EXPECT(ramjet::try_request_medium<on_count_medium>(0, data.data(), data.size()) ==
         status::too_large);
  EXPECT(ramjet::try_request_medium<on_count_medium>(0, data.data(), ~std::size_t{0}) ==
         status::too_large);
}

SPMD_CASE(trying, stray_addresses) {
  const int to = spmd::right();
  std::byte* begin = ramjet::segment_begin(to);
  std::byte* end = begin + ramjet::segment_bytes();
  const std::byte one[2]{};
  const auto put = [&](void* where, std::size_t count) {
    return ramjet::try_request_long<on_count_long>(to, where, one, count);
  };
  std::byte on_stack;
  EXPECT(put(&on_stack, 1) == status::bad_address);
  EXPECT(put(nullptr, 1) == status::bad_address);
  EXPECT(put(begin - 1, 1) == status::bad_address);
  EXPECT(put(end, 1) == status::bad_address);
  EXPECT(put(end - 1, 2) == status::bad_address);
  EXPECT(put(begin, ramjet::segment_bytes() + 1) == status::bad_address);
  volatile std::size_t everything = ~std::size_t{0};  // out of the compiler's sight
  EXPECT(put(begin, everything) == status::bad_address);
  if (spmd::size() > 1) EXPECT(put(ramjet::segment_begin(spmd::rank()), 1) == status::bad_address);
}

namespace {
std::uint8_t* landing;
bool landing_known;
void on_landing(ramjet::segment_ptr<std::uint8_t> at) {
  landing = at;
  landing_known = true;
}
}  // namespace

// A refused long message has changed nothing at its destination either.
SPMD_CASE(trying, a_refused_long_message_leaves_no_trace) {
  constexpr std::size_t kBytes = 4096;
  const int to = spmd::right();
  const int from = (spmd::rank() + spmd::size() - 1) % spmd::size();
  std::span<std::uint8_t> mine = ramjet::segment_array<std::uint8_t>(2 * kBytes);
  EXPECT_OK(ramjet::request<on_landing>(from, mine.data()));
  EXPECT_OK(ramjet::wait_until([] { return landing_known; }));
  EXPECT_OK(ramjet::barrier());
  std::vector<std::byte> data(kBytes);
  spmd::fill(data.data(), kBytes, 3);
  word sent = 0, received = 0;
  while (ramjet::try_request_long<on_count_long>(to, landing, data.data(), kBytes) == status::ok)
    ++sent;
  EXPECT(sent != 0);
  const status s =
      ramjet::try_request_long<on_count_long>(to, landing + kBytes, data.data(), kBytes);
  sent += s == status::ok;
  bool touched = false;
  const bool near = ramjet::node_of(to) == ramjet::node_of(spmd::rank());
  for (std::size_t i = 0; near && i < kBytes; ++i) touched = touched || landing[kBytes + i] != 0;
  EXPECT(!touched || s == status::ok);
  EXPECT_OK(ramjet::quiesce());
  received = counted_long;
  const auto sum = [](word a, word b) { return a + b; };
  EXPECT_OK(ramjet::all_reduce(sent, sum));
  EXPECT_OK(ramjet::all_reduce(received, sum));
  EXPECT_EQUAL(received, sent);
  ramjet::segment_free(mine.data());
}
