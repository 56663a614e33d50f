/* SPDX-License-Identifier: Apache-2.0
 * A program that has main alone. */
//! run: 9 "last argument"
#include "check.h"

static int cell;

int main(int argc, char **argv) {
  cell = atoi(argv[1]) + MYPROC;
  barrier();
  CHECK_INT(argc, 3);
  CHECK(strcmp(argv[2], "last argument") == 0);
  CHECK_INT(*toglobal(NEXT, &cell), 9 + NEXT);
  DONE;
  return 0;
}
