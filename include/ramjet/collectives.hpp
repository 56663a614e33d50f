// SPDX-License-Identifier: Apache-2.0
// The collectives that a job needs to start: barrier, broadcast, all-reduce, gather, and quiesce.
// Every rank's endpoint of the same index takes part, in the same order of calls. They poll while
// they wait, so handlers run. Not inside a handler. peer_failed if a rank of the job is dead; the
// values are then undefined. A root outside the job, or lengths that differ, end the process.
// Cost: about log2(ranks) round trips; values of up to 64 KiB travel as one message.
#pragma once

#include <span>
#include <type_traits>

#include "ramjet/status.hpp"

namespace ramjet {

namespace detail {
// Untyped forms, src/am/collectives.cpp.
status broadcast_bytes(void* data, std::size_t bytes, int root);
status gather_bytes(const void* mine, std::size_t bytes, void* all, int root);
using combine_function = void (*)(void* context, void* into, const void* other);
status all_reduce_bytes(void* data, std::size_t bytes, combine_function combine, void* context);
}  // namespace detail

// Returns when every rank has entered. Dissemination over messages with a core for each rank, a
// shared counter where ranks outnumber the cores.
status barrier();

// Returns when no message, chained ones included, is in flight between the endpoints of this index
// anywhere, and no handler is running. Messages sent by a rank after it returned from quiesce are
// of the next round. Cost: two all-reduces, more while messages go on.
status quiesce();

// Gives root's value to every rank.
template <class T>
  requires std::is_trivially_copyable_v<T>
status broadcast(T& value, int root = 0) {
  return detail::broadcast_bytes(&value, sizeof value, root);
}
// Gives root's array to every rank; the same length everywhere.
template <class T>
  requires std::is_trivially_copyable_v<T>
status broadcast(std::span<T> values, int root = 0) {
  return detail::broadcast_bytes(values.data(), values.size_bytes(), root);
}

// Combines the values of all ranks by op(a, b), in the order of the ranks, and leaves the result in
// `value` everywhere. op must be associative; the result is the same bits on every rank.
template <class T, class Op>
  requires std::is_trivially_copyable_v<T>
status all_reduce(T& value, Op op) {
  const auto combine = [](void* context, void* into, const void* other) {
    T& a = *static_cast<T*>(into);
    a = (*static_cast<Op*>(context))(a, *static_cast<const T*>(other));
  };
  return detail::all_reduce_bytes(&value, sizeof value, combine, &op);
}

// Brings every rank's value to `all`, an array of size() at root (not looked at elsewhere).
template <class T>
  requires std::is_trivially_copyable_v<T>
status gather(const T& value, T* all, int root = 0) {
  return detail::gather_bytes(&value, sizeof value, all, root);
}

}  // namespace ramjet
