// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/check/checker.hpp"

#include <pthread.h>

#include "base/exit_status.hpp"

#include "languages/splitc/check/entry.h"
#include "languages/splitc/check/report.hpp"
#include "ramjet/detail/base/check.hpp"
#include "ramjet/detail/gas/address_space.hpp"

namespace ramjet::splitc::check {

namespace {

constinit bool wanted = false;

void close_in_child() { the_checker->close(); }

}  // namespace

bool is_wanted() noexcept { return wanted; }

void open(site end_of_program, const heap_below& heap) {
  RAMJET_CHECK(detail::space.ranks <= kProcessorsMax,
               "-fcheck: a checked program runs on at most 1024 processors");
  checks::is_checked_thread = true;
  the_checker = new checker(end_of_program, heap);
  checks::active = the_checker;
  pthread_atfork(nullptr, nullptr, close_in_child);
}

checker::checker(site end_of_program, const heap_below& heap)
    : me_(unsigned(detail::space.rank())),
      processors_(unsigned(detail::space.ranks)),
      end_site_(end_of_program),
      heap_(heap),
      own_now_(me_, kMain, now_[kMain], 0),
      known_(processors_ * kComponents),
      landed_(known_.size()),
      outbox_(processors_),
      sent_(processors_),
      received_(processors_),
      due_(processors_) {
  shadow_.open(detail::space.window_base, detail::space.segment_bytes);
}

void checker::close() noexcept {
  is_open_ = false;
  checks::active = nullptr;
  checks::is_checked_thread = false;
}

}  // namespace ramjet::splitc::check

using ramjet::splitc::check::current;

extern "C" {

void splitc_check_wanted(void) { ramjet::splitc::check::wanted = true; }

void splitc_check_own(const volatile void* at, size_t bytes, unsigned how, const void* site) {
  const auto address = std::uint64_t(reinterpret_cast<std::uintptr_t>(at));
  if (address - ramjet::detail::space.window_base >= ramjet::detail::space.segment_bytes) return;
  if (ramjet::checks::now() == nullptr) return;
  current()->own(address, bytes, how, site);
}

void splitc_check_global(uint64_t bits, size_t bytes, unsigned how, const void* site) {
  if (ramjet::checks::now() != nullptr) current()->global(bits, bytes, how, site);
}

void splitc_check_call(const void* site) { ramjet::checks::next_site = site; }

int splitc_check_status(void) {
  return ramjet::splitc::check::reports() != 0 ? ramjet::base::kExitChecked : 0;
}

}  // extern "C"
