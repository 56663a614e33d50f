/* SPDX-License-Identifier: Apache-2.0
 * exit(n) on one processor ends the whole job with that status, 0 too; the value of splitc_main is
 * ignored; what was printed is there. */
//! run: exit 3
//! status: 3
//! says: leaving with 3
//! run: exit 0
//! status: 0
//! says: leaving with 0
//! run: deep 41
//! status: 41
//! says: leaving with 41
//! run: return 5
//! status: 0
//! says: returning 5
//! run: abort 0
//! status: failure
//! says: before the abort
#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void deep(int n, int status) {
  int A[PROCS]::[10];
  A[MYPROC][0] = n;
  if (n) deep(n - 1, status);
  printf("leaving with %d\n", status);
  exit(status);
}

int splitc_main(int argc, char **argv) {
  int status = atoi(argv[2]);
  if (strcmp(argv[1], "return") == 0) {
    on_one printf("returning %d\n", status);
    return status;
  }
  on_proc(PROCS - 1) {
    if (strcmp(argv[1], "abort") == 0) {
      printf("before the abort\n");
      fflush(stdout);
      abort();
    }
    if (strcmp(argv[1], "deep") == 0) deep(4, status);
    printf("leaving with %d\n", status);
    exit(status);
  }
  for (;;) barrier(); /* the others would wait for ever */
}
