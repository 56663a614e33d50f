/* SPDX-License-Identifier: Apache-2.0 */
/* As ended_output.cpp: the last rank reads address 0. */
#include <stdio.h>

#include "ramjet/ramjet.h"

int main(int argc, char** argv) {
  ramjet_init(&argc, &argv);
  printf("rank %d: whole\n", ramjet_rank());
  printf("rank %d: half", ramjet_rank());
  ramjet_barrier(RAMJET_WORLD);
  if (ramjet_rank() == ramjet_size() - 1) *(volatile int*)0 = 1;
  ramjet_barrier(RAMJET_WORLD);
  return 1;
}
