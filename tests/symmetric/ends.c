/* SPDX-License-Identifier: Apache-2.0
 * Ends that programs come to.
 *
 *   symmetric exit STATUS [RANK]   that rank ends the job, the others wait
 *   symmetric exit_of_c STATUS     the same by the C library's function
 *   symmetric early                all but the last rank return at once
 *   symmetric overflow             the stack is used up
 *   symmetric tile                 likewise, by an array that is larger than the guard is wide
 *   symmetric foreign              a target that is not symmetric
 *   symmetric no_room              a spread array that no segment can hold */
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

#include "cases.h"

static int last_word;

static void say_exited(void) { puts("atexit ran"); }

static void exit_as_told(int argc, char** argv) {
  const int who = argc > 3 ? atoi(argv[3]) : 0;
  if (ramjet_rank() != who) {
    meet();
    return;
  }
  atexit(say_exited);
  printf("rank %d has something to say", who);
  if (strcmp(argv[1], "exit_of_c") == 0) exit(atoi(argv[2]));
  splitc_exit_job(atoi(argv[2]));
}

static void return_early(void) {
  const int last = ramjet_size() - 1;
  last_word = 5 + ramjet_rank();
  if (ramjet_rank() != last) return;
  sleep(1);
  for (int r = 0; r < last; ++r) {
    while (splitc_read_int32(splitc_toglobal(r, &last_word)) != 5 + r) continue;
    splitc_write_int32(splitc_toglobal(r, &last_word), -1);
  }
  puts("all were served");
}

static int overflow(int depth) {
  volatile char room[5000];
  room[0] = (char)depth;
  return depth == 1 << 30 ? 0 : room[0] + overflow(depth + 1);
}

static int big_frame(int depth) {
  volatile char room[20 << 20];
  room[0] = (char)depth; /* its far end */
  return depth == 0 ? room[0] : room[0] + big_frame(depth - 1);
}

static uint64_t too_large;
static void place_too_large(void) {
  if (getenv("TOO_LARGE") != NULL)
    splitc_place_spread_array(&too_large, 1000, UINT64_C(1) << 50, "too_large");
}
static struct splitc_start start = {place_too_large, NULL};
__attribute__((constructor)) static void start_early(void) { splitc_at_start(&start); }

int ends(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "";
  if (strncmp(how, "exit", 4) == 0)
    exit_as_told(argc, argv);
  else if (strcmp(how, "early") == 0)
    return_early();
  else if (strcmp(how, "overflow") == 0)
    return overflow(0);
  else if (strcmp(how, "tile") == 0)
    return big_frame(5);
  else if (strcmp(how, "foreign") == 0)
    splitc_write_int32(splitc_toglobal(right(), foreign_address()), 3);
  else
    EXPECT(0);
  return 0;
}
