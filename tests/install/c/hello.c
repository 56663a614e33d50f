/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest program of a user: every rank says who it is. */
#include <ramjet/ramjet.h>
#include <stdio.h>

int main(int argc, char** argv) {
  ramjet_init(&argc, &argv);
  printf("rank %d of %d\n", ramjet_rank(), ramjet_size());
  ramjet_barrier(RAMJET_WORLD);
  ramjet_finalize();
  return 0;
}
