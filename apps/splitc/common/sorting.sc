/* SPDX-License-Identifier: Apache-2.0 */
#include "sorting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long keys = 1 << 20, bits = 32, seed = 1, repeats = 3;

static setting common_settings[] = {
  {"keys", "keys to sort, of all processors together", &keys, 1, 1L << 31},
  {"bits", "random bits of a key: few of them make many equal keys", &bits, 0, 32},
  {"seed", "of the keys", &seed, 0, 1L << 52},
  {"repeats", "times that they are sorted; the median counts", &repeats, 1, 1000},
};

#define COMMON_SETTINGS (sizeof common_settings / sizeof common_settings[0])
#define SETTINGS_MAX 16

/* --- Keys --- */

long block_keys(long n) { return (n + PROCS - 1) / PROCS; }

long own_keys(long n)
{
  long room = block_keys(n), left = n - MYPROC * room;
  return left < 0 ? 0 : left < room ? left : room;
}

/* Keys first .. first + count - 1 of the seed. */
static void draw_keys(key *to, long first, long count)
{
  word start = random_key(0, seed);
  long i;
  for (i = 0; i < count; i++)
    to[i] = scrambled(start + (word)(first + i) * RANDOM_STEP) >> 32 & ((1UL << bits) - 1);
}

/* --- The serial sort --- */

#define DIGIT_BITS 11
#define DIGITS (1 << DIGIT_BITS)
#define PASSES 3

/* counts[pass][digit] */
static unsigned (*count_digits(const key *from, long n))[DIGITS]
{
  static unsigned counts[PASSES][DIGITS];
  long i;
  memset(counts, 0, sizeof counts);
  EIGHT_AT_A_TIME
  for (i = 0; i < n; i++) {
    key k = from[i];
    counts[0][k % DIGITS]++;
    counts[1][k >> DIGIT_BITS & (DIGITS - 1)]++;
    counts[2][k >> 2 * DIGIT_BITS]++;
  }
  return counts;
}

void lsd_sort(key *from, key *to, long n)
{
  unsigned (*counts)[DIGITS] = count_digits(from, n);
  int pass, digit;
  long i;
  for (pass = 0; pass < PASSES; pass++) {
    key *next[DIGITS], *at = to, *spare = from;
    int shift = pass * DIGIT_BITS;
    for (digit = 0; digit < DIGITS; digit++) {
      next[digit] = at;
      at += counts[pass][digit];
    }
    EIGHT_AT_A_TIME
    for (i = 0; i < n; i++) *next[from[i] >> shift & (DIGITS - 1)]++ = from[i];
    from = to;
    to = spare;
  }
}

/* --- The check: processor 0 has the same keys sorted by the serial sort --- */

static void *allocated(long bytes)
{
  void *p = malloc(bytes);
  if (!p) {
    fprintf(stderr, "processor %d has no room for %ld bytes: sort fewer keys\n", MYPROC, bytes);
    exit(1);
  }
  return p;
}

/* The keys of processor p must be those of `sorted` from *at on. */
static int is_part(key *global found, long count, const key *sorted, long n, long *at)
{
  key *copy;
  int same;
  if (count < 0 || count > n - *at) return 0;
  copy = allocated(count * sizeof(key));
  bulk_read(copy, found, count * sizeof(key));
  same = memcmp(copy, sorted + *at, count * sizeof(key)) == 0;
  free(copy);
  *at += count;
  return same;
}

/* Sorts all keys serially and compares the others' with them. Returns the seconds that it took to
 * sort, or -1 if they differ. */
static double sort_and_compare(long n, long room, key K[PROCS]::[room], long count[PROCS]::)
{
  key *drawn = allocated(n * sizeof(key)), *sorted = allocated(n * sizeof(key));
  double begin, seconds;
  long at = 0;
  int same = 1, p;
  draw_keys(drawn, 0, n);
  memset(sorted, 0, n * sizeof(key)); /* no page of it is new to the sort */
  begin = get_seconds();
  lsd_sort(drawn, sorted, n);
  seconds = get_seconds() - begin;
  for (p = 0; p < PROCS && same; p++) same = is_part(&K[p][0], count[p], sorted, n, &at);
  free(drawn);
  free(sorted);
  return same && at == n ? seconds : -1;
}

/* --- The program --- */

static int run(long n, long room, double *parallel, double *serial)
{
  key drawn[PROCS]::[room], sorted[PROCS]::[room];
  long count[PROCS]::, round, own = own_keys(n);
  int correct = 1;
  for (round = -1; round < repeats && correct; round++) { /* the first does not count */
    double seconds = 0, begin;
    draw_keys((key *)(drawn + MYPROC), MYPROC * block_keys(n), own);
    begin = time_begin();
    count[MYPROC] = sort_keys(n, room, drawn, sorted);
    seconds = time_end(begin);
    if (round >= 0) parallel[round] = seconds;
    on_one {
      seconds = sort_and_compare(n, room, sorted, count);
      correct = seconds >= 0;
      if (round >= 0) serial[round] = seconds;
    }
    correct = all_bcast(correct);
  }
  return correct;
}

static void report(long n, double parallel, double serial)
{
  report_number("keys", n);
  report_number("seconds", parallel);
  report_number("keys_per_second", n / parallel);
  report_number("serial_seconds", serial);
  report_number("serial_keys_per_second", n / serial);
  report_number("speedup", serial / parallel);
}

splitc_main(int argc, char **argv)
{
  static setting all_settings[SETTINGS_MAX];
  double *parallel, *serial;
  int i, correct;
  memcpy(all_settings, common_settings, sizeof common_settings);
  for (i = 0; sort_settings[i].name; i++) all_settings[COMMON_SETTINGS + i] = sort_settings[i];
  read_settings(argc, argv, sort_about, all_settings);
  sort_must_accept(keys);
  parallel = allocated(repeats * sizeof(double));
  serial = allocated(repeats * sizeof(double));
  correct = run(keys, sort_room(keys), parallel, serial);
  if (correct) report(keys, median(parallel, repeats), median(serial, repeats));
  free(parallel);
  free(serial);
  report_end(correct);
}
