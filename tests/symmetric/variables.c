/* SPDX-License-Identifier: Apache-2.0
 * Variables of every kind: they keep what they held when the job is joined, are at one address on
 * all ranks, and other ranks read and write them. */
#define _GNU_SOURCE
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "cases.h"

struct point {
  char tag;
  double x, y;
  struct point* next;
};

int initialised = 42;
static int zero;
char neighbours[8] = "abcdefg";
short shorts[3] = {1, 2, 3};
long double wide = 2.5L;
struct point origin = {'o', 1.0, -1.0, NULL};
static struct point* to_origin = &origin; /* an address among the contents */
static const char* word = "a word";
static double grid[300][300]; /* more than a page */
static int* first_of_grid_as_int = (int*)grid;
COMMON char shared_name[64];
_Thread_local int of_a_thread = 7;
static const int constants[4] = {1, 2, 3, 4};

static int counted(void) {
  static int calls = 10;
  return ++calls;
}

/* A variable of the neighbour by its bits. */
static splitc_global at(void* variable) { return splitc_toglobal(right(), variable); }

static void hold_their_contents(void) {
  EXPECT(initialised == 42 && zero == 0 && wide == 2.5L && shared_name[0] == 0);
  EXPECT(to_origin == &origin && origin.tag == 'o' && origin.y == -1.0);
  EXPECT(strcmp(word, "a word") == 0 && strcmp(neighbours, "abcdefg") == 0);
  EXPECT(first_of_grid_as_int == (int*)&grid[0][0] && grid[299][299] == 0);
  EXPECT(counted() == 11 && *count_calls() == 1 && defined_there == -5);
  EXPECT(of_a_thread == 7 && constants[3] == 4);
}

static void are_symmetric(void) {
  const void* const all[] = {&initialised, &zero,       neighbours,    shorts,
                             &wide,        &origin,     &to_origin,    &word,
                             grid,         shared_name, count_calls(), &defined_there};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) EXPECT(is_symmetric(all[i]));
  EXPECT(!is_symmetric(&of_a_thread) && !is_symmetric(constants) && !is_symmetric(stdout));
  EXPECT(!is_symmetric(&foreign_variable));
}

static void are_written_by_a_neighbour(void) {
  const int me = ramjet_rank(), left = (me + ramjet_size() - 1) % ramjet_size();
  meet();
  splitc_write_int32(at(&initialised), 1000 + me);
  splitc_write_int32(at(&zero), me);
  splitc_write_int8(at(&neighbours[3]), (int8_t)('A' + me));
  splitc_write_int16(at(&shorts[1]), (int16_t)(me + 100));
  splitc_put_double(at(&grid[298][7]), me + 0.25);
  splitc_store_int32(at(&defined_there), -me);
  struct point sent = {'p', me, 2.0 * me, &origin};
  splitc_bulk_put(at(&origin), &sent, sizeof sent);
  char name[64];
  snprintf(name, sizeof name, "name of %d", me);
  splitc_bulk_write(at(shared_name), name, sizeof name);
  EXPECT(splitc_sync() == RAMJET_OK);
  EXPECT(splitc_all_store_sync() == RAMJET_OK);
  meet();
  EXPECT(initialised == 1000 + left && zero == left && defined_there == -left);
  EXPECT(neighbours[2] == 'c' && neighbours[3] == 'A' + left && neighbours[4] == 'e');
  EXPECT(shorts[0] == 1 && shorts[1] == left + 100 && shorts[2] == 3);
  EXPECT(grid[298][7] == left + 0.25 && grid[298][6] == 0);
  EXPECT(origin.tag == 'p' && origin.x == left && origin.next == &origin);
  snprintf(name, sizeof name, "name of %d", left);
  EXPECT(strcmp(shared_name, name) == 0);
  meet();
}

static void are_read_by_a_neighbour(void) {
  const int me = ramjet_rank(), next = right();
  initialised = 7 * me;
  shorts[2] = (short)(-me);
  wide = me + 0.5L;
  int* const calls = count_calls();
  *calls = 100 + me;
  to_origin = (struct point*)((uintptr_t)me << 4);
  meet();
  EXPECT(splitc_read_int32(at(&initialised)) == 7 * next);
  EXPECT(splitc_read_int16(at(&shorts[2])) == -next);
  EXPECT(splitc_read_uint64(at(&to_origin)) == (uint64_t)next << 4);
  long double theirs;
  splitc_bulk_read(&theirs, at(&wide), sizeof theirs);
  EXPECT(theirs == next + 0.5L);
  int their_calls;
  splitc_get_int32(&their_calls, at(calls));
  EXPECT(splitc_sync() == RAMJET_OK);
  EXPECT(their_calls == 100 + next);
  EXPECT(splitc_fetch_add_int32(at(&zero), 0) == (next + ramjet_size() - 1) % ramjet_size());
  meet();
}

void variables(void) {
  hold_their_contents();
  are_symmetric();
  are_written_by_a_neighbour();
  are_read_by_a_neighbour();
}

/* What constructors have done before main: memory of malloc, also of the kernel's break, of which
 * the segment must not take anything. */
static char* kept[200];
static char* break_before;

__attribute__((constructor)) static void allocate_early(void) {
  for (int i = 0; i < 200; ++i) {
    kept[i] = malloc((size_t)(100 + 700 * i));
    memset(kept[i], i + 1, (size_t)(100 + 700 * i));
  }
  break_before = sbrk(1 << 16);
  memset(break_before, 0x5a, 1 << 16);
}

void before_init(void) {
  for (int i = 0; i < 200; ++i) {
    for (int j = 0; j < 100 + 700 * i; j += 50) EXPECT(kept[i][j] == (char)(i + 1));
    EXPECT(!is_symmetric(kept[i]));
    free(kept[i]);
  }
  for (int i = 0; i < 1 << 16; ++i) EXPECT(break_before[i] == 0x5a);
  /* The break goes on growing, clear of all segments. */
  char* const more = sbrk(8 << 20);
  EXPECT(more != (char*)-1);
  memset(more, 1, 8 << 20);
  const uint64_t end =
      (uint64_t)(uintptr_t)ramjet_segment_begin(ramjet_size() - 1) + ramjet_segment_bytes();
  EXPECT((uint64_t)(uintptr_t)break_before > end);
  for (int i = 0; i < 1000; ++i) EXPECT((kept[i % 200] = malloc((size_t)i * 100)) != NULL);
}

/* More than the memory of all ranks' machine, at a few places of which each rank writes. */
#define HUGE (UINT64_C(6) << 30)
static char huge[HUGE];

__attribute__((constructor)) static void write_early(void) {
  *(volatile char*)&huge[HUGE / 2] = 'e';
}

void huge_variables(void) {
  EXPECT(huge[HUGE / 2] == 'e');
  EXPECT(huge[0] == 0);
  EXPECT(huge[HUGE - 1] == 0);
  splitc_write_int8(at(&huge[HUGE - 5]), 'l');
  splitc_write_int8(at(&huge[HUGE / 3]), 't');
  meet();
  EXPECT(huge[HUGE - 5] == 'l' && huge[HUGE / 3] == 't');
  EXPECT(ramjet_segment_bytes() > HUGE);
  void* const memory = ramjet_segment_allocate(1 << 20);
  EXPECT(memory != NULL && (char*)memory > huge);
}
