/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

char bytes[8];

/* Of the byte that s names, by its place in `bytes`. */
void show(char *name, char *spread s)
{
  printf("%-6s processor %d, byte %d\n", name, toproc(s), (int)(tolocal(s) - bytes));
}

splitc_main()
{
  char *spread s = toglobal(0, bytes);

  on_proc(PROCS - 1) {
    show("s", s);
    show("s + 1", s + 1);                     /* the next processor, the same address */
    show("s + 3", s + 3);
    show("s + 4", s + 4);                     /* behind the last: the next byte of the first */
    show("s + 9", s + 9);
    s += 9;
    show("s - 6", s - 6);
    printf("%d from start to end\n", (int)(s - (char *spread)toglobal(0, bytes)));
    printf("%s\n", s - 1 < s && s + PROCS > s ? "in order" : "not in order");
  }
}
