/* SPDX-License-Identifier: Apache-2.0
 * What the address sanitizer finds: of the heap, the stack, a static. */
#include <split-c/split-c.h>
#include <stdlib.h>

int table[10] = {1}, A[4]::; /* tentative definitions have no margins: -fno-common gives them */

void heap(int n) {
  int *p = malloc(10 * sizeof(int));
  p[n] = 1;
}
void after_free(int n) {
  int *p = malloc(10 * sizeof(int));
  free(p);
  p[n] = 1;
}
void stack(int n) {
  int many[10];
  many[n] = 1;
  A[MYPROC] = many[0];
}
void a_static(int n) {
  table[n] = 1;
}

splitc_main(argc, argv)
  int argc;
  char **argv;
{
  void (*functions[])(int) = {heap, after_free, stack, a_static};
  functions[atoi(argv[1])](atoi(argv[2]));
  barrier();
}
