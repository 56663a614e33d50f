/* SPDX-License-Identifier: Apache-2.0
 * malloc and its relatives of a Split-C program: the linker puts these in their place (--wrap),
 * where the program's own files call them. What other libraries allocate is theirs, and comes here
 * only to be freed. Where the segment has no room, memory is the C library's, and nobody else's to
 * reach. */
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

void* __wrap_malloc(size_t bytes) {
  void* const block = splitc_heap_take(bytes, ALIGNMENT);
  return block != NULL ? block : __real_malloc(bytes);
}

void __wrap_free(void* block) {
  if (block != NULL && !splitc_heap_give_back(block)) __real_free(block);
}
void __wrap_cfree(void* block) { __wrap_free(block); }

void* __wrap_calloc(size_t count, size_t bytes) {
  size_t all;
  if (__builtin_mul_overflow(count, bytes, &all)) {
    errno = ENOMEM;
    return NULL;
  }
  void* const block = splitc_heap_take(all, ALIGNMENT);
  return block != NULL ? memset(block, 0, all) : __real_calloc(count, bytes);
}

void* __wrap_realloc(void* block, size_t bytes) {
  if (block == NULL) return __wrap_malloc(bytes);
  const size_t usable = splitc_heap_usable(block);
  if (usable == 0) return __real_realloc(block, bytes);
  if (bytes == 0) {
    splitc_heap_give_back(block);
    return NULL;
  }
  if (bytes <= usable && bytes >= usable / 2) return block;
  void* const larger = __wrap_malloc(bytes);
  if (larger == NULL) return NULL;
  memcpy(larger, block, usable < bytes ? usable : bytes);
  splitc_heap_give_back(block);
  return larger;
}

void* __wrap_reallocarray(void* block, size_t count, size_t bytes) {
  size_t all;
  if (!__builtin_mul_overflow(count, bytes, &all)) return __wrap_realloc(block, all);
  errno = ENOMEM;
  return NULL;
}

static int is_power_of_two(size_t n) { return n != 0 && (n & (n - 1)) == 0; }

void* __wrap_memalign(size_t alignment, size_t bytes) {
  void* const block = is_power_of_two(alignment) ? splitc_heap_take(bytes, alignment) : NULL;
  return block != NULL ? block : __real_memalign(alignment, bytes);
}
void* __wrap_aligned_alloc(size_t alignment, size_t bytes) {
  return __wrap_memalign(alignment, bytes);
}
void* __wrap_valloc(size_t bytes) { return __wrap_memalign((size_t)getpagesize(), bytes); }
int __wrap_posix_memalign(void** into, size_t alignment, size_t bytes) {
  if (!is_power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  void* const block = __wrap_memalign(alignment, bytes);
  if (block == NULL) return ENOMEM;
  *into = block;
  return 0;
}

size_t __wrap_malloc_usable_size(void* block) {
  const size_t usable = block != NULL ? splitc_heap_usable(block) : 0;
  return usable != 0 ? usable : __real_malloc_usable_size(block);
}

char* __wrap_strndup(const char* text, size_t limit) {
  const size_t length = strnlen(text, limit);
  char* const copy = __wrap_malloc(length + 1);
  if (copy == NULL) return NULL;
  copy[length] = 0;
  return memcpy(copy, text, length);
}
char* __wrap_strdup(const char* text) { return __wrap_strndup(text, (size_t)-1); }
