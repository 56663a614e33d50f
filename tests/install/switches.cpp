// SPDX-License-Identifier: Apache-2.0
// Messages and accesses around switches; check.sh looks at the code that -fPIC makes of it.
#include "ramjet/ramjet.hpp"
#include "ramjet/ult.hpp"

static void on_note(int) {}

__attribute__((visibility("default"))) long use_around_switches(ramjet::global_ptr<long> p) {
  ramjet::request<on_note>(0, 1);
  long sum = ramjet::read(p);
  ramjet::put(p, 1L);
  ramjet::ult::this_thread::yield();
  ramjet::request<on_note>(0, 2);
  sum += ramjet::read(p);
  ramjet::put(p, 2L);
  ramjet::ult::this_thread::yield();
  ramjet::poll();
  return sum + ramjet::fetch_add(p, 1L);
}
