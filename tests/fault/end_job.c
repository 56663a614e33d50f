/* SPDX-License-Identifier: Apache-2.0 */
/* The last rank ends the job with the status that is given; the others wait.
 *
 *   end_job STATUS
 */
#include <stdio.h>
#include <stdlib.h>

#include "ramjet/ramjet.h"

int main(int argc, char** argv) {
  ramjet_init(&argc, &argv);
  printf("rank %d\n", ramjet_rank());
  if (ramjet_rank() == ramjet_size() - 1) ramjet_end_job(atoi(argv[1]));
  ramjet_barrier(RAMJET_WORLD);
  return 1;
}
