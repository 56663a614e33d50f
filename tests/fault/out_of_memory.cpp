// SPDX-License-Identifier: Apache-2.0
// A rank that gets no memory, and does not catch that.
//
//   out_of_memory WHERE     WHERE: main, handler, thread, caught
#include <cstdint>
#include <limits>
#include <new>
#include <string>

#include "ramjet/ramjet.hpp"
#include "ramjet/ult.hpp"

namespace {

std::size_t too_much = std::numeric_limits<std::size_t>::max() / 4;

void allocate() { ::operator delete(::operator new(too_much)); }
void on_request() { allocate(); }

bool is_caught() {
  try {
    allocate();
  } catch (const std::bad_alloc&) {
    return true;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  const std::string where = argv[1];
  if (ramjet::rank() == 1) {
    if (where == "main") allocate();
    if (where == "thread") ramjet::ult::spawn([] { allocate(); }).join();
    if (where == "caught" && !is_caught()) return 1;
  }
  if (where == "handler" && ramjet::rank() == 0) ramjet::request<on_request>(1);
  ramjet::quiesce();
  ramjet::finalize();
}
