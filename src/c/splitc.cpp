// SPDX-License-Identifier: Apache-2.0
// splitc.h over the C++ global address space: pointers, accesses, stores, atomic operations, locks
// and spread memory, each function one call of its C++ form.
#include "ramjet/splitc.h"

#include <cstddef>
#include <memory>

#include "c/checks.hpp"
#include "c/status.hpp"
#include "gas/under_way.hpp"
#include "ramjet/ramjet.hpp"

namespace {

using ramjet::global_ptr;
using ramjet::rectangle;
using ramjet::detail::access_op;
using ramjet::detail::address_space;
using ramjet::detail::completes;
using ramjet::detail::from_bits;
using ramjet::detail::near_table;
using ramjet::detail::word_slow;

static_assert(offsetof(address_space, own_bits) == offsetof(splitc_space, own_bits));
static_assert(offsetof(address_space, window_base) == offsetof(splitc_space, window_base));
static_assert(offsetof(address_space, segment_bytes) == offsetof(splitc_space, segment_bytes));
static_assert(offsetof(address_space, words_end) == offsetof(splitc_space, words_end));
static_assert(offsetof(address_space, near) == offsetof(splitc_space, near_places));
static_assert(offsetof(near_table, first) == offsetof(splitc_near, first));
static_assert(offsetof(near_table, delta) == offsetof(splitc_near, delta));
static_assert(offsetof(address_space, found_count) == offsetof(splitc_space, found_count));
static_assert(offsetof(address_space, ranks) == offsetof(splitc_space, ranks));
static_assert(offsetof(address_space, ranks_log) == offsetof(splitc_space, ranks_log));
static_assert(SPLITC_ADDRESS_BITS == ramjet::detail::kRankShift);
static_assert(SPLITC_LOCK_BYTES == sizeof(ramjet::mutex_state));
static_assert(sizeof(splitc_frame) == sizeof(ramjet::spread_frame));

template <class T>
global_ptr<T> pointer(splitc_global g) {
  return global_ptr<T>(from_bits{g.bits});
}
template <class T>
splitc_global c_pointer(global_ptr<T> p) {
  return {p.bits()};
}
rectangle shape_of(const splitc_rectangle& s) {
  return {s.rows, s.row_bytes, s.local_stride, s.far_stride};
}
int sign(std::weak_ordering o) { return o < 0 ? -1 : o > 0 ? 1 : 0; }
ramjet::global_mutex lock_at(splitc_global g) {
  return ramjet::global_mutex(pointer<ramjet::mutex_state>(g));
}
ramjet::spread_frame* frame_of(splitc_frame* f) {
  return std::launder(reinterpret_cast<ramjet::spread_frame*>(f));
}

// C has no exceptions: an access that cannot be done gives 0, and splitc_sync says so.
template <class Access>
auto or_nothing(Access&& access) noexcept -> decltype(access()) {
  try {
    return access();
  } catch (const ramjet::failure&) {
    ramjet::detail::report_at_sync();
    return decltype(access())();
  }
}

// Elements by their indices: by a global or a spread pointer's bits.
void access_each(access_op op, const ramjet::detail::element_table& table, const uint64_t* indices,
                 size_t count, const void* values, const char* call) {
  RAMJET_CHECK(count == 0 || table.element_bytes != 0, "elements of no bytes");
  RAMJET_CHECK(count == 0 || (indices != nullptr && values != nullptr),
               "indices or values are null, and their count is not 0");
  or_nothing([=] {
    ramjet::detail::access_elements(op, table, {indices, count, sizeof *indices},
                                    const_cast<void*>(values), false, call);  // written by reads
  });
}

// What a checked program does with a word or a lock that synchronises.
void releases(splitc_global at) {
  if (auto* const o = ramjet::checks::now(); o != nullptr) [[unlikely]]
    o->release(at.bits);
}
void acquires(splitc_global at) {
  if (auto* const o = ramjet::checks::now(); o != nullptr) [[unlikely]]
    o->acquire(at.bits);
}
template <class Operation>
auto synchronising(splitc_global at, Operation&& operation) noexcept {
  releases(at);
  const auto before = or_nothing(operation);
  acquires(at);
  return before;
}

}  // namespace

