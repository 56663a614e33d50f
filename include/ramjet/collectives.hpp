// SPDX-License-Identifier: Apache-2.0
// Collectives: barrier, broadcast, reductions, scans, gathers, exchanges, and quiesce.
//
// All members of `among` take part, by their endpoints of the same index, in the same order of
// calls; without a team that is every rank of the job. Roots and the order of results go by the
// numbers in the team. They poll while they wait, so handlers run. Not inside a handler.
// T is trivially copyable, aligned to at most 64; arrays are as long in every rank unless counts
// say how long.
//
// peer_failed if a rank of the job is dead, in the team or not; the values are then undefined.
// A root outside the team, lengths that differ, or different calls of one team, other roots
// included, end the process with one line. What is found by a message is found as it comes; members
// that only wait for each other are found after a tenth of a second.
//
// An operator op(a, b) -> T is associative and need not be commutative: values are combined in the
// order of ranks. Where they are bracketed is the same for all ranks of a call, so that all see the
// same bits, but depends on the number of ranks, on lengths, and on whether ranks outnumber cores.
// An operator does not throw: not all ranks run it, and the others would wait for ever. What leaves
// it ends the process with one line that names the rank and the exception.
//
// Only quiesce separates rounds of messages. A barrier or another collective says nothing about
// messages: a handler of a message that was sent before it may run after it, and the handler of a
// message that a faster rank sends after it may run inside it, while this rank still waits. The
// values of collectives themselves never mix with those of earlier or later calls.
//
// Cost, with n ranks: values of up to 32 bytes travel as short messages, more in pieces of up to
// 64 KiB, copied twice on the way. Where ranks outnumber the cores, short collectives go by one
// rank that receives all and answers all: two turns of the processors. docs/adr/0007 has figures.
// What comes for a call that a member has not reached yet is kept there. Of each other member of
// the team that is at most 512 KiB, where a message counts as its bytes and 128 more, or two
// messages that are longer; where more than 64 are members it is less, down to 64 KiB. A member
// that would send more waits in its call until the other has taken half of that. No program hangs
// by it whose calls could as well all wait for all members: so what a member awaits before it calls
// is not to come from another that first makes many calls more.
#pragma once

#include <span>
#include <type_traits>

#include "ramjet/detail/base/conversion.hpp"
#include "ramjet/status.hpp"
#include "ramjet/team.hpp"

#pragma GCC visibility push(default)

