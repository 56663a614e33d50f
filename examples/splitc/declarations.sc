/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

struct node {
  int value;
  struct node *global next;                   /* a member */
};

int *local;                                   /* of one's own memory */
int *global g;                                /* a processor and an address */
int *spread s;                                /* the same; its arithmetic goes round */
int *spread *places;                          /* a local pointer to spread pointers */
int *global *global gg;                       /* a global pointer to global pointers */
int (*spread rows)[4];                        /* a spread pointer to arrays */
const char *global const text;                /* constant, to constant characters */
int *global table[3];                         /* an array of global pointers */
int *global (*function)(void *spread);        /* a pointer to a function with both */

int *global second_of(void *spread v)         /* a parameter, a result */
{
  return (int *global)v + 1;                  /* a cast */
}

splitc_main()
{
  static int numbers[4] = {10, 20, 30, 40};
  static struct node first = {1}, last = {2};

  first.next = toglobal(PROCS - 1, &last);
  g = numbers;                                /* a local pointer becomes this processor's */
  gg = &g;
  s = g;
  places = &s;
  rows = (void *spread)numbers;
  table[2] = g + 2;
  function = second_of;
  on_one printf("%d %d %d %d %d %d %d, %lu bytes\n", *g, **gg, **places, (*rows)[1],
                *function(s), *table[2], first.next->value, sizeof g);
}
