/* SPDX-License-Identifier: Apache-2.0
 * What units that splitcc -fcheck compiled call for accesses through global and spread pointers
 * (splitc_checked.h): the check, then what other units do in line. */
#include <ramjet/splitc_checked.h>

#include "languages/splitc/check/entry.h"

#define CALLER __builtin_return_address(0)

enum {
  READS = SPLITC_CHECK_READS,
  WRITES = SPLITC_CHECK_WRITES,
  GETS = SPLITC_CHECK_SPLIT_PHASE,
  PUTS = SPLITC_CHECK_SPLIT_PHASE | SPLITC_CHECK_WRITES,
  STORES = SPLITC_CHECK_STORES | SPLITC_CHECK_WRITES,
  LANDS = SPLITC_CHECK_LANDS | SPLITC_CHECK_WRITES,
  SYNCHRONISES = SPLITC_CHECK_SYNCHRONISES,
};

/* What goes from processor to processor: `far` says how the other one's bytes are used, `here` how
 * these. */
static inline void check_fetch(void* into, splitc_bits from, size_t bytes, unsigned far,
                               unsigned here, const void* caller) {
  splitc_check_global(from, bytes, far, caller);
  splitc_check_own(into, bytes, here, caller);
}
static inline void check_send(splitc_bits to, const void* from, size_t bytes, unsigned far,
                              const void* caller) {
  splitc_check_own(from, bytes, READS, caller);
  splitc_check_global(to, bytes, far, caller);
}

#define DEFINE_WORD(suffix, type)                                           \
  type splitc_checked_read_##suffix(splitc_bits from) {                     \
    splitc_check_global(from, sizeof(type), READS, CALLER);                 \
    return splitc_read_##suffix(from);                                      \
  }                                                                         \
  void splitc_checked_write_##suffix(splitc_bits to, type value) {          \
    splitc_check_global(to, sizeof value, WRITES, CALLER);                  \
    splitc_write_##suffix(to, value);                                       \
  }                                                                         \
  void splitc_checked_put_##suffix(splitc_bits to, type value) {            \
    splitc_check_global(to, sizeof value, PUTS, CALLER);                    \
    splitc_put_##suffix(to, value);                                         \
  }                                                                         \
  void splitc_checked_store_##suffix(splitc_bits to, type value) {          \
    splitc_check_global(to, sizeof value, STORES, CALLER);                  \
    splitc_store_##suffix(to, value);                                       \
  }                                                                         \
  type splitc_checked_read_volatile_##suffix(splitc_bits from) {            \
    const type value = splitc_read_##suffix(from);                          \
    splitc_check_global(from, sizeof value, READS | SYNCHRONISES, CALLER);  \
    return value;                                                           \
  }                                                                         \
  void splitc_checked_write_volatile_##suffix(splitc_bits to, type value) { \
    splitc_check_global(to, sizeof value, WRITES | SYNCHRONISES, CALLER);   \
    splitc_write_##suffix(to, value);                                       \
  }
DEFINE_WORD(i1, signed char)
DEFINE_WORD(i2, short)
DEFINE_WORD(i4, int)
DEFINE_WORD(i8, long)
DEFINE_WORD(u1, unsigned char)
DEFINE_WORD(u2, unsigned short)
DEFINE_WORD(u4, unsigned)
DEFINE_WORD(u8, splitc_bits)
DEFINE_WORD(f4, float)
DEFINE_WORD(f8, double)

#define DEFINE_GET(bytes)                                         \
  void splitc_checked_get_##bytes(void* into, splitc_bits from) { \
    check_fetch(into, from, bytes, GETS, LANDS, CALLER);          \
    splitc_get_##bytes(into, from);                               \
  }
DEFINE_GET(1)
DEFINE_GET(2)
DEFINE_GET(4)
DEFINE_GET(8)

splitc_bits splitc_checked_read_field(splitc_bits at, int bytes, int shift, int width) {
  splitc_check_global(at, (size_t)bytes, READS, CALLER);
  return splitc_read_field(at, bytes, shift, width);
}
long splitc_checked_read_signed_field(splitc_bits at, int bytes, int shift, int width) {
  splitc_check_global(at, (size_t)bytes, READS, CALLER);
  return splitc_read_signed_field(at, bytes, shift, width);
}
void splitc_checked_write_field(splitc_bits at, int bytes, int shift, int width,
                                splitc_bits value) {
  splitc_check_global(at, (size_t)bytes, WRITES, CALLER);
  splitc_write_field(at, bytes, shift, width, value);
}

/* Structures, and the library's bulk transfers: what they read or write here is checked, too. */
void splitc_checked_read_bytes(void* into, splitc_bits from, splitc_bits bytes) {
  check_fetch(into, from, bytes, READS, WRITES, CALLER);
  splitc_read_bytes(into, from, bytes);
}
void splitc_checked_write_bytes(splitc_bits to, const void* from, splitc_bits bytes) {
  check_send(to, from, bytes, WRITES, CALLER);
  splitc_write_bytes(to, from, bytes);
}
void splitc_checked_get_bytes(void* into, splitc_bits from, splitc_bits bytes) {
  check_fetch(into, from, bytes, GETS, LANDS, CALLER);
  splitc_get_bytes(into, from, bytes);
}
void splitc_checked_put_bytes(splitc_bits to, const void* from, splitc_bits bytes) {
  check_send(to, from, bytes, PUTS, CALLER);
  splitc_put_bytes(to, from, bytes);
}
void splitc_checked_store_bytes(splitc_bits to, const void* from, splitc_bits bytes) {
  check_send(to, from, bytes, STORES, CALLER);
  splitc_store_bytes(to, from, bytes);
}

void splitc_checked_bulk_read(void* into, splitc_bits from, long bytes) {
  check_fetch(into, from, splitc_at_least_0(bytes), READS, WRITES, CALLER);
  splitc_compiled_bulk_read(into, from, bytes);
}
void splitc_checked_bulk_write(splitc_bits to, const void* from, long bytes) {
  check_send(to, from, splitc_at_least_0(bytes), WRITES, CALLER);
  splitc_compiled_bulk_write(to, from, bytes);
}
void splitc_checked_bulk_get(void* into, splitc_bits from, long bytes) {
  check_fetch(into, from, splitc_at_least_0(bytes), GETS, LANDS, CALLER);
  splitc_compiled_bulk_get(into, from, bytes);
}
void splitc_checked_bulk_put(splitc_bits to, const void* from, long bytes) {
  check_send(to, from, splitc_at_least_0(bytes), PUTS, CALLER);
  splitc_compiled_bulk_put(to, from, bytes);
}
void splitc_checked_bulk_store(splitc_bits to, const void* from, long bytes) {
  check_send(to, from, splitc_at_least_0(bytes), STORES, CALLER);
  splitc_compiled_bulk_store(to, from, bytes);
}

splitc_bits splitc_checked_spread_malloc(int count, int bytes) {
  splitc_check_call(CALLER);
  return splitc_compiled_spread_malloc(count, bytes);
}
void splitc_checked_spread_free(splitc_bits blocks) {
  splitc_check_call(CALLER);
  splitc_compiled_spread_free(blocks);
}
splitc_bits splitc_checked_automatic_array(struct splitc_automatic* frame, long blocks,
                                           splitc_bits block_bytes) {
  splitc_check_call(CALLER);
  return splitc_automatic_array(frame, blocks, block_bytes);
}