extern "C" {

// --- Pointers ---

splitc_global splitc_toglobal(int rank, const void* local) {
  return c_pointer(global_ptr<const void>(rank, local));
}
void* splitc_segment_address(splitc_global g) {
  return ramjet::detail::segment_address(g.bits, 1, "splitc_segment_address");
}
splitc_global splitc_global_of(const void* local) {
  return c_pointer(global_ptr<const void>(local));
}
ptrdiff_t splitc_global_difference(splitc_global to, splitc_global from, size_t bytes) {
  RAMJET_CHECK(bytes != 0, "splitc_global_difference: elements of no bytes");
  return ramjet::detail::distance_segmented(to.bits, from.bits, bytes);
}
splitc_spread splitc_spread_add(splitc_spread s, ptrdiff_t n, size_t bytes) {
  const address_space& space = ramjet::detail::space;
  return {ramjet::detail::advance_wrapped(s.bits, n, bytes, space.ranks, space.ranks_log)};
}
ptrdiff_t splitc_spread_difference(splitc_spread to, splitc_spread from, size_t bytes) {
  RAMJET_CHECK(bytes != 0, "splitc_spread_difference: elements of no bytes");
  return ramjet::detail::distance_wrapped(to.bits, from.bits, bytes, ramjet::detail::space.ranks);
}
int splitc_global_compare(splitc_global a, splitc_global b) {
  return sign(pointer<char>(a) <=> pointer<char>(b));
}
int splitc_spread_compare(splitc_spread a, splitc_spread b) {
  using ramjet::spread_ptr;
  return sign(spread_ptr<char>(from_bits{a.bits}) <=> spread_ptr<char>(from_bits{b.bits}));
}

// --- Accesses ---

uint64_t splitc_load_slow(uint64_t bits, size_t bytes, const char* call) {
  return or_nothing([=] {
    uint64_t number = 0;
    word_slow(access_op::load, &number, bits, 0, 0, bytes, completes::now, call);
    return number;
  });
}
void splitc_get_slow(void* into, uint64_t bits, size_t bytes, const char* call) {
  word_slow(access_op::load, into, bits, 0, 0, bytes, completes::at_sync, call);
}
void splitc_write_slow(uint64_t bits, uint64_t value, size_t bytes, const char* call) {
  or_nothing(
      [=] { word_slow(access_op::store, nullptr, bits, value, 0, bytes, completes::now, call); });
}
void splitc_put_slow(uint64_t bits, uint64_t value, size_t bytes, const char* call) {
  word_slow(access_op::store, nullptr, bits, value, 0, bytes, completes::at_sync, call);
}
void splitc_store_slow(uint64_t bits, uint64_t value, size_t bytes, const char* call) {
  word_slow(access_op::store, nullptr, bits, value, 0, bytes, completes::counted, call);
}
void splitc_count_stored(splitc_global to, size_t bytes) {
  ramjet::detail::count_stored(ramjet::detail::rank_of(to.bits), bytes);
}

void splitc_bulk_read(void* into, splitc_global from, size_t bytes) {
  or_nothing([=] { ramjet::bulk_read(into, pointer<const void>(from), bytes); });
}
void splitc_bulk_write(splitc_global to, const void* from, size_t bytes) {
  or_nothing([=] { ramjet::bulk_write(pointer<void>(to), from, bytes); });
}
void splitc_bulk_get(void* into, splitc_global from, size_t bytes) {
  ramjet::bulk_get(into, pointer<const void>(from), bytes);
}
void splitc_bulk_put(splitc_global to, const void* from, size_t bytes) {
  ramjet::bulk_put(pointer<void>(to), from, bytes);
}
void splitc_bulk_store(splitc_global to, const void* from, size_t bytes) {
  ramjet::bulk_store(pointer<void>(to), from, bytes);
}
void splitc_bulk_read_rows(void* into, splitc_global from, splitc_rectangle shape) {
  or_nothing([&] { ramjet::bulk_read(into, pointer<const void>(from), shape_of(shape)); });
}
void splitc_bulk_write_rows(splitc_global to, const void* from, splitc_rectangle shape) {
  or_nothing([&] { ramjet::bulk_write(pointer<void>(to), from, shape_of(shape)); });
}
void splitc_bulk_get_rows(void* into, splitc_global from, splitc_rectangle shape) {
  ramjet::bulk_get(into, pointer<const void>(from), shape_of(shape));
}
void splitc_bulk_put_rows(splitc_global to, const void* from, splitc_rectangle shape) {
  ramjet::bulk_put(pointer<void>(to), from, shape_of(shape));
}
void splitc_bulk_store_rows(splitc_global to, const void* from, splitc_rectangle shape) {
  ramjet::bulk_store(pointer<void>(to), from, shape_of(shape));
}

void splitc_read_each(void* into, splitc_global table, const uint64_t* indices, size_t count,
                      size_t element_bytes) {
  access_each(access_op::read_list, {table.bits, element_bytes, false}, indices, count, into,
              "splitc_read_each");
}
void splitc_write_each(splitc_global table, const uint64_t* indices, size_t count,
                       const void* values, size_t element_bytes) {
  access_each(access_op::write_list, {table.bits, element_bytes, false}, indices, count, values,
              "splitc_write_each");
}
void splitc_add_each_int32(splitc_global table, const uint64_t* indices, size_t count,
                           const int32_t* values) {
  access_each(access_op::add_list, {table.bits, sizeof *values, false}, indices, count, values,
              "splitc_add_each");
}
void splitc_add_each_int64(splitc_global table, const uint64_t* indices, size_t count,
                           const int64_t* values) {
  access_each(access_op::add_list, {table.bits, sizeof *values, false}, indices, count, values,
              "splitc_add_each");
}
void splitc_spread_read_each(void* into, splitc_spread table, const uint64_t* indices, size_t count,
                             size_t element_bytes) {
  access_each(access_op::read_list, {table.bits, element_bytes, true}, indices, count, into,
              "splitc_spread_read_each");
}
void splitc_spread_write_each(splitc_spread table, const uint64_t* indices, size_t count,
                              const void* values, size_t element_bytes) {
  access_each(access_op::write_list, {table.bits, element_bytes, true}, indices, count, values,
              "splitc_spread_write_each");
}
void splitc_spread_add_each_int32(splitc_spread table, const uint64_t* indices, size_t count,
                                  const int32_t* values) {
  access_each(access_op::add_list, {table.bits, sizeof *values, true}, indices, count, values,
              "splitc_spread_add_each");
}
void splitc_spread_add_each_int64(splitc_spread table, const uint64_t* indices, size_t count,
                                  const int64_t* values) {
  access_each(access_op::add_list, {table.bits, sizeof *values, true}, indices, count, values,
              "splitc_spread_add_each");
}

// --- Completion ---

ramjet_status splitc_sync(void) { return c_status(ramjet::sync_all()); }
int splitc_is_sync(void) {
  const bool is_over = ramjet::is_sync();
  if (auto* const o = ramjet::checks::now(); o != nullptr && is_over) o->synced();
  return is_over ? 1 : 0;
}
ramjet_status splitc_store_sync(size_t bytes) { return c_status(ramjet::store_sync(bytes)); }
void splitc_reset_store_sync(void) { ramjet::reset_store_sync(); }
ramjet_status splitc_all_store_sync(void) { return c_status(ramjet::all_store_sync()); }
void splitc_bulk_put_signal(splitc_global to, const void* from, size_t bytes, splitc_global counter,
                            uint64_t by) {
  or_nothing([=] {
    ramjet::bulk_put_signal(pointer<void>(to), from, bytes, pointer<std::uint64_t>(counter), by);
  });
}
void splitc_signal(splitc_global counter, uint64_t by) {
  ramjet::signal(pointer<std::uint64_t>(counter), by);
}
ramjet_status splitc_wait_signal(splitc_global counter, uint64_t enough) {
  return c_status(ramjet::wait_signal(pointer<std::uint64_t>(counter), enough));
}

// --- Atomic operations ---

int32_t splitc_fetch_add_int32(splitc_global at, int32_t by) {
  return synchronising(at, [=] { return ramjet::fetch_add(pointer<std::int32_t>(at), by); });
}
int64_t splitc_fetch_add_int64(splitc_global at, int64_t by) {
  return synchronising(at, [=] { return ramjet::fetch_add(pointer<std::int64_t>(at), by); });
}
uint32_t splitc_fetch_and_uint32(splitc_global at, uint32_t mask) {
  return synchronising(at, [=] { return ramjet::fetch_and(pointer<std::uint32_t>(at), mask); });
}
uint64_t splitc_fetch_and_uint64(splitc_global at, uint64_t mask) {
  return synchronising(at, [=] { return ramjet::fetch_and(pointer<std::uint64_t>(at), mask); });
}
uint32_t splitc_fetch_or_uint32(splitc_global at, uint32_t mask) {
  return synchronising(at, [=] { return ramjet::fetch_or(pointer<std::uint32_t>(at), mask); });
}
uint64_t splitc_fetch_or_uint64(splitc_global at, uint64_t mask) {
  return synchronising(at, [=] { return ramjet::fetch_or(pointer<std::uint64_t>(at), mask); });
}
uint32_t splitc_fetch_xor_uint32(splitc_global at, uint32_t mask) {
  return synchronising(at, [=] { return ramjet::fetch_xor(pointer<std::uint32_t>(at), mask); });
}
uint64_t splitc_fetch_xor_uint64(splitc_global at, uint64_t mask) {
  return synchronising(at, [=] { return ramjet::fetch_xor(pointer<std::uint64_t>(at), mask); });
}
int32_t splitc_exchange_int32(splitc_global at, int32_t value) {
  return synchronising(at, [=] { return ramjet::exchange(pointer<std::int32_t>(at), value); });
}
int64_t splitc_exchange_int64(splitc_global at, int64_t value) {
  return synchronising(at, [=] { return ramjet::exchange(pointer<std::int64_t>(at), value); });
}
int32_t splitc_compare_swap_int32(splitc_global at, int32_t expected, int32_t value) {
  return synchronising(
      at, [=] { return ramjet::compare_swap(pointer<std::int32_t>(at), expected, value); });
}
int64_t splitc_compare_swap_int64(splitc_global at, int64_t expected, int64_t value) {
  return synchronising(
      at, [=] { return ramjet::compare_swap(pointer<std::int64_t>(at), expected, value); });
}
void splitc_add_int32(splitc_global to, int32_t by) { ramjet::add(pointer<std::int32_t>(to), by); }
void splitc_add_int64(splitc_global to, int64_t by) { ramjet::add(pointer<std::int64_t>(to), by); }

// --- Locks ---

splitc_global splitc_lock_make(void) { return c_pointer(ramjet::global_mutex::make().where()); }
void splitc_lock_destroy(splitc_global lock) { lock_at(lock).destroy(); }
ramjet_status splitc_lock(splitc_global lock) {
  const ramjet_status s = c_status(lock_at(lock).lock());
  acquires(lock);
  return s;
}
int splitc_try_lock(splitc_global lock) {
  const bool is_held = lock_at(lock).try_lock();
  if (is_held) acquires(lock);
  return is_held ? 1 : 0;
}
void splitc_unlock(splitc_global lock) {
  releases(lock);
  lock_at(lock).unlock();
}

// --- Spread memory ---

splitc_spread splitc_all_spread_malloc(size_t blocks, size_t block_bytes) {
  return {ramjet::all_spread_malloc(blocks, block_bytes).bits()};
}
void splitc_all_spread_free(splitc_spread blocks) {
  if (auto* const o = ramjet::checks::now(); o != nullptr) {
    const void* const site = ramjet::checks::site_of(__builtin_return_address(0));
    o->enter(ramjet::checks::collective::spread_free, "splitc_all_spread_free", blocks.bits, 0,
             site);
    o->spread_given_back(blocks.bits, site);
  }
  ramjet::all_spread_free(ramjet::spread_ptr<void>(from_bits{blocks.bits}));
}
void splitc_frame_begin(splitc_frame* frame) { ::new (frame) ramjet::spread_frame; }
splitc_spread splitc_frame_allocate(splitc_frame* frame, size_t blocks, size_t block_bytes) {
  auto* const o = ramjet::checks::now();
  if (o == nullptr) return {frame_of(frame)->allocate(blocks, block_bytes).bits()};
  const void* const site = ramjet::checks::site_of(__builtin_return_address(0));
  const std::uint64_t bits =
      frame_of(frame)->allocate(o->padded(blocks, block_bytes), block_bytes).bits();
  o->automatic_taken(bits, blocks, block_bytes, site);
  return {bits};
}
void splitc_frame_end(splitc_frame* frame) {
  std::destroy_at(frame_of(frame));
  if (auto* const o = ramjet::checks::now(); o != nullptr)
    o->automatic_ended(ramjet::checks::site_of(__builtin_return_address(0)));
}

}  // extern "C"
