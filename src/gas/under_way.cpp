// SPDX-License-Identifier: Apache-2.0
#include "gas/under_way.hpp"

#include <utility>

#include "ramjet/detail/am/engine.hpp"
#include "ramjet/gas.hpp"
#include "ramjet/ult/local.hpp"
#include "ult/parts.hpp"

namespace ramjet::detail {

constinit thread_local procedure_counts counts_of_thread;

namespace {

using ult::detail::this_worker;
using ult::detail::worker;

void note_failure(bool& failed) noexcept {
  if (!std::exchange(failed, true)) ++procedures().unreported;
}
bool take(bool& failed) noexcept {
  if (!failed) return false;
  failed = false;
  --procedures().unreported;
  return true;
}

// At the worker that counts them.
void leave_to_nobody(own_operations* own) noexcept {
  procedures().of_threads -= own->count;
  if (take(own->failed)) note_failure(procedures().failed);
  own->left = true;
  if (own->count == 0) delete own;
}
void leave(own_operations* own) noexcept {
  if (own->at == this_worker()) return leave_to_nobody(own);
  own->run = [](worker*, ult::detail::parcel* p) {
    leave_to_nobody(static_cast<own_operations*>(p));
  };
  ult::detail::send(own->at, ult::detail::item_of(static_cast<ult::detail::parcel*>(own)));
}

// A user-level thread's, for as long as it lives.
struct holder {
  own_operations* now = nullptr;
  ~holder() {
    if (now != nullptr) leave(now);
  }
};
const ult::local<holder> own_holder;

// Null in a handler and in a condition's test, which are no thread's.
own_operations* make_own_operations(const engine& e) {
  worker* const w = this_worker();
  if (!e.serves_threads() || e.in_handler() || w->self == w->watcher) return nullptr;
  holder& of = *own_holder;
  if (of.now != nullptr && of.now->at != w) leave(std::exchange(of.now, nullptr));
  if (of.now == nullptr) of.now = new own_operations{{}, w};
  return of.now;
}

}  // namespace

own_operations* operation_begins(const engine& e) noexcept {
  own_operations* const own = make_own_operations(e);
  ++procedures().begun;
  if (own == nullptr) return nullptr;
  ++procedures().of_threads;
  ++own->count;
  return own;
}

void operation_ends(own_operations* of, status how) noexcept {
  ++procedures().ended;
  const bool is_nobodys = of == nullptr || of->left;
  if (!is_nobodys) --procedures().of_threads;
  if (how != status::ok) note_failure(is_nobodys ? procedures().failed : of->failed);
  if (of == nullptr) return;
  --of->count;
  if (of->left && of->count == 0) delete of;
}

own_operations* find_own_operations() noexcept {
  const holder* const of = own_holder.find();
  return of != nullptr && of->now != nullptr && of->now->at == this_worker() ? of->now : nullptr;
}

bool have_ended(const own_operations* own) noexcept {
  const std::uint64_t nobodys = procedures().begun - procedures().ended - procedures().of_threads;
  return nobodys == 0 && (own == nullptr || own->count == 0);
}

bool take_failure(own_operations* own) noexcept {
  const bool nobodys = take(procedures().failed);
  return (own != nullptr && take(own->failed)) || nobodys;
}

void report_at_sync() noexcept {
  own_operations* const own = make_own_operations(*current_engine);
  note_failure(own == nullptr ? procedures().failed : own->failed);
}

}  // namespace ramjet::detail
