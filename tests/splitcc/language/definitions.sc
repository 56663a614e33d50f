/* SPDX-License-Identifier: Apache-2.0
 * Records with members that C does not have, defined where a type is named: in casts, sizeof,
 * compound literals and typeof, of the record itself and of global pointers to it. They are known
 * behind as they are. */
#include "check.h"

static int word;
static int table[sizeof(struct first { int *global a; char c; }) == sizeof(struct first) ? 2 : 1];
static void *nowhere;

static void of_the_record(int *global q)
{
  __typeof__(struct quad { int *global g; int e; }) by_type = {q, 5};
  struct quad again = by_type;
  int is_there = ((struct pair { int *global a; int b; } *)nowhere) != 0;
  struct pair x;
  x.a = q;
  x.b = ((struct triple { int *global g; int e; }){q, 6}).e;
  CHECK_INT(is_there, 0);
  CHECK_INT(x.b, 6);
  CHECK_INT(again.e, 5);
  CHECK_INT(*x.a, mark(0, 7));
  CHECK_INT(*again.g, mark(0, 7));
  CHECK_INT(sizeof(struct triple), sizeof(struct pair));
  CHECK_INT(sizeof table, 2 * sizeof *table);
}

static void of_pointers_to_it(int *global q)
{
  int bytes = sizeof(struct pair { int *global a; int b; } *global);
  int same = sizeof(struct node { int *spread s; } *spread *) == sizeof(void *);
  int two = sizeof(enum kind { one = 1, other } *global) == sizeof(int *global) ? other : one;
  struct pair x = {q, 8};
  struct node n = {0};
  CHECK_INT(bytes, sizeof(int *global));
  CHECK(same && !n.s);
  CHECK_INT(two, 2);
  CHECK_INT(*x.a + x.b, mark(0, 7) + 8);
}

splitc_main()
{
  on_one word = mark(0, 7);
  barrier();
  of_the_record(toglobal(0, &word));
  of_pointers_to_it(toglobal(0, &word));
  barrier();
  DONE;
}
