/* SPDX-License-Identifier: Apache-2.0
 * Stdio is per processor: every processor's lines are there, whole, and what is in a buffer at the
 * end is written. Words of the document's operators in formats and strings stay as they are. */
//! says: (?m)^last line of 0$
//! lines: ^processor \d+ of \d+ says a := b :- c :: d \? e : f$
#include <stdio.h>
#include <split-c/split-c.h>

splitc_main() {
  FILE *own = fopen("/dev/null", "w");
  printf("processor %d of %d says a := b :- c :: d ? e : f\n", MYPROC, PROCS);
  fprintf(own, "%d", MYPROC);
  fclose(own);
  fflush(stdout);
  barrier();
  on_one printf("last line of %d", MYPROC);
}
