// SPDX-License-Identifier: Apache-2.0
// Jobs that hang in waits that look at other ranks' memory. The argument names the hang.
#include <ramjet/ramjet.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace {

void wait_for_ever(const char* name) {
  while (ramjet::wait_until([] { return false; }, name) == ramjet::status::ok) {
  }
}

// Rank 2 holds a lock of rank 0's, which two ranks have held before.
void lock() {
  ramjet::global_mutex lock;
  if (ramjet::rank() == 0) lock = ramjet::global_mutex::make();
  ramjet::broadcast(lock, 0);
  for (int holder : {1, 3}) {
    if (ramjet::rank() == holder && lock.lock() == ramjet::status::ok) lock.unlock();
    ramjet::barrier();
  }
  if (ramjet::rank() == 2) static_cast<void>(lock.lock());
  ramjet::barrier();
  if (ramjet::rank() == 2) wait_for_ever("long work");
  static_cast<void>(lock.lock());
}

// Rank 2 holds an item and does not finish it.
void queue() {
  const auto queue = ramjet::work_queue<int>::all_make(8);
  std::optional<int> item;
  if (ramjet::rank() == 2) wait_for_ever("long work");
  static_cast<void>(queue.next(item));
}

// Nobody makes room in rank 2's queue.
void full_queue() {
  const auto queue = ramjet::work_queue<int>::all_make(8);
  if (ramjet::rank() != 2)
    while (queue.push(2, 1) == ramjet::status::ok) {
    }
  wait_for_ever("long work");
}

// Rank 2 waits again and again, for some time each.
void short_waits() {
  if (ramjet::rank() == 2)
    for (;;) static_cast<void>(ramjet::wait_for(20, [] { return false; }, "a short wait"));
  ramjet::barrier();
}

const std::map<std::string, std::function<void()>> hangs{
    {"lock", lock}, {"queue", queue}, {"full_queue", full_queue}, {"short_waits", short_waits}};

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  ramjet::barrier();
  hangs.at(argc > 1 ? argv[1] : "")();
  ramjet::finalize();
}
