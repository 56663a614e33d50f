/* SPDX-License-Identifier: Apache-2.0
 * malloc and its relatives of a Split-C program: the linker puts these in their place (--wrap),
 * where the program's own files call them. What other libraries allocate is theirs, and comes here
 * only to be freed. Where the segment has no room, memory is the C library's, and nobody else's to
 * reach.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ramjet/splitc_start.h"

#define ALIGNMENT 16

void* __real_malloc(size_t bytes);
void* __real_calloc(size_t count, size_t bytes);
void* __real_realloc(void* block, size_t bytes);
void* __real_memalign(size_t alignment, size_t bytes);
void __real_free(void* block);
size_t __real_malloc_usable_size(void* block);

void* __wrap_malloc(size_t bytes);
void* __wrap_calloc(size_t count, size_t bytes);
void* __wrap_realloc(void* block, size_t bytes);
void* __wrap_reallocarray(void* block, size_t count, size_t bytes);
void* __wrap_memalign(size_t alignment, size_t bytes);
void* __wrap_aligned_alloc(size_t alignment, size_t bytes);
int __wrap_posix_memalign(void** into, size_t alignment, size_t bytes);
void* __wrap_valloc(size_t bytes);
void __wrap_free(void* block);
void __wrap_cfree(void* block);
size_t __wrap_malloc_usable_size(void* block);
char* __wrap_strdup(const char* text);
char* __wrap_strndup(const char* text, size_t limit);

/* Of the program: for the messages of -fcheck. */
#define CALLER __builtin_return_address(0)

static void* take(size_t bytes, const void* caller) {
  void* const block = splitc_heap_take(bytes, ALIGNMENT, caller);
  return block != NULL ? block : __real_malloc(bytes);
}
void* __wrap_malloc(size_t bytes) { return take(bytes, CALLER); }

static void give_back(void* block, const void* caller) {
  if (block != NULL && !splitc_heap_give_back(block, caller)) __real_free(block);
}
void __wrap_free(void* block) { give_back(block, CALLER); }
void __wrap_cfree(void* block) { give_back(block, CALLER); }

void* __wrap_calloc(size_t count, size_t bytes) {
  size_t all;
  if (__builtin_mul_overflow(count, bytes, &all)) {
    errno = ENOMEM;
    return NULL;
  }
  void* const block = splitc_heap_take(all, ALIGNMENT, CALLER);
  return block != NULL ? memset(block, 0, all) : __real_calloc(count, bytes);
}

static void* resize(void* block, size_t bytes, const void* caller) {
  if (block == NULL) return take(bytes, caller);
  const size_t usable = splitc_heap_usable(block);
  if (usable == 0) return __real_realloc(block, bytes);
  if (bytes == 0) {
    splitc_heap_give_back(block, caller);
    return NULL;
  }
  if (bytes <= usable && bytes >= usable / 2) return block;
  void* const larger = take(bytes, caller);
  if (larger == NULL) return NULL;
  memcpy(larger, block, usable < bytes ? usable : bytes);
  splitc_heap_give_back(block, caller);
  return larger;
}
void* __wrap_realloc(void* block, size_t bytes) { return resize(block, bytes, CALLER); }

void* __wrap_reallocarray(void* block, size_t count, size_t bytes) {
  size_t all;
  if (!__builtin_mul_overflow(count, bytes, &all)) return resize(block, all, CALLER);
  errno = ENOMEM;
  return NULL;
}

static int is_power_of_two(size_t n) { return n != 0 && (n & (n - 1)) == 0; }

static void* take_aligned(size_t alignment, size_t bytes, const void* caller) {
  void* const block =
      is_power_of_two(alignment) ? splitc_heap_take(bytes, alignment, caller) : NULL;
  return block != NULL ? block : __real_memalign(alignment, bytes);
}
void* __wrap_memalign(size_t alignment, size_t bytes) {
  return take_aligned(alignment, bytes, CALLER);
}
void* __wrap_aligned_alloc(size_t alignment, size_t bytes) {
  return take_aligned(alignment, bytes, CALLER);
}
void* __wrap_valloc(size_t bytes) { return take_aligned((size_t)getpagesize(), bytes, CALLER); }
int __wrap_posix_memalign(void** into, size_t alignment, size_t bytes) {
  if (!is_power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  void* const block = take_aligned(alignment, bytes, CALLER);
  if (block == NULL) return ENOMEM;
  *into = block;
  return 0;
}

size_t __wrap_malloc_usable_size(void* block) {
  const size_t usable = block != NULL ? splitc_heap_usable(block) : 0;
  return usable != 0 ? usable : __real_malloc_usable_size(block);
}

static char* duplicate(const char* text, size_t limit, const void* caller) {
  const size_t length = strnlen(text, limit);
  char* const copy = take(length + 1, caller);
  if (copy == NULL) return NULL;
  copy[length] = 0;
  return memcpy(copy, text, length);
}
char* __wrap_strndup(const char* text, size_t limit) { return duplicate(text, limit, CALLER); }
char* __wrap_strdup(const char* text) { return duplicate(text, (size_t)-1, CALLER); }
