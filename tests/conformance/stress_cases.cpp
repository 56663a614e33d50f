// SPDX-License-Identifier: Apache-2.0
// Every kind of message at random between all ports: each is numbered and hashed by its sender and
// by its receiver, who compare at the end. Also run with several endpoints in the threads of one
// process, where a thread sanitizer sees both ends of every lane.
//
//   sender: number + hash of everything sent to a port --(one lane, in order)--> receiver: the same
//
// Threads: a port_state belongs to the thread of its endpoint; `shared` is set up before they
// start.
#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "spmd.hpp"

namespace {

using word = std::uint64_t;
using ramjet::address;

constexpr std::size_t kSlotBytes = 8192;  // of a port's window, for each sender

struct shared_state {
  unsigned ports = 0;
  std::vector<std::byte*> windows;  // by port
  std::atomic<unsigned> arrived{0};  // endpoints of this rank, for meet()
};
shared_state shared;

struct port_state {
  explicit port_state(unsigned my_index, unsigned ports)
      : index(my_index),
        random(spmd::given.seed * 4096 + my_index),
        sent(2 * ports),
        received(2 * ports),
        slot_busy(ports, false) {}
  struct account {
    word count = 0, hash = 1;
    bool operator==(const account&) const = default;
  };
  unsigned index;
  spmd::random random;
  // By port: what its main program sent, and behind that what its handlers (and send_walk) chained.
  // A handler may chain while a request waits for room, so the two are not in order to each other.
  std::vector<account> sent, received;
  std::vector<bool> slot_busy;  // a long message to that port is under way
  word asked = 0, answered = 0, answer_sum = 0;
  word walkers = 0, home = 0;
  unsigned finals = 0;
};
thread_local port_state* mine = nullptr;

unsigned port_of(address a) { return unsigned(a.rank) * spmd::given.endpoints + a.endpoint; }
address address_of(unsigned port) {
  return {int(port / spmd::given.endpoints), port % spmd::given.endpoints};
}

// The number of the next message to a port; `value` stands for what is in it.
word numbered(unsigned port, word value, bool chained = false) {
  port_state::account& a = mine->sent[port + (chained ? shared.ports : 0)];
  a.hash = spmd::mix(a.hash, value);
  return a.count++;
}
void take(const ramjet::request_token& t, word number, word value, bool chained = false) {
  port_state::account& a = mine->received[port_of(t.source()) + (chained ? shared.ports : 0)];
  EXPECT_EQUAL(number, a.count);
  ++a.count;
  a.hash = spmd::mix(a.hash, value);
}
void answered(word value) {
  ++mine->answered;
  mine->answer_sum += value;
}

// --- Handlers ------------------------------------------------------------------------------------

void on_one(ramjet::request_token t, word number, word value) { take(t, number, value); }
void on_two(ramjet::request_token t, word number, word value, unsigned check) {
  EXPECT_EQUAL(check, unsigned(value * 3));
  take(t, number, value);
}
void on_six(ramjet::request_token t, word number, word value, word a, word b, word c, word d) {
  EXPECT(a == value + 1 && b == value + 2 && c == value + 3 && d == value + 4);
  take(t, number, value);
}
struct wide {
  std::array<word, 20> w;
};
void on_wide(ramjet::request_token t, word number, word value, wide x) {
  for (word i = 0; i < x.w.size(); ++i) EXPECT_EQUAL(x.w[i], value ^ i);
  take(t, number, value);
}

struct one_of_many {
  word number, value;
};
void on_many(ramjet::request_token t, std::span<const one_of_many> all) {
  for (const one_of_many& one : all) take(t, one.number, one.value);
}

void on_answer(ramjet::reply_token, word value) { answered(value); }
void on_ask(ramjet::request_token t, word number, word value) {
  take(t, number, value);
  ramjet::reply<on_answer>(std::move(t), value * 5);
}
void on_wide_answer(ramjet::reply_token, wide x, word value) {
  for (word i = 0; i < x.w.size(); ++i) EXPECT_EQUAL(x.w[i], value ^ i);
  answered(value * 5);
}
void on_ask_wide(ramjet::request_token t, word number, word value) {
  take(t, number, value);
  wide x;
  for (word i = 0; i < x.w.size(); ++i) x.w[i] = value ^ i;
  ramjet::reply<on_wide_answer>(std::move(t), x, value);
}

void on_medium(ramjet::request_token t, word number, word value, ramjet::payload p) {
  EXPECT_EQUAL(spmd::first_wrong(p.bytes, p.count, value), p.count);
  take(t, number, value + p.count);
}
void on_medium_answer(ramjet::reply_token, word value, ramjet::payload p) {
  EXPECT_EQUAL(spmd::first_wrong(p.bytes, p.count, value), p.count);
  answered(value * 5);
}
void on_ask_medium(ramjet::request_token t, word number, word value, ramjet::payload p) {
  EXPECT_EQUAL(spmd::first_wrong(p.bytes, p.count, value), p.count);
  take(t, number, value + p.count);
  ramjet::reply_medium<on_medium_answer>(std::move(t), p.bytes, p.count, value);
}

void on_long_done(ramjet::reply_token t, word value) {
  mine->slot_busy[port_of(t.source())] = false;
  answered(value * 5);
}
void on_long(ramjet::request_token t, word number, word value, ramjet::deposit d) {
  EXPECT_EQUAL(spmd::first_wrong(d.bytes, d.count, value), d.count);
  take(t, number, value + d.count);
  ramjet::reply<on_long_done>(std::move(t), value);
}

void on_home(ramjet::request_token t, word number, word value) {
  take(t, number, value, true);
  ++mine->home;
}
void on_walk(ramjet::request_token t, word number, word seed, unsigned left, unsigned origin) {
  take(t, number, seed, true);
  spmd::random random(seed);
  const word next = random.next();
  if (left == 0) {
    EXPECT_OK(ramjet::chain<on_home>(address_of(origin), numbered(origin, next, true), next));
    return;
  }
  const auto to = unsigned(random.below(shared.ports));
  EXPECT_OK(
      ramjet::chain<on_walk>(address_of(to), numbered(to, next, true), next, left - 1, origin));
}

word square(word x) { return x * x; }

void on_final(ramjet::request_token t, port_state::account sent, port_state::account chained) {
  const unsigned from = port_of(t.source());
  EXPECT_EQUAL(mine->received[from].count, sent.count);
  EXPECT_EQUAL(mine->received[from].hash, sent.hash);
  EXPECT_EQUAL(mine->received[shared.ports + from].count, chained.count);
  EXPECT_EQUAL(mine->received[shared.ports + from].hash, chained.hash);
  ++mine->finals;
}

// --- The sender's side ---------------------------------------------------------------------------

std::byte* payload_of(std::size_t bytes, word value) {
  thread_local std::vector<std::byte> data(ramjet::medium_bytes_max);
  spmd::fill(data.data(), bytes, value);
  return data.data();
}

void expect_answer(word value) {
  ++mine->asked;
  mine->answer_sum -= value * 5;
}

void send_medium(unsigned port, word value) {
  const address to = address_of(port);
  const word dice = value >> 32;
  const std::size_t bytes = dice % 200 == 0 ? dice % (ramjet::medium_bytes_max + 1) : dice % 300;
  const std::byte* data = payload_of(bytes, value);
  const word n = numbered(port, value + bytes);
  if (dice % 3 == 0) {
    expect_answer(value);
    EXPECT_OK(ramjet::request_medium<on_ask_medium>(to, data, bytes, n, value));
  } else {
    EXPECT_OK(ramjet::request_medium<on_medium>(to, data, bytes, n, value));
  }
}

void send_long(unsigned port, word value) {
  if (mine->slot_busy[port]) return;
  mine->slot_busy[port] = true;
  const std::size_t bytes = (value >> 32) % kSlotBytes;
  const word n = numbered(port, value + bytes);
  expect_answer(value);
  EXPECT_OK(ramjet::request_long<on_long>(address_of(port),
                                          shared.windows[port] + kSlotBytes * mine->index,
                                          payload_of(bytes, value), bytes, n, value));
}

void send_walk(unsigned port, word value) {
  const word n = numbered(port, value, true);
  ++mine->walkers;
  EXPECT_OK(ramjet::chain<on_walk>(address_of(port), n, value, 12, mine->index));
}

void send_call(unsigned port, word value) {
  ++mine->asked;
  ramjet::call<square>(address_of(port), value).then([value](ramjet::status s, word result) {
    EXPECT_OK(s);
    EXPECT_EQUAL(result, value * value);
    ++mine->answered;
  });
}

void send_wide(unsigned port, word value) {
  wide x;
  for (word i = 0; i < x.w.size(); ++i) x.w[i] = value ^ i;
  EXPECT_OK(ramjet::request<on_wide>(address_of(port), numbered(port, value), value, x));
}

void send_asking(unsigned port, word value) {
  const word n = numbered(port, value);
  expect_answer(value);
  if (value & 1 << 20) {
    EXPECT_OK(ramjet::request<on_ask>(address_of(port), n, value));
  } else {
    EXPECT_OK(ramjet::request<on_ask_wide>(address_of(port), n, value));
  }
}

// Aggregated, yet in order with what is not.
void send_many(unsigned port, word value) {
  for (word n = (value >> 32) % 50; n != 0; --n)
    EXPECT_OK(ramjet::request<&on_many>(address_of(port),
                                        one_of_many{numbered(port, value + n), value + n}));
}

// What is refused was not sent: it goes by the queue, in order with all others.
void send_trying(unsigned port, word value) {
  const word n = numbered(port, value);
  const ramjet::status s = ramjet::try_request<on_one>(address_of(port), n, value);
  if (s == ramjet::status::ok) return;
  EXPECT(s == ramjet::status::retry);
  EXPECT_OK(ramjet::chain<on_one>(address_of(port), n, value));
}

void send_one(unsigned port, word value) {
  const address to = address_of(port);
  switch (value % 64) {
    case 0:
      return send_medium(port, value);
    case 1:
      return send_medium(port, value);
    case 2:
      return send_long(port, value);
    case 3:
      return send_walk(port, value);
    case 4:
      return send_call(port, value);
    case 5:
      return send_wide(port, value);
    case 6:
      return send_trying(port, value);
    case 7:
      return send_many(port, value);
    case 8:
      ramjet::poll();
      [[fallthrough]];
    default:
      break;
  }
  if (value % 64 < 20) return send_asking(port, value);
  const word n = numbered(port, value);
  if (value % 64 < 40) {
    EXPECT_OK(ramjet::request<on_two>(to, n, value, unsigned(value * 3)));
  } else if (value % 64 < 45) {
    EXPECT_OK(ramjet::request<on_six>(to, n, value, value + 1, value + 2, value + 3, value + 4));
  } else {
    EXPECT_OK(ramjet::request<on_one>(to, n, value));
  }
}

// --- The course of a run -------------------------------------------------------------------------

// Every endpoint of every rank has come here.
void meet(unsigned times) {
  EXPECT_OK(ramjet::barrier());
  shared.arrived.fetch_add(1);
  EXPECT_OK(
      ramjet::wait_until([=] { return shared.arrived.load() >= times * spmd::given.endpoints; }));
  EXPECT_OK(ramjet::barrier());
}

void run_port(unsigned endpoint, std::size_t messages) {
  port_state state(port_of({spmd::rank(), endpoint}), shared.ports);
  mine = &state;
  meet(1);
  for (std::size_t i = 0; i < messages; ++i) {
    const word value = state.random.next();
    send_one(unsigned(state.random.below(shared.ports)), value);
  }
  EXPECT_OK(ramjet::wait_until(
      [&] { return state.answered == state.asked && state.home == state.walkers; }));
  EXPECT_EQUAL(state.answer_sum, 0u);
  meet(2);  // no walker is under way anywhere: nobody sends any more
  for (unsigned port = 0; port < shared.ports; ++port)
    EXPECT_OK(ramjet::request<on_final>(address_of(port), state.sent[port],
                                        state.sent[shared.ports + port]));
  EXPECT_OK(ramjet::wait_until([&] { return state.finals == shared.ports; }));
  meet(3);
  mine = nullptr;
}

void open_windows() {
  const unsigned endpoints = spmd::given.endpoints;
  shared.ports = unsigned(spmd::size()) * endpoints;
  const std::size_t bytes = kSlotBytes * shared.ports;
  auto* own = static_cast<std::byte*>(ramjet::segment_allocate(bytes * endpoints));
  EXPECT(own != nullptr);
  std::vector<std::byte*> all(std::size_t(spmd::size()));
  EXPECT_OK(ramjet::gather(own, all.data()));
  EXPECT_OK(ramjet::broadcast(std::span(all)));
  for (unsigned port = 0; port < shared.ports; ++port)
    shared.windows.push_back(all[port / endpoints] + bytes * (port % endpoints));
}

}  // namespace

SPMD_CASE(stress, every_kind_between_all_ports) {
  open_windows();
  const std::size_t messages = spmd::scaled(2'000'000) / shared.ports;
  EXPECT_OK(ramjet::barrier());
  std::vector<std::thread> threads;
  for (unsigned e = 1; e < spmd::given.endpoints; ++e) {
    threads.emplace_back([e, messages] {
      ramjet::endpoint own(e);
      EXPECT_EQUAL(own.index(), e);
      run_port(e, messages);
    });
  }
  run_port(0, messages);
  for (std::thread& t : threads) t.join();
}
