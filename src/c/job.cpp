// SPDX-License-Identifier: Apache-2.0
// ramjet.h over the C++ core: all that is not a message, each function one call of its C++ form.
//
// Threads: the endpoint that a thread has opened is that thread's, here in a thread_local.
#include <utility>

#include "am/runtime.hpp"
#include "c/status.hpp"
#include "ramjet/ramjet.h"
#include "ramjet/ramjet.hpp"

namespace {

using ramjet::status;

static_assert(RAMJET_OK == int(status::ok));
static_assert(RAMJET_RETRY == int(status::retry));
static_assert(RAMJET_PEER_FAILED == int(status::peer_failed));
static_assert(RAMJET_BAD_RANK == int(status::bad_rank));
static_assert(RAMJET_TOO_LARGE == int(status::too_large));
static_assert(RAMJET_BAD_ADDRESS == int(status::bad_address));
static_assert(RAMJET_NO_MEMORY == int(status::no_memory));
static_assert(RAMJET_TIMED_OUT == int(status::timed_out));
static_assert(RAMJET_MISMATCH == int(status::mismatch));
static_assert(RAMJET_ENVIRONMENT == int(status::environment));

thread_local ramjet::endpoint* own_endpoint = nullptr;

}  // namespace

extern "C" {

const char* ramjet_status_text(ramjet_status s) { return to_string(static_cast<status>(s)); }

void ramjet_init(int* argc, char*** argv) { ramjet_init_with(argc, argv, 1, 0); }
void ramjet_init_with(int* argc, char*** argv, unsigned endpoints, size_t segment_bytes) {
  int no_count = 0;
  char** no_words = nullptr;
  ramjet::init(argc != nullptr ? *argc : no_count, argv != nullptr ? *argv : no_words,
               {endpoints, segment_bytes});
}
void ramjet_finalize(void) { ramjet::finalize(); }
void ramjet_end_job(int exit_status) { ramjet::end_job(exit_status); }
int ramjet_initialized(void) { return ramjet::initialized() ? 1 : 0; }
int ramjet_rank(void) { return ramjet::rank(); }
int ramjet_size(void) { return ramjet::size(); }
int ramjet_node_of(int rank) { return ramjet::node_of(rank); }
int ramjet_nodes(void) { return ramjet::nodes(); }

int ramjet_last_failure(int* signal, int* exit_status) {
  const ramjet::lost_rank lost = ramjet::last_failure();
  if (signal != nullptr) *signal = lost.signal;
  if (exit_status != nullptr) *exit_status = lost.exit_status;
  return lost.rank;
}
int ramjet_alive(int rank) { return ramjet::alive(rank) ? 1 : 0; }

void ramjet_endpoint_open(unsigned index) {
  RAMJET_CHECK(own_endpoint == nullptr, "this thread has opened an endpoint: close it first");
  own_endpoint = new ramjet::endpoint(index);
}
void ramjet_endpoint_close(void) {
  RAMJET_CHECK(own_endpoint != nullptr, "this thread has opened no endpoint");
  delete std::exchange(own_endpoint, nullptr);
}
unsigned ramjet_endpoint_index(void) {
  const ramjet::detail::engine& e = *ramjet::detail::current_engine;
  if (e.ranks() == 0) ramjet::detail::no_endpoint("ramjet_endpoint_index");
  return e.endpoint();
}

unsigned ramjet_poll(void) { return ramjet::poll(); }
void ramjet_flush(void) { ramjet::flush(); }
ramjet_status ramjet_wait_until(int (*done)(void* context), void* context) {
  RAMJET_CHECK(done != nullptr, "ramjet_wait_until: the function to wait by is null");
  return c_status(ramjet::wait_until([&] { return done(context) != 0; }));
}
ramjet_status ramjet_wait_for(uint64_t milliseconds, int (*done)(void* context), void* context) {
  RAMJET_CHECK(done != nullptr, "ramjet_wait_for: the function to wait by is null");
  return c_status(ramjet::wait_for(milliseconds, [&] { return done(context) != 0; }));
}

void* ramjet_segment_allocate(size_t bytes) { return ramjet::segment_allocate(bytes); }
void ramjet_segment_free(void* memory) { ramjet::segment_free(memory); }
size_t ramjet_segment_bytes(void) { return ramjet::segment_bytes(); }
void* ramjet_segment_begin(int rank) { return ramjet::segment_begin(rank); }
int ramjet_segment_owner(const void* address) { return ramjet::segment_owner(address); }

}  // extern "C"
