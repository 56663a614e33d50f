/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

char letters[4] = "....";
struct { unsigned a : 3, b : 5; } bits;
int counter;

splitc_main()
{
  char *global word = toglobal(0, letters);
  int *global c = toglobal(PROCS - 1, &counter);

  if (MYPROC < 4) word[MYPROC] = 'a' + MYPROC;  /* all at once, into one machine word */
  barrier();
  on_one {
    printf("%.4s\n", letters);
    *c += 5;                                  /* read, add, write: not atomic */
    ++*c;
    printf("%d %d\n", (*c)--, *c);
    toglobal(PROCS - 1, &bits)->b = 17;       /* the other bits of the byte stay */
    printf("%d\n", toglobal(PROCS - 1, &bits)->b);
  }
}
