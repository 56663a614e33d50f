// SPDX-License-Identifier: Apache-2.0
// The collectives and waits of Split-C, as splitc_names.h declares them.
#include <algorithm>
#include <bit>
#include <chrono>
#include <functional>

#include "c/checks.hpp"
#include "ramjet/ramjet.hpp"
#include "ramjet/splitc.h"

// splitc_names.h declares them so; its short names have no place in C++.
#pragma GCC visibility push(default)

namespace {

using ramjet::status;
using ramjet::checks::collective;

#define RAMJET_CALLER __builtin_return_address(0)

// What a checked program's processors tell each other before a collective call. In a function that
// has them as its last parameters, too: by the function of the library that calls it.
void enters(collective kind, const char* function = __builtin_FUNCTION(),
            const void* caller = RAMJET_CALLER) {
  if (ramjet::checks::observer* const o = ramjet::checks::now(); o != nullptr) [[unlikely]]
    o->enter(kind, function, 0, 0, ramjet::checks::site_of(caller));
}

void go_on(status s) {
  RAMJET_CHECK(s == status::ok, "a rank died, and a Split-C program cannot go on without it");
}

template <class T, class Op>
T reduced(T value, Op op, const char* function = __builtin_FUNCTION(),
          const void* caller = RAMJET_CALLER) {
  enters(collective::reduce_to_all, function, caller);
  go_on(ramjet::all_reduce(value, op));
  return value;
}
template <class T, class Op>
T scanned(T value, Op op, const char* function = __builtin_FUNCTION(),
          const void* caller = RAMJET_CALLER) {
  enters(collective::scan, function, caller);
  go_on(ramjet::inclusive_scan(value, op));
  return value;
}
template <class T>
T broadcast(T value, const char* function = __builtin_FUNCTION(),
            const void* caller = RAMJET_CALLER) {
  enters(collective::broadcast, function, caller);
  go_on(ramjet::broadcast(value));
  return value;
}

// Sums of int wrap, as they do where programs of the language come from.
int sum(int a, int b) { return int(unsigned(a) + unsigned(b)); }
template <class T>
T larger(T a, T b) {
  return std::max(a, b);
}
template <class T>
T smaller(T a, T b) {
  return std::min(a, b);
}

const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

}  // namespace

extern "C" {

int splitc_procslog(void) { return ramjet::detail::space.ranks_log; }
double splitc_get_seconds(void) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void splitc_barrier(void) {
  enters(collective::barrier);
  go_on(ramjet::barrier());
}
void splitc_sync_or_end(void) {
  go_on(ramjet::sync_all());
  if (auto* const o = ramjet::checks::now(); o != nullptr) o->synced();
}
void splitc_all_store_sync_or_end(void) {
  enters(collective::all_store_sync, "splitc_all_store_sync");
  go_on(ramjet::all_store_sync());
}
void splitc_store_sync_or_end(int bytes) {
  if (bytes <= 0) return;
  if (auto* const o = ramjet::checks::now(); o != nullptr) o->store_sync_begins();
  go_on(ramjet::store_sync(std::size_t(bytes)));
  if (auto* const o = ramjet::checks::now(); o != nullptr) o->stores_arrived();
}
splitc_spread splitc_all_spread_malloc_checked(ptrdiff_t count, ptrdiff_t bytes) {
  if (count < 0 || bytes < 0) return {0};
  auto* const o = ramjet::checks::now();
  if (o == nullptr) return splitc_all_spread_malloc(std::size_t(count), std::size_t(bytes));
  const void* const site = ramjet::checks::site_of(RAMJET_CALLER);
  const std::size_t blocks = std::size_t(count), block_bytes = std::size_t(bytes);
  o->enter(collective::spread_malloc, "splitc_all_spread_malloc", blocks, block_bytes, site);
  const splitc_spread taken = splitc_all_spread_malloc(o->padded(blocks, block_bytes), block_bytes);
  o->spread_taken(taken.bits, blocks, block_bytes, false, site);
  return taken;
}
void splitc_atomic_or_end(const splitc_procedure* f, splitc_global at, const uint64_t* arguments,
                          unsigned count) {
  go_on(static_cast<status>(splitc_atomic(f, at, arguments, count)));
}

int splitc_all_reduce_to_one_add(int value) {
  enters(collective::reduce_to_one);
  go_on(ramjet::reduce(value, sum));
  return value;
}
int splitc_all_reduce_to_all_add(int value) { return reduced(value, sum); }
int splitc_all_reduce_to_all_max(int value) { return reduced(value, larger<int>); }
int splitc_all_reduce_to_all_min(int value) { return reduced(value, smaller<int>); }
int splitc_all_reduce_to_all_or(int value) { return reduced(value, std::bit_or()); }
int splitc_all_reduce_to_all_and(int value) { return reduced(value, std::bit_and()); }
int splitc_all_reduce_to_all_xor(int value) { return reduced(value, std::bit_xor()); }
double splitc_all_reduce_to_all_dadd(double value) { return reduced(value, std::plus()); }
double splitc_all_reduce_to_all_dmax(double value) { return reduced(value, larger<double>); }
double splitc_all_reduce_to_all_dmin(double value) { return reduced(value, smaller<double>); }

int splitc_all_scan_add(int value) { return scanned(value, sum); }
int splitc_all_scan_max(int value) { return scanned(value, larger<int>); }
int splitc_all_scan_min(int value) { return scanned(value, smaller<int>); }
int splitc_all_scan_or(int value) { return scanned(value, std::bit_or()); }
int splitc_all_scan_and(int value) { return scanned(value, std::bit_and()); }
int splitc_all_scan_xor(int value) { return scanned(value, std::bit_xor()); }
double splitc_all_scan_dadd(double value) { return scanned(value, std::plus()); }

int splitc_all_bcast_i(int value) { return broadcast(value); }
double splitc_all_bcast_d(double value) { return broadcast(value); }

void splitc_all_gather(int* v) {
  enters(collective::gather);
  const int mine = v[0];
  go_on(ramjet::gather(mine, v));
}
void splitc_all_gather_d(double* v) {
  enters(collective::gather);
  const double mine = v[0];
  go_on(ramjet::gather(mine, v));
}
void splitc_all_concat(int* v) {
  enters(collective::concat);
  const int mine = v[0];
  go_on(ramjet::all_gather(mine, v));
}

}  // extern "C"

#pragma GCC visibility pop