namespace ramjet {

namespace detail {

// Arrays of values, without their type. src/am/collectives/.
struct array_view {
  void* data;
  std::size_t count;
  std::size_t element_bytes;
  std::size_t bytes() const noexcept { return count * element_bytes; }
};
// into[i] = op(into[i], other[i]) for i < count.
struct combination {
  void (*run)(void* context, void* into, const void* other, std::size_t count);
  void* context;
};
using counts_view = std::span<const std::size_t>;  // by member

// Runs it. What the operator throws ends the process with one line.
void combine(const combination& op, void* into, const void* other, std::size_t count) noexcept;

status broadcast_bytes(const team& among, array_view values, int root);
status reduce_bytes(const team& among, array_view values, combination op, int root);
status all_reduce_bytes(const team& among, array_view values, combination op);
// What the members before this one come to; with this one if `inclusive`. Nothing is before 0.
status scan_bytes(const team& among, array_view values, combination op, bool inclusive);
status gather_bytes(const team& among, array_view mine, array_view all, int root);
status gather_bytes(const team& among, array_view mine, array_view all, counts_view counts,
                    int root);
status all_gather_bytes(const team& among, array_view mine, array_view all);
status all_gather_bytes(const team& among, array_view mine, array_view all, counts_view counts);
status all_to_all_bytes(const team& among, array_view from, array_view into);
status all_to_all_bytes(const team& among, array_view from, counts_view from_counts,
                        array_view into, counts_view into_counts);

template <class T>
concept travels = std::is_trivially_copyable_v<T> && alignof(T) <= 64;
template <class T>
inline constexpr bool is_span = false;
template <class T, std::size_t N>
inline constexpr bool is_span<std::span<T, N>> = true;
template <class T>
concept single = travels<T> && !is_span<T>;
// U is T or const T: what an argument that is only read is made of.
template <class U, class T>
concept readable_as = travels<T> && std::is_same_v<std::remove_const_t<U>, T>;

// Nothing is written through a view of what is only read.
template <class T>
array_view view_of(std::span<T> s) noexcept {
  return {const_cast<std::remove_const_t<T>*>(s.data()), s.size(), sizeof(T)};
}
template <class T>
array_view view_of(const T& value) noexcept {
  return {const_cast<T*>(&value), 1, sizeof(T)};
}
template <class T, class Op>
combination combining(Op& op) noexcept {
  const auto run = [](void* context, void* into, const void* other, std::size_t count) {
    Op& combine = *static_cast<Op*>(context);
    T* a = static_cast<T*>(into);
    const T* b = static_cast<const T*>(other);
    for (std::size_t i = 0; i < count; ++i) a[i] = combine(a[i], b[i]);
  };
  return {run, &op};
}
template <class T, class Op>
status exclusive_scan(std::span<T> values, T init, Op& op, const team& among) {
  const combination c = combining<T>(op);
  if (const status s = scan_bytes(among, view_of(values), c, false); s != status::ok) return s;
  for (T& v : values) {
    T with_init = init;
    if (among.rank() != 0) combine(c, &with_init, &v, 1);
    v = with_init;
  }
  return status::ok;
}

}  // namespace detail

// --- Barriers -----------------------------------------------------------------------------------

// Returns when every member has entered. With a core for each rank: dissemination, log2(n) messages
// deep. Where ranks outnumber the cores: a shared counter for the job, member 0 for other teams.
status barrier(const team& among = team::world());

// A barrier in two halves with work between them, in which polls serve messages and move the
// barrier on: notify says that this rank has come, wait returns when every member has. Notify sends
// what it can and does not wait. To notify again before the wait, or to wait without, ends the
// process; so does a whole barrier of the same team in between. Other collectives are free; it is
// the notify that has a place in the order of calls.
status barrier_notify(const team& among = team::world());
status barrier_wait(const team& among = team::world());
// Polls once, then: ok, as barrier_wait, if every member has come; retry if not. A loop of tries
// yields the processor where ranks share it.
[[nodiscard]] status barrier_try(const team& among = team::world());

// Ends a round of messages:
//
//   for (int step = 0; step < steps; ++step) {
//     request<on_part>(neighbour, part);  // on_part counts what arrives
//     quiesce();  // every part of this step has been counted, and none of the next step
//   }
//
// A round is everything that the endpoints of this index send to each other before they call
// quiesce, and everything that the handlers of these messages send: requests, replies, chained and
// aggregated messages, calls. When quiesce returns on a rank, that rank has handled all messages of
// the round that were sent to it, and no handler runs. It has handled no message of the next round:
// what a faster rank sends after its own quiesce waits here until the first poll after this one's.
//
// Not separated by rounds: handlers on a co-processor (coproc_safe), which may run as soon as
// quiesce has returned; accesses to global memory and the bytes of long messages, which arrive when
// they are sent; messages between endpoints of different indices; and what other user-level threads
// of this rank send while one of them is in quiesce.
//
// Of all ranks only. Cost: an all-reduce and a barrier, and one more all-reduce whenever messages
// are found in flight. src/am/collectives/quiesce.cpp; docs/adr/0033.
status quiesce();

// --- One to all, all to one ---------------------------------------------------------------------

// Gives root's value to every member. Cost: log2(n) messages deep, n - 1 in all; longer ones follow
// the same tree piece by piece.
template <detail::single T>
status broadcast(T& value, int root = 0, const team& among = team::world()) {
  return detail::broadcast_bytes(among, detail::view_of(value), root);
}
template <detail::travels T>
status broadcast(std::span<T> values, int root = 0, const team& among = team::world()) {
  return detail::broadcast_bytes(among, detail::view_of(values), root);
}

// Combines the values of all members in their order and leaves the result in `value` at root; it
// stays as it was elsewhere. Cost: log2(n) + 1 messages deep, n in all.
template <detail::single T, class Op>
status reduce(T& value, Op op, int root = 0, const team& among = team::world()) {
  return detail::reduce_bytes(among, detail::view_of(value), detail::combining<T>(op), root);
}
// Element by element.
template <detail::travels T, class Op>
status reduce(std::span<T> values, Op op, int root = 0, const team& among = team::world()) {
  return detail::reduce_bytes(among, detail::view_of(values), detail::combining<T>(op), root);
}

// Combines the values of all members in their order and leaves the result in `value` everywhere.
// Cost: at most log2(n) + 2 messages deep; long arrays: twice their length sent by each rank.
template <detail::single T, class Op>
status all_reduce(T& value, Op op, const team& among = team::world()) {
  return detail::all_reduce_bytes(among, detail::view_of(value), detail::combining<T>(op));
}
// Element by element.
template <detail::travels T, class Op>
status all_reduce(std::span<T> values, Op op, const team& among = team::world()) {
  return detail::all_reduce_bytes(among, detail::view_of(values), detail::combining<T>(op));
}

// --- Scans --------------------------------------------------------------------------------------

// Leaves in `value` what the values of members 0 to this one come to. Cost: log2(n) messages deep.
template <detail::single T, class Op>
status inclusive_scan(T& value, Op op, const team& among = team::world()) {
  return detail::scan_bytes(among, detail::view_of(value), detail::combining<T>(op), true);
}
// Element by element.
template <detail::travels T, class Op>
status inclusive_scan(std::span<T> values, Op op, const team& among = team::world()) {
  return detail::scan_bytes(among, detail::view_of(values), detail::combining<T>(op), true);
}

// Leaves in `value` what init and the values of the members before this one come to; init itself at
// member 0. An init that does not fit T is refused, as an argument of a request is (handler.hpp).
// Cost: as inclusive_scan.
template <detail::single T, class Op, class Init = T>
status exclusive_scan(T& value, const Init& init, Op op, const team& among = team::world()) {
  return detail::exclusive_scan(std::span<T>(&value, 1), detail::fit_argument<2, T>(init), op,
                                among);
}
// Element by element, with the same init for each.
template <detail::travels T, class Op, class Init = T>
status exclusive_scan(std::span<T> values, const Init& init, Op op,
                      const team& among = team::world()) {
  return detail::exclusive_scan(values, detail::fit_argument<2, T>(init), op, among);
}

// --- Gathers ------------------------------------------------------------------------------------

// Brings every member's value to `all`, an array of among.size() at root (not used elsewhere).
// Cost: one message deep, n - 1 in all.
template <detail::single T>
status gather(const T& value, T* all, int root = 0, const team& among = team::world()) {
  return detail::gather_bytes(
      among, detail::view_of(value),
      {all, among.rank() == root ? std::size_t(among.size()) : 0, sizeof(T)}, root);
}
// Brings every member's array, one after the other. `mine` may be where it goes in `all`.
template <class U, detail::travels T>
  requires detail::readable_as<U, T>
status gather(std::span<U> mine, std::span<T> all, int root = 0,
              const team& among = team::world()) {
  return detail::gather_bytes(among, detail::view_of(mine), detail::view_of(all), root);
}
// The same for arrays of any lengths: counts[r] is that of member r (used at root only).
template <class U, detail::travels T>
  requires detail::readable_as<U, T>
status gather(std::span<U> mine, std::span<T> all, std::span<const std::size_t> counts,
              int root = 0, const team& among = team::world()) {
  return detail::gather_bytes(among, detail::view_of(mine), detail::view_of(all), counts, root);
}

// The gathers, with the result in every rank. Cost: log2(n) messages deep for short results, n - 1
// messages to and from each rank for long ones.
template <detail::single T>
status all_gather(const T& value, T* all, const team& among = team::world()) {
  return detail::all_gather_bytes(among, detail::view_of(value),
                                  {all, std::size_t(among.size()), sizeof(T)});
}
template <class U, detail::travels T>
  requires detail::readable_as<U, T>
status all_gather(std::span<U> mine, std::span<T> all, const team& among = team::world()) {
  return detail::all_gather_bytes(among, detail::view_of(mine), detail::view_of(all));
}
// counts are the same everywhere.
template <class U, detail::travels T>
  requires detail::readable_as<U, T>
status all_gather(std::span<U> mine, std::span<T> all, std::span<const std::size_t> counts,
                  const team& among = team::world()) {
  return detail::all_gather_bytes(among, detail::view_of(mine), detail::view_of(all), counts);
}

// --- Exchange -----------------------------------------------------------------------------------

// Every member gives every member a part of `from`, in the order of ranks, and finds in `into` what
// it was given, in the order of ranks: among.size() parts of the same length, one value each or
// more. The arrays do not overlap. Cost: n - 1 messages to and from each rank, all under way at
// once.
template <class U, detail::travels T>
  requires detail::readable_as<U, T>
status all_to_all(std::span<U> from, std::span<T> into, const team& among = team::world()) {
  return detail::all_to_all_bytes(among, detail::view_of(from), detail::view_of(into));
}
// The same for parts of any lengths: from_counts[r] values to member r, into_counts[r] from it.
template <class U, detail::travels T>
  requires detail::readable_as<U, T>
status all_to_all(std::span<U> from, std::span<const std::size_t> from_counts, std::span<T> into,
                  std::span<const std::size_t> into_counts, const team& among = team::world()) {
  return detail::all_to_all_bytes(among, detail::view_of(from), from_counts, detail::view_of(into),
                                  into_counts);
}

}  // namespace ramjet

#pragma GCC visibility pop
