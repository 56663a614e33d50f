/* SPDX-License-Identifier: Apache-2.0
 * What the output of splitcc -fcheck stands on: splitc_compiled.h, and for each of its functions
 * that access memory one of libramjet_splitc.a, which tells the run-time of the checked mode what
 * is accessed, and from where. So they are calls: the code of inline functions would be on lines of
 * this header. */
#ifndef RAMJET_SPLITC_CHECKED_H
#define RAMJET_SPLITC_CHECKED_H

#include "ramjet/splitc_compiled.h"

#pragma GCC system_header
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

#define SPLITC_DECLARE_CHECKED(suffix, type)                             \
  extern type splitc_checked_read_##suffix(splitc_bits from);            \
  extern void splitc_checked_write_##suffix(splitc_bits to, type value); \
  extern void splitc_checked_put_##suffix(splitc_bits to, type value);   \
  extern void splitc_checked_store_##suffix(splitc_bits to, type value); \
  /* of a volatile object: what others may wait for */                   \
  extern type splitc_checked_read_volatile_##suffix(splitc_bits from);   \
  extern void splitc_checked_write_volatile_##suffix(splitc_bits to, type value);
SPLITC_DECLARE_CHECKED(i1, signed char)
SPLITC_DECLARE_CHECKED(i2, short)
SPLITC_DECLARE_CHECKED(i4, int)
SPLITC_DECLARE_CHECKED(i8, long)
SPLITC_DECLARE_CHECKED(u1, unsigned char)
SPLITC_DECLARE_CHECKED(u2, unsigned short)
SPLITC_DECLARE_CHECKED(u4, unsigned)
SPLITC_DECLARE_CHECKED(u8, splitc_bits)
SPLITC_DECLARE_CHECKED(f4, float)
SPLITC_DECLARE_CHECKED(f8, double)
#undef SPLITC_DECLARE_CHECKED

extern void splitc_checked_get_1(void* into, splitc_bits from);
extern void splitc_checked_get_2(void* into, splitc_bits from);
extern void splitc_checked_get_4(void* into, splitc_bits from);
extern void splitc_checked_get_8(void* into, splitc_bits from);

extern splitc_bits splitc_checked_read_field(splitc_bits at, int bytes, int shift, int width);
extern long splitc_checked_read_signed_field(splitc_bits at, int bytes, int shift, int width);
extern void splitc_checked_write_field(splitc_bits at, int bytes, int shift, int width,
                                       splitc_bits value);

extern void splitc_checked_read_bytes(void* into, splitc_bits from, splitc_bits bytes);
extern void splitc_checked_write_bytes(splitc_bits to, const void* from, splitc_bits bytes);
extern void splitc_checked_get_bytes(void* into, splitc_bits from, splitc_bits bytes);
extern void splitc_checked_put_bytes(splitc_bits to, const void* from, splitc_bits bytes);
extern void splitc_checked_store_bytes(splitc_bits to, const void* from, splitc_bits bytes);

extern void splitc_checked_bulk_read(void* into, splitc_bits from, long bytes);
extern void splitc_checked_bulk_write(splitc_bits to, const void* from, long bytes);
extern void splitc_checked_bulk_get(void* into, splitc_bits from, long bytes);
extern void splitc_checked_bulk_put(splitc_bits to, const void* from, long bytes);
extern void splitc_checked_bulk_store(splitc_bits to, const void* from, long bytes);

extern splitc_bits splitc_checked_spread_malloc(int count, int bytes);
extern void splitc_checked_spread_free(splitc_bits blocks);
extern splitc_bits splitc_checked_automatic_array(struct splitc_automatic* frame, long blocks,
                                                  splitc_bits block_bytes);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
