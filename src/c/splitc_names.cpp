// SPDX-License-Identifier: Apache-2.0
// The collectives and waits of Split-C, as splitc_names.h declares them.
#include <algorithm>
#include <bit>
#include <chrono>
#include <functional>

#include "ramjet/ramjet.hpp"
#include "ramjet/splitc.h"

// splitc_names.h declares them so; its short names have no place in C++.
#pragma GCC visibility push(default)

namespace {

using ramjet::status;

void go_on(status s) {
  RAMJET_CHECK(s == status::ok, "a rank died, and a Split-C program cannot go on without it");
}

template <class T, class Op>
T reduced(T value, Op op) {
  go_on(ramjet::all_reduce(value, op));
  return value;
}
template <class T, class Op>
T scanned(T value, Op op) {
  go_on(ramjet::inclusive_scan(value, op));
  return value;
}
template <class T>
T broadcast(T value) {
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

void splitc_barrier(void) { go_on(ramjet::barrier()); }
void splitc_sync_or_end(void) { go_on(ramjet::sync()); }
void splitc_all_store_sync_or_end(void) { go_on(ramjet::all_store_sync()); }
void splitc_store_sync_or_end(int bytes) {
  if (bytes > 0) go_on(ramjet::store_sync(std::size_t(bytes)));
}
splitc_spread splitc_all_spread_malloc_checked(ptrdiff_t count, ptrdiff_t bytes) {
  if (count < 0 || bytes < 0) return {0};
  return splitc_all_spread_malloc(std::size_t(count), std::size_t(bytes));
}
void splitc_atomic_or_end(const splitc_procedure* f, splitc_global at, const uint64_t* arguments,
                          unsigned count) {
  go_on(static_cast<status>(splitc_atomic(f, at, arguments, count)));
}

int splitc_all_reduce_to_one_add(int value) {
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
  const int mine = v[0];
  go_on(ramjet::gather(mine, v));
}
void splitc_all_gather_d(double* v) {
  const double mine = v[0];
  go_on(ramjet::gather(mine, v));
}
void splitc_all_concat(int* v) {
  const int mine = v[0];
  go_on(ramjet::all_gather(mine, v));
}

}  // extern "C"

#pragma GCC visibility pop
