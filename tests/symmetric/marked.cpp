// SPDX-License-Identifier: Apache-2.0
// A C++ program whose variables are its own, but for those that are marked.
//
//   marked          marked variables are reached by others
//   marked MISUSE   a target of another kind, or a mismatch
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "ramjet/ramjet.hpp"

namespace {

using ramjet::global_ptr;

RAMJET_SYMMETRIC int counter = 5;
RAMJET_SYMMETRIC double table[20];
RAMJET_SYMMETRIC_ZEROED char large[100 << 20];
int unmarked = 1;

struct made_by_a_constructor {
  explicit made_by_a_constructor(int v) : value(v), itself(this) {}
  int value;
  made_by_a_constructor* itself;
};
RAMJET_SYMMETRIC made_by_a_constructor made(std::atoi("17"));

int* count() {
  RAMJET_SYMMETRIC static int calls = 100;
  ++calls;
  return &calls;
}

#define EXPECT(condition) RAMJET_CHECK(condition, "as the test says")

int misuse(const char* name) {
  const int other = (ramjet::rank() + 1) % ramjet::size();
  int on_stack = 0;
  const auto on_heap = std::make_unique<int>(3);
  int* const target = std::strcmp(name, "static") == 0  ? &unmarked
                      : std::strcmp(name, "stack") == 0 ? &on_stack
                                                        : on_heap.get();
  ramjet::write(global_ptr<int>(other, target), 1);
  return 0;
}

}  // namespace

extern "C" int* of_c(void);  // marked.c

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  if (argc > 1) return misuse(argv[1]);
  const int me = ramjet::rank(), right = (me + 1) % ramjet::size();
  const int left = (me + ramjet::size() - 1) % ramjet::size();
  EXPECT(counter == 5 && made.value == 17 && made.itself == &made && *count() == 101);
  EXPECT(*of_c() == 8);
  EXPECT(ramjet::barrier() == ramjet::status::ok);
  ramjet::write(global_ptr<int>(right, &counter), me);
  ramjet::put(global_ptr<double>(right, &table[19]), me + 0.5);
  ramjet::fetch_add(global_ptr<int>(right, of_c()), me);
  ramjet::write(global_ptr<char>(right, &large[sizeof large - 1]), char(me + 1));
  EXPECT(ramjet::sync_all() == ramjet::status::ok);
  EXPECT(ramjet::barrier() == ramjet::status::ok);
  EXPECT(counter == left && table[19] == left + 0.5 && *of_c() == 8 + left);
  EXPECT(large[sizeof large - 1] == left + 1);
  EXPECT(ramjet::read(global_ptr<int>(right, &made.value)) == 17);
  ramjet::finalize();
  EXPECT(counter == left && *count() == 102);  // they are still there
}
