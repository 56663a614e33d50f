/* SPDX-License-Identifier: Apache-2.0
 * The stack in the segment: its variables are reached by others, it is deep, and a forked child has
 * one of its own. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"

static splitc_global offered; /* by the left neighbour */

/* Two ranks' frames need not be at the same address: pointers are handed over. */
void stack_variables(void) {
  volatile int mine = 10 * ramjet_rank();
  double row[1000];
  memset(row, 0, sizeof row);
  EXPECT(is_symmetric((const void*)&mine) && is_symmetric(row));
  const splitc_global here = splitc_global_of(row);
  EXPECT(splitc_toproc(here) == ramjet_rank());
  splitc_write_uint64(splitc_toglobal(right(), &offered), here.bits);
  meet();
  splitc_write_double(splitc_global_add(offered, 999, sizeof(double)), ramjet_rank() + 0.5);
  meet();
  EXPECT(row[999] == right() + 0.5);
  splitc_write_uint64(splitc_toglobal(right(), &offered),
                      splitc_global_of((const void*)&mine).bits);
  meet();
  EXPECT(splitc_read_int32(offered) == 10 * splitc_toproc(offered));
  splitc_add_int32(offered, 1);
  EXPECT(splitc_sync() == RAMJET_OK);
  meet();
  EXPECT(mine == 10 * ramjet_rank() + 1);
}

static int sum_to(int depth) {
  volatile char room[1000];
  room[depth % 1000] = 1;
  return depth == 0 ? 0 : room[depth % 1000] + sum_to(depth - 1);
}

void recursion(void) {
  EXPECT(sum_to(50000) == 50000); /* some 50 MB */
  char tile[8 << 20];
  memset(tile, 1, sizeof tile);
  EXPECT(tile[sizeof tile / 2] == 1);
  meet();
}

/* A child changes what is its own only; what the parent does meanwhile is not seen there. */
static int changed_by_child = 1, changed_by_parent = 1;
static char far_away[1 << 20];

void forks(void) {
  volatile int on_stack = 5;
  far_away[1 << 19] = 3;
  for (int i = 0; i < 20; ++i) {
    int ends[2];
    EXPECT(pipe(ends) == 0);
    const pid_t child = fork();
    EXPECT(child >= 0);
    if (child == 0) {
      char go;
      if (read(ends[0], &go, 1) != 1) _exit(2);
      const int right_values =
          on_stack == 5 && changed_by_parent == 1 + i && far_away[1 << 19] == 3 + i;
      on_stack = 99;
      changed_by_child = 99;
      _exit(right_values && sum_to(1000) == 1000 ? 0 : 1);
    }
    ++changed_by_parent;
    ++far_away[1 << 19];
    EXPECT(sum_to(2000) == 2000);
    EXPECT(write(ends[1], "g", 1) == 1);
    int status = -1;
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
    EXPECT(on_stack == 5 && changed_by_child == 1);
    close(ends[0]);
    close(ends[1]);
  }
  EXPECT(system("exit 3") == 3 << 8);
  meet();
}
