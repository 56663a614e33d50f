/* SPDX-License-Identifier: Apache-2.0
 * The pointer object: 64 bits, processor in the top 16, address in the low 48, the same for all
 * pointee types; taking it apart and building it. */
#include "check.h"

struct holder {
  char first;
  int *global g;
  short middle;
  double *spread s;
  char last;
};
struct large {
  char bytes[300];
};
union view {
  check_word bits;
  int *global g;
  int *spread s;
  struct large *global of_struct;
};

static int target, *global static_global, *spread static_spread;

static void sizes(void) {
  int *global g;
  struct large *spread s;
  CHECK_INT(sizeof(int *global), 8);
  CHECK_INT(sizeof(char *spread), 8);
  CHECK_INT(sizeof(struct large *global), 8);
  CHECK_INT(sizeof(void *spread), 8);
  CHECK_INT(sizeof(int (*spread)[10]), 8);
  CHECK_INT(sizeof g, 8);
  CHECK_INT(sizeof s, 8);
  CHECK_INT(sizeof *s, 300);
  CHECK_INT(sizeof(*g), 4);
  CHECK_INT(sizeof s[2].bytes, 300);
  CHECK_INT(sizeof(struct holder), 40);
  CHECK_INT((char *)&((struct holder *)0)->s - (char *)0, 24);
  CHECK_INT(__alignof__(int *global), 8);
}

static void building(void) {
  int proc, local = 5;
  int *global g;
  for (proc = 0; proc < PROCS; proc++) {
    g = toglobal(proc, &target);
    CHECK_INT(bits_at(&g), pair_at(proc, &target));
    CHECK_INT(toproc(g), proc);
    CHECK(tolocal(g) == &target);
    CHECK_INT(toproc(toglobal(proc, &local)), proc);
    CHECK(tolocal(toglobal(proc, &local)) == &local);
    CHECK_INT(*(int *)tolocal(toglobal(proc, &local)), 5);
    CHECK_INT(sizeof *toglobal(proc, (struct large *)0), 300);
  }
}

static void views(void) {
  union view v;
  struct holder h;
  v.bits = pair_at(PROCS - 1, &target);
  CHECK_INT(toproc(v.g), PROCS - 1);
  CHECK_INT(toproc(v.s), PROCS - 1);
  CHECK(tolocal(v.g) == &target);
  CHECK(tolocal(v.s) == &target);
  CHECK((void *)tolocal(v.of_struct) == (void *)&target);
  h.g = v.g;
  h.s = (double *spread)v.s;
  CHECK_INT(bits_at(&h.g), v.bits);
  CHECK_INT(bits_at(&h.s), v.bits);
}

static void nulls(void) {
  int *global g = 0;
  int *spread s = NULL, *spread unset_address;
  CHECK_INT(bits_at(&static_global), 0);
  CHECK_INT(bits_at(&static_spread), 0);
  CHECK_INT(bits_at(&g), 0);
  CHECK_INT(bits_at(&s), 0);
  CHECK(!g);
  CHECK(!s);
  CHECK(g == 0 && s == NULL && 0 == g && NULL == s);
  /* Null means that the address part is 0. */
  set_bits(&unset_address, pair_of(PROCS - 1, 0));
  CHECK(!unset_address);
  if (unset_address) CHECK(0);
  set_bits(&g, pair_of(PROCS - 1, 0));
  CHECK(!g && (g ? 0 : 1));
  g = toglobal(PROCS - 1, &target);
  CHECK(g && !!g && (g || 0) && g != 0 && (g ? 1 : 0));
}

splitc_main(argc, argv) int argc;
char **argv;
{
  sizes();
  building();
  views();
  nulls();
  DONE;
}
