/* SPDX-License-Identifier: Apache-2.0
 * Plain accesses of units that splitcc -fcheck compiled: the C compiler puts calls in front of them
 * (-fsanitize=thread), which come here instead of to the thread sanitizer's library. */
#include <stddef.h>
#include <stdint.h>

#include "languages/splitc/check/entry.h"

#define CALLER __builtin_return_address(0)
#define VOLATILE SPLITC_CHECK_SYNCHRONISES

void __tsan_init(void);
void __tsan_init(void) { splitc_check_wanted(); }
void __tsan_func_entry(void* caller);
void __tsan_func_entry(void* caller) { (void)caller; }
void __tsan_func_exit(void);
void __tsan_func_exit(void) {}

#define DEFINE_ACCESS(name, size, how) \
  void __tsan_##name(void* at);        \
  void __tsan_##name(void* at) { splitc_check_own(at, size, how, CALLER); }
#define DEFINE_ACCESSES(size)                                                       \
  DEFINE_ACCESS(read##size, size, SPLITC_CHECK_READS)                               \
  DEFINE_ACCESS(write##size, size, SPLITC_CHECK_WRITES)                             \
  DEFINE_ACCESS(unaligned_read##size, size, SPLITC_CHECK_READS)                     \
  DEFINE_ACCESS(unaligned_write##size, size, SPLITC_CHECK_WRITES)                   \
  DEFINE_ACCESS(volatile_read##size, size, SPLITC_CHECK_READS | VOLATILE)           \
  DEFINE_ACCESS(volatile_write##size, size, SPLITC_CHECK_WRITES | VOLATILE)         \
  DEFINE_ACCESS(unaligned_volatile_read##size, size, SPLITC_CHECK_READS | VOLATILE) \
  DEFINE_ACCESS(unaligned_volatile_write##size, size, SPLITC_CHECK_WRITES | VOLATILE)
DEFINE_ACCESSES(1)
DEFINE_ACCESSES(2)
DEFINE_ACCESSES(4)
DEFINE_ACCESSES(8)
DEFINE_ACCESSES(16)

void __tsan_read_range(void* at, size_t bytes);
void __tsan_read_range(void* at, size_t bytes) {
  splitc_check_own(at, bytes, SPLITC_CHECK_READS, CALLER);
}
void __tsan_write_range(void* at, size_t bytes);
void __tsan_write_range(void* at, size_t bytes) {
  splitc_check_own(at, bytes, SPLITC_CHECK_WRITES, CALLER);
}

/* C's atomic operations come as calls that are to do them. The order is the strongest. */
enum { STRONGEST = __ATOMIC_SEQ_CST }; /* store-load: splitc.checked_atomic (both) */

#define BEFORE(at, size) \
  splitc_check_own(at, size, SPLITC_CHECK_WRITES | SPLITC_CHECK_SYNCHRONISES, CALLER)
#define AFTER(at, size) \
  splitc_check_own(at, size, SPLITC_CHECK_READS | SPLITC_CHECK_SYNCHRONISES, CALLER)

#define DEFINE_FETCH(bits, type, operation)                                                \
  type __tsan_atomic##bits##_fetch_##operation(volatile void* at, type value, int order);  \
  type __tsan_atomic##bits##_fetch_##operation(volatile void* at, type value, int order) { \
    (void)order;                                                                           \
    BEFORE(at, sizeof value);                                                              \
    value = __atomic_fetch_##operation((volatile type*)at, value, STRONGEST);              \
    AFTER(at, sizeof value);                                                               \
    return value;                                                                          \
  }
#define DEFINE_EXCHANGE(bits, type)                                               \
  type __tsan_atomic##bits##_exchange(volatile void* at, type value, int order);  \
  type __tsan_atomic##bits##_exchange(volatile void* at, type value, int order) { \
    (void)order;                                                                  \
    BEFORE(at, sizeof value);                                                     \
    value = __atomic_exchange_n((volatile type*)at, value, STRONGEST);            \
    AFTER(at, sizeof value);                                                      \
    return value;                                                                 \
  }
#define DEFINE_COMPARE(bits, type, strength)                                                    \
  int __tsan_atomic##bits##_compare_exchange_##strength(volatile void* at, void* expected,      \
                                                        type value, int order, int failed);     \
  int __tsan_atomic##bits##_compare_exchange_##strength(volatile void* at, void* expected,      \
                                                        type value, int order, int failed) {    \
    (void)order, (void)failed;                                                                  \
    BEFORE(at, sizeof value);                                                                   \
    const int done = __atomic_compare_exchange_n((volatile type*)at, (type*)expected, value, 0, \
                                                 STRONGEST, STRONGEST);                         \
    AFTER(at, sizeof value);                                                                    \
    return done;                                                                                \
  }
#define DEFINE_ATOMICS(bits, type)                                             \
  type __tsan_atomic##bits##_load(const volatile void* at, int order);         \
  type __tsan_atomic##bits##_load(const volatile void* at, int order) {        \
    (void)order;                                                               \
    const type value = __atomic_load_n((const volatile type*)at, STRONGEST);   \
    AFTER(at, sizeof value);                                                   \
    return value;                                                              \
  }                                                                            \
  void __tsan_atomic##bits##_store(volatile void* at, type value, int order);  \
  void __tsan_atomic##bits##_store(volatile void* at, type value, int order) { \
    (void)order;                                                               \
    BEFORE(at, sizeof value);                                                  \
    __atomic_store_n((volatile type*)at, value, STRONGEST);                    \
  }                                                                            \
  DEFINE_EXCHANGE(bits, type)                                                  \
  DEFINE_FETCH(bits, type, add)                                                \
  DEFINE_FETCH(bits, type, sub)                                                \
  DEFINE_FETCH(bits, type, and)                                                \
  DEFINE_FETCH(bits, type, or)                                                 \
  DEFINE_FETCH(bits, type, xor)                                                \
  DEFINE_FETCH(bits, type, nand)                                               \
  DEFINE_COMPARE(bits, type, strong)                                           \
  DEFINE_COMPARE(bits, type, weak)
DEFINE_ATOMICS(8, uint8_t)
DEFINE_ATOMICS(16, uint16_t)
DEFINE_ATOMICS(32, uint32_t)
DEFINE_ATOMICS(64, uint64_t)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order) {
  (void)order;
  __atomic_thread_fence(STRONGEST);
}
void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order) {
  (void)order;
  __atomic_signal_fence(STRONGEST);
}
