// SPDX-License-Identifier: Apache-2.0
// How accesses to memory on another node end when they cannot go on: misuse, messages that no rank
// would send, an owner that dies while it is asked, and endpoints that close meanwhile. Run with
// RAMJET_FAR=1, or across machines; the argument names the end.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "am/accesses.hpp"
#include "gas/far.hpp"
#include "job/join.hpp"
#include "ramjet/ramjet.hpp"
#include "stopped.hpp"

namespace {

using ramjet::global_ptr;
using ramjet::status;
using block = std::array<std::uint64_t, 512>;

ramjet::spread_ptr<block> blocks;
global_ptr<std::uint64_t> words_of(int rank) {
  return global_ptr<std::uint64_t>(global_ptr<block>(blocks + rank));
}

void serve() {
  while (ramjet::wait_until([] { return false; }) == status::ok) {
  }
}

// --- Misuse: rank 0 asks, rank 1 or itself ends --------------------------------------------------

void on_read(int of) { static_cast<void>(ramjet::read(words_of(of))); }
void on_fetch_add(int of) { ramjet::fetch_add(words_of(of), 1); }
void on_bulk_write(int of) {
  block b{};
  ramjet::bulk_write(words_of(of), b.data(), sizeof b);
}

template <auto Handler>
void in_handler() {
  ramjet::request<Handler>(1, 0);
  serve();
}

void without_an_endpoint() {
  std::thread([] { static_cast<void>(ramjet::read(words_of(1))); }).join();
}

void past_the_end() {
  std::array<char, 100> into;
  const global_ptr<void> last(1, ramjet::segment_begin(0) + ramjet::segment_bytes() - 50);
  ramjet::bulk_read(into.data(), last, into.size());
}
void no_integer() {
  ramjet::fetch_add(global_ptr<std::uint64_t>(global_ptr<char>(words_of(1)) + 4), 1);
}

// --- What no rank would send ---------------------------------------------------------------------

std::uint64_t past_segment() { return words_of(1).bits() + ramjet::segment_bytes(); }

// By messages: whoever is asked so ends.
using ramjet::detail::access_op;
using ramjet::detail::far_code;
using ramjet::detail::far_words;

void request_wildly(far_code what, const far_words& words, const void* data = nullptr,
                    std::size_t bytes = 0) {
  ramjet::request_medium<&ramjet::detail::far_request>(1, data, bytes, 0, what.packed(), words);
  serve();
}
void wild_word() { request_wildly({access_op::load}, {past_segment()}); }
void wild_rank() { request_wildly({access_op::load}, {words_of(0).bits()}); }
void torn_word() { request_wildly({access_op::store}, {words_of(1).bits() + 4, 1}); }
void wild_atomic() { request_wildly({access_op::add}, {words_of(1).bits() + 4, 1, 0}); }
void wild_operation() { request_wildly({access_op(31)}, {words_of(1).bits(), 1, 0}); }
void wild_rows() {
  request_wildly({access_op::read},
                 {words_of(1).bits(), 8, 1000, ramjet::segment_bytes() / 100, 0});
}
void wild_many() {
  request_wildly({access_op::read}, {words_of(1).bits(), 8, std::uint64_t{1} << 61, 8, 0});
}
void wild_data() {
  block b{};
  request_wildly({access_op::write}, {words_of(1).bits(), sizeof b + 8, 1, 0, 0}, b.data(),
                 sizeof b);
}

void wild_list() {
  const std::array<std::uint32_t, 2> rows{1, ~0u};
  request_wildly({access_op::read_list}, {words_of(1).bits(), 8, 4, 2, 0}, rows.data(), 8);
}
void torn_list() {
  const std::array<std::uint64_t, 2> row_and_value{1, 1};
  request_wildly({access_op::add_list}, {words_of(1).bits() + 4, 8, 8, 1, 0}, row_and_value.data(),
                 16);
}
void short_list() {
  const std::uint64_t row = 1;
  request_wildly({access_op::write_list}, {words_of(1).bits(), 8, 8, 1, 0}, &row, 8);
}

// Past the handlers: whoever asks so is given up.
void ask_wildly(far_code what, const std::vector<std::uint64_t>& words) {
  ramjet::detail::engine& e = *ramjet::detail::current_engine;
  ramjet::detail::peer* owner = ramjet::detail::find_access_peer(e, 1);
  if (owner == nullptr) return;
  ramjet::detail::begin_access(
      e, *owner,
      {.what = what.packed(),
       .request = {reinterpret_cast<const std::byte*>(words.data()), words.size() * 8}},
      true);
  serve();
}
void wild_load() { ask_wildly({access_op::load}, {past_segment()}); }
void wild_store() { ask_wildly({access_op::store}, {words_of(0).bits(), 1}); }
void torn_store() { ask_wildly({access_op::store}, {words_of(1).bits() + 4, 1}); }
void short_atomic() { ask_wildly({access_op::add}, {words_of(1).bits(), 1}); }
void wide_read() {
  ask_wildly({access_op::read}, {words_of(1).bits(), 64, 2, ~std::uint64_t{0}, 0});
}
void long_read() { ask_wildly({access_op::read}, {words_of(1).bits(), 62'000, 1, 0, 0}); }

void empty_list() { ask_wildly({access_op::read_list}, {words_of(1).bits(), 8, 4, 0, 0}); }
void far_list() {
  ask_wildly({access_op::read_list}, {words_of(1).bits(), 8, 8, 1, 0, ~std::uint64_t{0}});
}
void element_past_the_end() {
  const std::array<std::uint64_t, 2> indices{1, ramjet::segment_bytes() / 8};
  std::array<std::uint64_t, 2> into;
  ramjet::read_each(words_of(1), std::span<const std::uint64_t>(indices), into.data());
}

void on_question(ramjet::request_token t) {
  ramjet::reply_medium<&ramjet::detail::on_far_answer>(
      std::move(t), nullptr, 0, 12345u, std::uint8_t(ramjet::detail::far_answer::done),
      std::uint64_t{8});
}
void wild_answer() {
  ramjet::request<&on_question>(1);
  serve();
}

// --- A dead owner --------------------------------------------------------------------------------

int survivors = 0;
std::atomic<pid_t> told_process = 0;
void on_survived() { ++survivors; }
void await_survivors(int how_many) {
  while (ramjet::wait_until([=] { return survivors == how_many; }) != status::ok) {
  }
}
void on_process(int pid) { told_process = pid; }

void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("rank %d: not so: %s\n", ramjet::rank(), what);
  std::fflush(stdout);
  std::_Exit(1);
}

// Whether access() throws what tells of the death.
template <class Access>
bool fails(Access&& access) {
  try {
    access();
  } catch (const ramjet::failure& f) {
    return f.code() == status::peer_failed && f.who().rank == 1;
  }
  return false;
}

// No access gives a value that was not fetched.
void ask_the_dying() {
  const global_ptr<std::uint64_t> there = words_of(1);
  block got, bulk;
  const ramjet::rectangle rows{2, 8, 8, 16};
  for (std::ptrdiff_t i = 0; i < 100; ++i) ramjet::get(&got[std::size_t(i)], there + i);
  ramjet::bulk_get(bulk.data(), there, sizeof bulk);
  ramjet::add(there, 1);
  ramjet::store(there, 1);
  expect(fails([&] { static_cast<void>(ramjet::read(there)); }), "a read under way throws");
  expect(!ramjet::alive(1), "the owner is dead by then");
  expect(ramjet::sync_all() == status::peer_failed, "sync tells it");
  expect(ramjet::sync_all() == status::ok, "it is told once");
  expect(fails([&] { static_cast<void>(std::uint64_t(*there)); }), "*p throws");
  expect(fails([&] { *there = 1; }), "*p = x throws");
  expect(fails([&] { *there += 1; }), "*p += x throws");
  expect(fails([&] { ramjet::write(there, 1); }), "write throws");
  expect(fails([&] { ramjet::bulk_read(bulk.data(), there, sizeof bulk); }), "bulk_read throws");
  expect(fails([&] { ramjet::bulk_write(there, bulk.data(), 8); }), "bulk_write throws");
  expect(fails([&] { ramjet::bulk_read(bulk.data(), there, rows); }), "of rows, too");
  expect(fails([&] { ramjet::bulk_write(there, bulk.data(), rows); }), "of rows, too");
  expect(fails([&] { ramjet::fetch_add(there, 1); }), "fetch_add throws");
  expect(fails([&] { ramjet::fetch_and(there, 1); }), "fetch_and throws");
  expect(fails([&] { ramjet::fetch_or(there, 1); }), "fetch_or throws");
  expect(fails([&] { ramjet::fetch_xor(there, 1); }), "fetch_xor throws");
  expect(fails([&] { ramjet::exchange(there, 1); }), "exchange throws");
  expect(fails([&] { ramjet::compare_swap(there, 0, 1); }), "compare_swap throws");
  const std::array<std::uint32_t, 2> indices{0, 1};
  std::array<std::uint64_t, 2> both{1, 2};
  const std::span<const std::uint32_t> each(indices);
  expect(fails([&] { ramjet::read_each(there, each, both.data()); }), "read_each throws");
  expect(fails([&] { ramjet::write_each(there, each, both.data()); }), "write_each throws");
  expect(fails([&] { ramjet::add_each(there, each, 1); }), "add_each throws");
  expect(fails([&] { ramjet::put_signal(there, 1, words_of(ramjet::rank())); }),
         "put_signal throws where it waits");
  expect(ramjet::read(words_of(ramjet::rank())) == 0, "and does not signal");
  expect(ramjet::sync_all() == status::ok, "what has thrown is told");
  ramjet::put(there, 1);
  expect(ramjet::sync_all() == status::peer_failed, "a put is told by sync");
  ramjet::signal(there);
  expect(ramjet::sync_all() == status::peer_failed, "and a signal");
  expect(ramjet::get_future(there).wait() == status::peer_failed, "a get's future fails");
  expect(fails([&] { static_cast<void>(ramjet::get_future(there).get()); }), "and throws");
  expect(ramjet::put_future(there, 1).wait() == status::peer_failed, "a put's future fails");
  expect(ramjet::bulk_get_future(bulk.data(), there, 8).wait() == status::peer_failed, "in bulk");
  expect(ramjet::bulk_put_future(there, bulk.data(), 8).wait() == status::peer_failed, "in bulk");
  expect(ramjet::fetch_add_future(there, 1).wait() == status::peer_failed, "an atomic one fails");
  expect(ramjet::all_store_sync() == status::peer_failed, "all_store_sync fails");
  expect(ramjet::read(words_of(2) + 3) == 33, "the living are read");
}

// Nobody dies before all have left the barrier at the start: it would tell them of the death.
void say_ready(int to) { ramjet::request<&on_survived>(to); }
void await_the_others() { await_survivors(ramjet::size() - 1); }

// Rank 0 stops this process by a signal, so none of its threads can serve accesses. Then a child of
// this process kills it.
void be_stopped_then_die() {
  const pid_t self = getpid();
  if (fork() == 0) {
    usleep(300'000);
    kill(self, SIGKILL);
    _exit(0);
  }
  ramjet::request<&on_process>(0, int(self));
  for (;;) pause();
}

std::atomic<bool> owner_is_stopped = false;
void on_stopped() { owner_is_stopped = true; }

// The survivors call this. The owner may be dead when it returns.
void await_the_stop_of_the_owner() {
  if (ramjet::rank() != 0) {
    while (!owner_is_stopped) ramjet::poll();
    return;
  }
  while (told_process == 0 && ramjet::alive(1)) ramjet::poll();
  if (told_process != 0) {
    kill(told_process, SIGSTOP);
    await_stopped(told_process);
  }
  owner_is_stopped = true;
  ramjet::request<&on_stopped>(2);
}

void survive_together() {
  ramjet::request<&on_survived>(2 - ramjet::rank());
  await_survivors(1);  // it reads here, too
  if (ramjet::rank() == 0) std::printf("both have survived\n");
}

void dead_owner() {
  if (ramjet::rank() == 1) {
    await_the_others();
    be_stopped_then_die();
  }
  say_ready(1);
  await_the_stop_of_the_owner();
  ask_the_dying();
  survive_together();
}

// --- Endpoints that close before they have an answer ---------------------------------------------

// What the dying owner has not answered has ended when the endpoint has closed.
void ask_and_close(std::atomic<bool>& knows_the_way) {
  const global_ptr<std::uint64_t> there = words_of(1);
  std::uint64_t got = 5;
  {
    const ramjet::endpoint own(1);
    expect(ramjet::read(there + 3) == 22, "the owner answers at first");
    knows_the_way = true;
    while (!owner_is_stopped) usleep(1000);
    ramjet::store(there, 1);
    ramjet::put(there, 1);
    ramjet::get(&got, there);
  }
  expect(!ramjet::alive(1), "the endpoint waits for the death");
  expect(ramjet::sync_all() == status::peer_failed, "sync tells it");
}

void dead_owner_closing() {
  if (ramjet::rank() == 1) {
    await_the_others();  // their endpoints know the way
    be_stopped_then_die();
  }
  std::atomic<bool> knows_the_way = false;
  std::thread closing([&] { ask_and_close(knows_the_way); });
  ramjet::wait_until([&] { return knows_the_way.load(); });
  say_ready(1);
  await_the_stop_of_the_owner();
  closing.join();
  expect(ramjet::all_store_sync() == status::peer_failed, "all_store_sync fails");
  expect(ramjet::all_store_sync() == status::peer_failed, "it fails each time");
  survive_together();
}

// Once a rank is dead finalize waits for nobody: what has no answer has failed.
void on_nothing() {}

void unanswered_at_the_end() {
  if (ramjet::rank() == 2) ramjet::request<&on_process>(0, int(getpid()));
  if (ramjet::rank() == 1) {
    await_the_others();
    raise(SIGKILL);
  }
  say_ready(1);
  if (ramjet::rank() == 2) {
    while (!ramjet::job::has_left(0)) ramjet::poll();
    return;
  }
  while (ramjet::wait_until([] { return told_process != 0 && !ramjet::alive(1); }) != status::ok) {
  }
  kill(told_process, SIGSTOP);
  await_stopped(told_process);
  auto told = status::ok;
  ramjet::call<&on_nothing>(2).then([&](status s) { told = s; });
  const pid_t stopped = told_process;
  ramjet::finalize();
  kill(stopped, SIGCONT);
  if (told == status::peer_failed) std::printf("it was told at the end\n");
  std::fflush(stdout);
  std::_Exit(0);
}

// --- A dead server -------------------------------------------------------------------------------

// Of four ranks on two machines, where one co-processor serves each: the third one's serves the
// fourth rank's memory, until the third rank dies.
void on_die() { raise(SIGKILL); }

void ask_the_next() {
  const global_ptr<std::uint64_t> there = words_of(3);
  ramjet::wait_until([] { return told_process != 0; });
  kill(told_process, SIGSTOP);  // nobody in it can answer now
  const bool served = ramjet::read(there + 3) == 44;
  kill(told_process, SIGCONT);
  expect(served && ramjet::alive(3), "the first of the machine serves");
  ramjet::request<&on_die>(2);
  while (ramjet::alive(2)) ramjet::poll();
  ramjet::sync_all();
  expect(ramjet::read(there + 3) == 44, "the next one serves");
  expect(ramjet::fetch_add(there, 1) == 0 && ramjet::read(there) == 1, "it serves all");
  expect(ramjet::sync_all() == status::ok, "nothing failed");
  try {
    static_cast<void>(ramjet::read(words_of(2) + 3));
    expect(false, "the dead one's memory is lost");
  } catch (const ramjet::failure& f) {
    expect(f.who().rank == 2, "and its rank is named");
  }
}

void dead_server() {
  if (ramjet::rank() == 3) ramjet::request<&on_process>(0, int(getpid()));
  if (ramjet::rank() != 0) {
    say_ready(0);
    return await_survivors(1);
  }
  await_the_others();
  ask_the_next();
  std::printf("all was served\n");
  for (int other : {1, 3}) ramjet::request<&on_survived>(other);
}

// The third one dies with a store to the fourth that it has not served, of an endpoint that does
// not poll.
void store_by_the_dying() {
  const global_ptr<std::uint64_t> there = words_of(3);
  std::atomic<bool> knows_the_way = false, may_store = false, has_stored = false, may_close = false;
  std::thread storing([&] {
    const ramjet::endpoint own(1);
    expect(ramjet::read(there + 3) == 44, "the first of the machine serves");
    knows_the_way = true;
    while (!may_store) usleep(1000);
    ramjet::store(there, 1);
    has_stored = true;
    while (!may_close) usleep(1000);
  });
  ramjet::wait_until([&] { return told_process != 0 && knows_the_way.load(); });
  kill(told_process, SIGSTOP);
  await_stopped(told_process);
  may_store = true;
  while (!has_stored) usleep(1000);
  kill(told_process, SIGKILL);
  while (ramjet::alive(2)) ramjet::poll();
  for (int i = 0; i < 3; ++i)
    expect(ramjet::all_store_sync() == status::peer_failed, "all_store_sync fails at once");
  may_close = true;
  storing.join();
  expect(ramjet::all_store_sync() == status::peer_failed, "and after the endpoint has closed");
  ramjet::store(there, 2);
  expect(ramjet::read(there) == 2, "the next one serves stores");
}

void dead_server_of_stores() {
  if (ramjet::rank() == 2) ramjet::request<&on_process>(0, int(getpid()));
  if (ramjet::rank() != 0) {
    say_ready(0);
    await_survivors(1);
  } else {
    await_the_others();
    store_by_the_dying();
    for (int other : {1, 3}) ramjet::request<&on_survived>(other);
  }
  if (ramjet::rank() == 3) {
    expect(ramjet::store_sync(8) == status::ok, "the store that was served counts");
    expect(ramjet::store_sync(1) == status::peer_failed, "the lost one is told");
    std::printf("what was served was counted\n");
  }
}

// Of all ranks.
const std::map<std::string, std::function<void()>> deaths{
    {"dead_owner", dead_owner},
    {"dead_owner_closing", dead_owner_closing},
    {"unanswered_at_the_end", unanswered_at_the_end},
    {"dead_server", dead_server},
    {"dead_server_of_stores", dead_server_of_stores},
};

// Of rank 0; the others serve.
const std::map<std::string, std::function<void()>> ends{
    {"read_in_handler", in_handler<&on_read>},
    {"fetch_add_in_handler", in_handler<&on_fetch_add>},
    {"bulk_write_in_handler", in_handler<&on_bulk_write>},
    {"without_an_endpoint", without_an_endpoint},
    {"past_the_end", past_the_end},
    {"no_integer", no_integer},
    {"wild_word", wild_word},
    {"wild_rank", wild_rank},
    {"torn_word", torn_word},
    {"wild_atomic", wild_atomic},
    {"wild_operation", wild_operation},
    {"wild_rows", wild_rows},
    {"wild_many", wild_many},
    {"wild_data", wild_data},
    {"wild_list", wild_list},
    {"torn_list", torn_list},
    {"short_list", short_list},
    {"empty_list", empty_list},
    {"far_list", far_list},
    {"element_past_the_end", element_past_the_end},
    {"wild_answer", wild_answer},
    {"wild_load", wild_load},
    {"wild_store", wild_store},
    {"torn_store", torn_store},
    {"short_atomic", short_atomic},
    {"wide_read", wide_read},
    {"long_read", long_read},
};

}  // namespace

int main(int argc, char** argv) {
  const std::string which = argc > 1 ? argv[1] : "";
  ramjet::options wanted;
  wanted.endpoints = 2;
  ramjet::init(argc, argv, wanted);
  blocks = ramjet::all_spread_malloc<block>(std::size_t(ramjet::size()));
  blocks.local()->fill(0);
  ramjet::write(words_of(ramjet::rank()) + 3, 11 * std::uint64_t(ramjet::rank()) + 11);
  if (ramjet::barrier() != status::ok) return 1;
  if (const auto found = deaths.find(which); found != deaths.end()) {
    found->second();
  } else if (ramjet::rank() == 0) {
    ends.at(which)();
    std::printf("nothing ended\n");
  } else {
    serve();
  }
  ramjet::finalize();
}
