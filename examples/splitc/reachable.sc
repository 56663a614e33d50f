/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <split-c/split-c.h>

int global_variable;
int *global on_the_stack, *global on_the_heap;

int *a_static(void)
{
  static int hidden = 3;
  return &hidden;
}

splitc_main()
{
  int automatic = 10 * MYPROC, last = PROCS - 1;
  int *heap = malloc(100 * sizeof(int));

  heap[99] = 1000 * MYPROC;
  global_variable = MYPROC;
  on_the_stack = &automatic;                  /* for others: their own may lie elsewhere */
  on_the_heap = heap;
  barrier();
  on_one {
    printf("%d %d\n", *toglobal(last, &global_variable), *toglobal(last, a_static()));
    printf("%d\n", **toglobal(last, &on_the_stack));
    printf("%d\n", (*toglobal(last, &on_the_heap))[99]);
  }
  barrier();                                  /* nobody leaves before the others have read */
  free(heap);
}
