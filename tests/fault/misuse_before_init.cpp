// SPDX-License-Identifier: Apache-2.0
#include "misuse.hpp"
#include "ramjet/ramjet.hpp"

namespace {

void on_nothing() {}
int element;

}  // namespace

bool breaks_before_init(const std::string& what) {
  if (what == "request_before_init") {
    ramjet::request<on_nothing>(0);
  } else if (what == "poll_before_init") {
    ramjet::poll();
  } else if (what == "flush_before_init") {
    ramjet::flush();
  } else if (what == "wait_before_init") {
    static_cast<void>(ramjet::wait_until([] { return false; }));
  } else if (what == "barrier_before_init") {
    static_cast<void>(ramjet::barrier());
  } else if (what == "endpoint_before_init") {
    ramjet::endpoint own(1);
  } else if (what == "allocate_before_init") {
    ramjet::segment_allocate(10);
  } else if (what == "read_before_init") {
    ramjet::read(ramjet::global_ptr<int>(0, &element));
  } else if (what == "null_before_init") {
    *ramjet::global_ptr<int>() = 1;
  } else if (what == "spread_malloc_before_init") {
    ramjet::all_spread_malloc(1, 1);
  } else if (what == "frame_before_init") {
    ramjet::spread_frame frame;
  } else if (what == "all_store_sync_before_init") {
    static_cast<void>(ramjet::all_store_sync());
  } else if (what == "finalize_before_init") {
    ramjet::finalize();
  } else {
    return false;
  }
  return true;
}
