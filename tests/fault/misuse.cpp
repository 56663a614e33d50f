// SPDX-License-Identifier: Apache-2.0
// Every way to break the contract of the public headers at run time, for misuse_test.py: the
// process has to end with one clear line.
//
//   misuse WHAT
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "misuse.hpp"
#include "ramjet/ramjet.hpp"
#include "ramjet/splitc.h"
#include "ramjet/threads.hpp"
#include "ramjet/ult.hpp"

namespace {

void on_nothing() {}
void on_answer(ramjet::reply_token) {}
void on_payload(ramjet::payload) {}
void on_payload_reply(ramjet::reply_token, ramjet::payload) {}
void on_deposit(ramjet::deposit) {}

void on_request_in_handler() {
  for (;;) ramjet::request<on_nothing>(ramjet::size() - 1);  // legal by luck until the ring is full
}
void on_poll_in_handler() { ramjet::poll(); }
void on_wait_in_handler() {
  static_cast<void>(ramjet::wait_until([] { return false; }));
}
void on_barrier_in_handler() { static_cast<void>(ramjet::barrier()); }
void on_quiesce_in_handler() { static_cast<void>(ramjet::quiesce()); }
void on_finalize_in_handler() { ramjet::finalize(); }
void on_reply_twice(ramjet::request_token t) {
  ramjet::reply<on_answer>(std::move(t));
  ramjet::reply<on_answer>(std::move(t));  // NOLINT(bugprone-use-after-move): that is the mistake
}
void on_large_reply(ramjet::request_token t) {
  static char data[ramjet::medium_bytes_max + 1];
  ramjet::reply_medium<on_payload_reply>(std::move(t), data, sizeof data);
}

void on_null_reply(ramjet::request_token t) {
  ramjet::reply_medium<on_payload_reply>(std::move(t), nullptr, 8);
}
void on_endpoint_in_handler() { const ramjet::endpoint own(1); }
void on_start_in_handler() { ramjet::ult::start({.workers = 2}); }
void on_stop_in_handler() { ramjet::ult::stop(); }

// Runs F in a handler of this rank.
template <auto F>
void in_handler() {
  ramjet::request<F>(ramjet::rank());
  static_cast<void>(ramjet::wait_for(5000, [] { return false; }));
}

void chain_without_end() {
  std::vector<char> data(1000);
  for (;;) static_cast<void>(ramjet::chain_medium<on_payload>(0, data.data(), data.size()));
}

// Answers that nobody takes, and writes, to a rank of another node.
void on_long_answer(ramjet::reply_token, ramjet::deposit) {}
void on_question(ramjet::request_token t) {
  static const std::vector<char> data(256 * 1024);
  ramjet::reply_long<on_long_answer>(std::move(t), ramjet::segment_begin(1), data.data(),
                                     data.size());
}
void ask_and_never_listen() {
  ramjet::barrier();
  for (int i = 0; ramjet::rank() == 1 && i < 400; ++i) ramjet::request<on_question>(0);
  ramjet::flush();
  while (ramjet::rank() == 0) ramjet::poll();
  for (;;) ::pause();
}

void disagree_about_a_length() {
  std::vector<char> data(ramjet::rank() == 0 ? 100 : 200);
  static_cast<void>(ramjet::broadcast(std::span<char>(data)));
}

void add_up(int r, std::size_t count) {
  std::vector<int> data(ramjet::rank() == r ? count : count + 100);
  static_cast<void>(ramjet::all_reduce(std::span(data), [](int a, int b) { return a + b; }));
}

void call_different_collectives() {
  int x = 0;
  std::vector<int> all(static_cast<std::size_t>(ramjet::size()));
  if (ramjet::rank() == 0) {
    static_cast<void>(ramjet::all_gather(x, all.data()));
  } else {
    static_cast<void>(ramjet::all_reduce(x, [](int a, int b) { return a + b; }));
  }
}

void use_a_team_elsewhere() {
  const ramjet::team t = ramjet::team::world().split(0);
  std::thread([&t] {
    ramjet::endpoint own(1);
    static_cast<void>(ramjet::barrier(t));
  }).join();
}

// An address in this rank's segment that nothing was allocated at.
void* never_allocated() { return ramjet::segment_begin(ramjet::rank()) + (std::size_t{1} << 20); }

// The pointer to this rank's first byte, as if it were of `rank`.
ramjet::global_ptr<int> first_of(int rank) {
  return {rank, reinterpret_cast<int*>(ramjet::segment_begin(0))};
}
// What a program computes that takes a member's address of an object that it has not got.
void* member_of_null() {
  const volatile std::uintptr_t offset = 16;
  return reinterpret_cast<void*>(offset);
}
ramjet::global_ptr<int> end_of(int rank) {
  return first_of(rank) + std::ptrdiff_t(ramjet::segment_bytes() / sizeof(int));
}
char buffer[100];

void on_puts_without_end() {
  for (;;) ramjet::put(first_of(1 - ramjet::rank()), 1);
}
ramjet::global_mutex own_lock() { return ramjet::global_mutex::make(); }
void on_lock_in_handler() { static_cast<void>(own_lock().lock()); }
int first_of_two(int* x) { return *x; }
void on_procedure_in_handler() {
  for (;;) static_cast<void>(ramjet::run_atomic<&first_of_two>(first_of(1)));
}
void on_sync_in_handler() { static_cast<void>(ramjet::sync_all()); }
void sync_in_a_handler() {
  static_cast<void>(ramjet::run_atomic<&first_of_two>(first_of(0)));
  in_handler<on_sync_in_handler>();
}

void on_store_sync_in_handler() { static_cast<void>(ramjet::store_sync(1)); }
void frames_out_of_order() {
  auto* first = new ramjet::spread_frame;
  static_cast<void>(first->allocate<int>(10));
  auto* second = new ramjet::spread_frame;
  static_cast<void>(second->allocate<int>(10));
  delete first;
  delete second;
}

void add_one(int& value) { ++value; }
void set_twice(int& value) { value = 2; }
struct hash_of_rank {
  std::size_t operator()(int key) const { return std::size_t(key * 2 + ramjet::rank()); }
};
using counts = ramjet::hash_table<int, int>;

void run_an_agenda(std::size_t count, const ramjet::agenda_options& o) {
  static_cast<void>(ramjet::run_agenda(count, o, [](std::size_t, std::size_t) {}));
}
void push_after_the_end() {
  const auto queue = ramjet::work_queue<int>::all_make(10);
  std::optional<int> item;
  static_cast<void>(queue.next(item));
  static_cast<void>(queue.push(0, 1));
}
void make_different_tables() {
  if (ramjet::rank() == 0) {
    static_cast<void>(counts::all_make());
  } else {
    static_cast<void>(ramjet::hash_table<long, int>::all_make());
  }
}
void use_a_freed_table() {
  auto table = counts::all_make();
  const auto copy = table;
  table.all_free();
  for (int key = 0; key < 100; ++key) static_cast<void>(copy.update<add_one>(key));
}
void disagree_about_owners() {
  const auto table = ramjet::hash_table<int, int, hash_of_rank>::all_make();
  for (int key = 0; key < 100; ++key) static_cast<void>(table.update<set_twice>(key));
}
void update_in_a_walk() {
  const auto table = counts::all_make();
  for (int key = 0; key < 100; ++key) static_cast<void>(table.update<add_one>(key));
  static_cast<void>(ramjet::quiesce());
  table.for_my_elements([&](int, int&) {
    for (int key = 0; key < 100; ++key) static_cast<void>(table.update<add_one>(key));
    ramjet::poll();
  });
}

// Rank 0 says nothing: its message would bring the connection before the descriptors are gone.
void talk_without_descriptors() {
  if (ramjet::rank() == 0) static_cast<void>(ramjet::wait_until([] { return false; }));
  const rlimit few{64, 64};
  RAMJET_CHECK(::setrlimit(RLIMIT_NOFILE, &few) == 0, "fewer descriptors");
  while (::dup(0) >= 0) {
  }
  ramjet::request<on_nothing>(0);
}

const mistake kMistakes[] = {
    {"nothing", [] {}},
    {"request_in_handler", in_handler<on_request_in_handler>},
    {"poll_in_handler", in_handler<on_poll_in_handler>},
    {"wait_in_handler", in_handler<on_wait_in_handler>},
    {"barrier_in_handler", in_handler<on_barrier_in_handler>},
    {"quiesce_in_handler", in_handler<on_quiesce_in_handler>},
    {"finalize_in_handler", in_handler<on_finalize_in_handler>},
    {"reply_twice", in_handler<on_reply_twice>},
    {"large_reply", in_handler<on_large_reply>},
    {"wrong_rank", [] { ramjet::request<on_nothing>(99); }},
    {"negative_rank", [] { ramjet::request<on_nothing>(-1); }},
    {"wrong_endpoint", [] { ramjet::request<on_nothing>({0, 5}); }},
    {"oversized",
     [] {
       std::vector<char> data(70'000);
       ramjet::request_medium<on_payload>(0, data.data(), data.size());
     }},
    {"wild_address",
     [] {
       int x = 0;
       ramjet::request_long<on_deposit>(0, &x, &x, sizeof x);
     }},
    {"null_payload", [] { ramjet::request_medium<on_payload>(0, nullptr, 5); }},
    {"null_data",
     [] { ramjet::request_long<on_deposit>(0, ramjet::segment_begin(0), nullptr, 5); }},
    {"null_reply", in_handler<on_null_reply>},
    {"endpoint_in_handler", in_handler<on_endpoint_in_handler>},
    {"start_in_handler", in_handler<on_start_in_handler>},
    {"stop_in_handler", in_handler<on_stop_in_handler>},
    {"chain_limit", chain_without_end},
    {"long_replies_without_end", ask_and_never_listen},
    {"puts_without_end", in_handler<on_puts_without_end>},
    {"lengths_disagree", disagree_about_a_length},
    {"lengths_disagree_short", [] { add_up(0, 1); }},
    {"lengths_disagree_long", [] { add_up(1, 40'000); }},
    {"different_collectives", call_different_collectives},
    {"counts_disagree",
     [] {
       int x[4] = {};
       static_cast<void>(ramjet::all_gather(std::span<int>(x, 1), std::span<int>(x, 4)));
     }},
    {"empty_team", [] { static_cast<void>(ramjet::barrier(ramjet::team())); }},
    {"no_member", [] { ramjet::team::world().world_rank(ramjet::size()); }},
    {"team_of_another_endpoint", use_a_team_elsewhere},
    {"notify_twice",
     [] {
       static_cast<void>(ramjet::barrier_notify());
       static_cast<void>(ramjet::barrier_notify());
     }},
    {"wait_without_notify", [] { static_cast<void>(ramjet::barrier_wait()); }},
    {"try_without_notify", [] { static_cast<void>(ramjet::barrier_try()); }},
    {"wrong_root",
     [] {
       int x = 0;
       static_cast<void>(ramjet::broadcast(x, ramjet::size()));
     }},
    {"foreign_free",
     [] {
       int x = 0;
       ramjet::segment_free(&x);
     }},
    {"free_of_nothing", [] { ramjet::segment_free(never_allocated()); }},
    {"free_inside_a_block",
     [] { ramjet::segment_free(static_cast<char*>(ramjet::segment_allocate(200)) + 64); }},
    {"free_twice",
     [] {
       void* const block = ramjet::segment_allocate(200);
       ramjet::segment_free(block);
       ramjet::segment_free(block);
     }},
    {"huge_array", [] { ramjet::segment_array<char>(ramjet::segment_bytes()); }},
    {"odd_alignment", [] { ramjet::segment_allocate(10, 24); }},
    {"no_such_segment", [] { ramjet::segment_begin(ramjet::size()); }},
    {"read_no_rank", [] { ramjet::read(first_of(2)); }},
    {"write_negative_rank", [] { ramjet::write(first_of(-1), 1); }},
    {"get_null",
     [] {
       int x = 0;
       ramjet::get(&x, ramjet::global_ptr<int>());
     }},
    {"put_null", [] { ramjet::put(ramjet::global_ptr<int>(1, nullptr), 1); }},
    {"assign_null", [] { *ramjet::spread_ptr<int>() = 1; }},
    {"read_wild",
     [] {
       int x = 0;
       ramjet::read(ramjet::global_ptr<int>(1, &x));
     }},
    {"read_before_segment", [] { ramjet::read(first_of(1) - 1); }},
    {"element_before_segment", [] { static_cast<void>(int(first_of(1)[-1])); }},
    {"element_behind_segment", [] { end_of(0)[0x10] = 1; }},
    {"element_of_null", [] { ramjet::global_ptr<int>()[3] = 1; }},
    {"store_behind_segment", [] { ramjet::store(end_of(0), 1); }},
    {"read_across_end",
     [] { ramjet::read(ramjet::global_ptr<long>(ramjet::global_ptr<char>(end_of(0)) - 4)); }},
    {"bulk_past_end", [] { ramjet::bulk_write(end_of(1) - 10, buffer, sizeof buffer); }},
    {"bulk_of_everything", [] { ramjet::bulk_get(buffer, first_of(1), std::size_t{1} << 62); }},
    {"rectangle_past_end",
     [] {
       ramjet::bulk_put(first_of(1), buffer, {1u << 20, 1, 0, ramjet::segment_bytes() >> 19});
     }},
    {"endless_rectangle",
     [] { ramjet::bulk_read(buffer, first_of(1), {10, 1, 1, ~std::size_t{0} / 4}); }},
    {"bulk_read_null", [] { splitc_bulk_read(nullptr, {first_of(1).bits()}, sizeof buffer); }},
    {"bulk_write_null", [] { splitc_bulk_write({first_of(1).bits()}, nullptr, sizeof buffer); }},
    {"bulk_get_null", [] { ramjet::bulk_get(nullptr, first_of(1), sizeof buffer); }},
    {"bulk_put_null", [] { ramjet::bulk_put(first_of(1), nullptr, sizeof buffer); }},
    {"bulk_get_member_of_null", [] { ramjet::bulk_get(member_of_null(), first_of(1), 8); }},
    {"bulk_get_future_null",
     [] { static_cast<void>(ramjet::bulk_get_future(nullptr, first_of(1), 8)); }},
    {"bulk_put_future_null",
     [] { static_cast<void>(ramjet::bulk_put_future(first_of(1), nullptr, 8)); }},
    {"rectangle_to_null", [] { ramjet::bulk_read(nullptr, first_of(1), {4, 8, 8, 8}); }},
    {"rectangle_of_null", [] { ramjet::bulk_write(first_of(1), nullptr, {4, 8, 8, 8}); }},
    {"rows_overlap", [] { ramjet::bulk_put(first_of(1), buffer, {4, 16, 16, 8}); }},
    {"null_array", [] { ramjet::spread_array<int>().for_my_blocks([](std::size_t, int*) {}); }},
    {"odd_counter",
     [] {
       const auto odd = ramjet::global_ptr<char>(first_of(1)) + 2;
       ramjet::fetch_add(ramjet::global_ptr<int>(odd), 1);
     }},
    {"no_descriptors", talk_without_descriptors},
    {"atomic_no_rank", [] { ramjet::compare_swap(first_of(1000), 0, 1); }},
    {"store_sync_in_handler", in_handler<on_store_sync_in_handler>},
    {"sizes_disagree", [] { ramjet::all_spread_malloc(10, ramjet::rank() == 0 ? 8 : 16); }},
    {"stacks_disagree",
     [] {
       ramjet::spread_frame frame;
       if (ramjet::rank() == 0) frame.allocate(10, 10);
       ramjet::all_spread_malloc(10, 8);
     }},
    {"spread_free_of_nothing",
     [] { ramjet::all_spread_free(ramjet::spread_ptr<void>(first_of(0))); }},
    {"frames_out_of_order", frames_out_of_order},
    {"huge_frame",
     [] {
       ramjet::spread_frame frame;
       static_cast<void>(frame.allocate(std::size_t(ramjet::size()), ramjet::segment_bytes()));
     }},
    {"frame_without_room",
     [] {
       RAMJET_CHECK(ramjet::segment_allocate(ramjet::segment_bytes() / 4 * 3) != nullptr, "room");
       ramjet::spread_frame frame;
       static_cast<void>(frame.allocate<int>(10));
     }},
    {"array_out_of_bounds",
     [] {
       ramjet::spread_frame frame;
       const ramjet::spread_array<int> a(frame, {3, 4});
       static_cast<void>(a(1, 4));
     }},
    {"lock_in_handler", in_handler<on_lock_in_handler>},
    {"lock_twice",
     [] {
       ramjet::global_mutex lock = own_lock();
       static_cast<void>(lock.lock());
       static_cast<void>(lock.lock());
     }},
    {"lock_by_two_threads",
     [] {
       ramjet::global_ptr<ramjet::mutex_state> where;
       if (ramjet::rank() == 0) where = own_lock().where();
       static_cast<void>(ramjet::broadcast(where));
       ramjet::global_mutex lock(where);
       if (ramjet::rank() == 0) static_cast<void>(lock.lock());
       static_cast<void>(ramjet::barrier());
       const auto waits = [lock]() mutable { static_cast<void>(lock.lock()); };
       if (ramjet::rank() == 1) {
         const auto first = ramjet::ult::spawn(waits), second = ramjet::ult::spawn(waits);
       }
       static_cast<void>(ramjet::barrier());
     }},
    {"unlock_of_others", [] { own_lock().unlock(); }},
    {"destroy_while_held",
     [] {
       ramjet::global_mutex lock = own_lock();
       static_cast<void>(lock.lock());
       lock.destroy();
     }},
    {"no_lock", [] { static_cast<void>(ramjet::global_mutex().lock()); }},
    {"odd_lock",
     [] {
       const ramjet::global_ptr<ramjet::mutex_state> odd(first_of(1) + 4);
       static_cast<void>(ramjet::global_mutex(odd).lock());
     }},
    {"procedure_in_handler", in_handler<on_procedure_in_handler>},
    {"procedure_at_null",
     [] {
       static_cast<void>(ramjet::run_atomic<&first_of_two>(ramjet::global_ptr<int>(1, nullptr)));
     }},
    {"procedure_at_odd",
     [] {
       const auto odd = ramjet::global_ptr<char>(first_of(1)) + 1;
       static_cast<void>(ramjet::run_atomic<&first_of_two>(ramjet::global_ptr<int>(odd)));
     }},
    {"endless_store_sync",
     [] {
       ramjet::store(first_of(ramjet::rank()) + 1000, 1);
       static_cast<void>(ramjet::store_sync(4));
       static_cast<void>(ramjet::store_sync(~std::size_t{0}));
     }},
    {"no_lock_there",
     [] {
       const std::span<std::uint64_t> memory = ramjet::segment_array<std::uint64_t>(24);
       memory[0] = 12345;
       const auto where = ramjet::global_ptr<std::uint64_t>(memory.data());
       static_cast<void>(
           ramjet::global_mutex(ramjet::global_ptr<ramjet::mutex_state>(where)).lock());
     }},
    {"huge_blocks",
     [] { static_cast<void>(ramjet::block_array<long>::all_malloc(100, std::size_t{1} << 61)); }},
    {"sync_in_handler", sync_in_a_handler},
    {"signal_elsewhere",
     [] { static_cast<void>(ramjet::wait_signal(first_of(1 - ramjet::rank()), 1)); }},
    {"bulk_request_past_end",
     [] {
       static_cast<void>(
           ramjet::bulk_put_request<&on_deposit>(end_of(1) - 1, buffer, sizeof buffer));
     }},
    {"index_out_of_bounds",
     [] {
       ramjet::spread_frame frame;
       const ramjet::block_array<int> a(frame, 10, 4);
       a[10] = 1;
     }},
    {"empty_blocks", [] { static_cast<void>(ramjet::block_array<int>::all_malloc(10, 0)); }},
    {"queue_without_room", [] { static_cast<void>(ramjet::work_queue<int>::all_make(0)); }},
    {"queue_of_no_rank",
     [] { static_cast<void>(ramjet::work_queue<int>::all_make(10).push(ramjet::size(), 1)); }},
    {"null_queue", [] { static_cast<void>(ramjet::work_queue<int>().try_pop()); }},
    {"push_after_the_end", push_after_the_end},
    {"finish_of_nothing", [] { ramjet::work_queue<int>::all_make(10).finish(); }},
    {"restart_too_early",
     [] { static_cast<void>(ramjet::work_queue<int>::all_make(10).all_restart()); }},
    {"agenda_without_granularity", [] { run_an_agenda(10, {.granularity = 0}); }},
    {"agenda_of_nobody", [] { run_an_agenda(10, {.concurrency = 0}); }},
    {"agendas_disagree", [] { run_an_agenda(std::size_t(ramjet::rank()) + 5, {}); }},
    {"agenda_of_no_rank", [] { run_an_agenda(10, {.master = ramjet::size()}); }},
    {"agenda_in_an_agenda",
     [] {
       static_cast<void>(
           ramjet::run_agenda(10, {}, [](std::size_t, std::size_t) { run_an_agenda(10, {}); }));
     }},
    {"null_table", [] { static_cast<void>(counts().update<add_one>(1)); }},
    {"different_tables", make_different_tables},
    {"freed_table", use_a_freed_table},
    {"owners_disagree", disagree_about_owners},
    {"update_in_a_walk", update_in_a_walk},
    {"invalid_future",
     [] {
       ramjet::future<int> none;
       static_cast<void>(none.ready());
     }},
    {"init_twice",
     [] {
       std::string message;
       if (ramjet::try_init({}, message) == ramjet::status::environment)
         std::printf("refused: %s\n", message.c_str());
     }},
};

}  // namespace

int main(int argc, char** argv) {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  const std::string what = argc > 1 ? argv[1] : "nothing";
  if (breaks_before_init(what)) return 0;
  ramjet::options wanted;
  const char* endpoints = std::getenv("MISUSE_ENDPOINTS");
  wanted.endpoints = endpoints != nullptr ? unsigned(std::atoi(endpoints)) : 2;
  ramjet::init(argc, argv, wanted);
  for (const mistake& m : kMistakes)
    if (what == m.name) m.make();
  for (const auto mistakes : {endpoint_mistakes(), message_mistakes()})
    for (const mistake& m : mistakes)
      if (what == m.name) m.make();
  ramjet::finalize();
  return 0;
}
