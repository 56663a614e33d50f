/* SPDX-License-Identifier: Apache-2.0
 * malloc and its relatives: their memory is the segment's, so others reach it; contents survive
 * what happens to other blocks. */
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <string.h>

#include "cases.h"

static splitc_global offered;

static void is_reached_by_others(size_t bytes) {
  int* const mine = malloc(bytes);
  EXPECT(mine != NULL && is_symmetric(mine));
  splitc_write_uint64(splitc_toglobal(right(), &offered), splitc_global_of(mine).bits);
  meet();
  splitc_write_int32(offered, splitc_toproc(offered) + 100);
  meet();
  EXPECT(*mine == ramjet_rank() + 100);
  free(mine);
}

static void has_its_relatives(void) {
  int* const zeroed = calloc(1000, sizeof(int));
  for (int i = 0; i < 1000; ++i) EXPECT(zeroed[i] == 0);
  char* text = strdup("a text that grows");
  EXPECT(is_symmetric(zeroed) && is_symmetric(text));
  for (size_t bytes = 20; bytes < 1 << 20; bytes *= 3) {
    text = realloc(text, bytes);
    EXPECT(is_symmetric(text) && strcmp(text, "a text that grows") == 0);
    EXPECT(malloc_usable_size(text) >= bytes);
  }
  text = realloc(text, 30);
  EXPECT(strcmp(text, "a text that grows") == 0);
  for (size_t alignment = 8; alignment <= 1 << 16; alignment *= 2) {
    void* block = NULL;
    EXPECT(posix_memalign(&block, alignment, 100) == 0 && is_symmetric(block));
    EXPECT((uintptr_t)block % alignment == 0);
    memset(block, 1, 100);
    free(block);
  }
  volatile size_t half_of_all = SIZE_MAX / 2;
  EXPECT(calloc(half_of_all, 3) == NULL);
  void* const nothing = malloc(0);
  EXPECT(nothing != NULL && nothing != malloc(0));
  free(nothing);
  free(NULL);
  free(zeroed);
  free(text);
  /* What the C library allocates by itself is freed by the same name. */
  char* printed = NULL;
  EXPECT(asprintf(&printed, "%d", 17) == 2 && !is_symmetric(printed));
  printed = realloc(printed, 100);
  EXPECT(strcmp(printed, "17") == 0);
  free(printed);
}

/* Blocks of random sizes, each filled with its own number. */
enum { BLOCKS = 500, STEPS = 20000 };

static void keeps_contents(void) {
  static struct {
    unsigned char* memory;
    size_t bytes;
  } blocks[BLOCKS];
  unsigned random = 12345 + (unsigned)ramjet_rank();
  for (int step = 0; step < STEPS; ++step) {
    random = random * 1103515245 + 12345;
    const int i = (int)(random >> 8) % BLOCKS;
    for (size_t j = 0; j < blocks[i].bytes; j += 7) EXPECT(blocks[i].memory[j] == (unsigned char)i);
    const size_t bytes = (random >> 4) % (random % 16 == 0 ? 100000 : 1200);
    if (random % 3 == 0) {
      free(blocks[i].memory);
      blocks[i].memory = malloc(bytes);
    } else {
      blocks[i].memory = realloc(blocks[i].memory, bytes == 0 ? 1 : bytes);
    }
    blocks[i].bytes = bytes;
    EXPECT(is_symmetric(blocks[i].memory) && (uintptr_t)blocks[i].memory % 16 == 0);
    memset(blocks[i].memory, i, bytes);
  }
  for (int i = 0; i < BLOCKS; ++i) {
    free(blocks[i].memory);
    blocks[i].memory = NULL;
    blocks[i].bytes = 0;
  }
}

/* Another thread has the C library's, and may free what the main thread took. */
static void* in_thread(void* taken) {
  free(taken);
  void* const own = malloc(100);
  EXPECT(own != NULL && !is_symmetric(own));
  return own;
}
static void works_in_threads(void) {
  for (size_t bytes = 10; bytes < 100000; bytes *= 10) {
    pthread_t thread;
    void* own = NULL;
    EXPECT(pthread_create(&thread, NULL, in_thread, malloc(bytes)) == 0);
    EXPECT(pthread_join(thread, &own) == 0);
    free(own);
  }
}

static char* left_behind;
static void use_what_is_left(void) {
  if (strcmp(left_behind, "left") != 0) _Exit(3);
  free(left_behind);
  void* const late = malloc(10);
  if (late == NULL) _Exit(3);
  free(late);
}

void heap(void) {
  is_reached_by_others(4);
  is_reached_by_others(100000);
  has_its_relatives();
  keeps_contents();
  works_in_threads();
  left_behind = strdup("left");
  EXPECT(atexit(use_what_is_left) == 0);
}
