/* SPDX-License-Identifier: Apache-2.0
 * Records defined where a type is named: in casts, sizeof, compound literals, typeof, _Atomic and
 * _Alignas, of the record itself and of pointers to it, beside global pointers. They are known
 * behind as they are. */
//! flags: -Werror
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

static void of_local_types(int *global q)
{
  __typeof__(struct cell { int a; } *) x = 0, *global y = toglobal(MYPROC, &x);
  __typeof__(struct row { int *global of; } [2]) rows = {{q}, {q + 1}}, *global r = 0;
  __typeof__(enum colour { red = 3, green } (void)) *f = 0, *global g = 0;
  struct cell one = {4};
  struct row two = rows[1];
  enum colour c = green;
  x = &one;
  CHECK_INT((*y)->a, 4);
  CHECK_GLOBAL(two.of, global_bits(q + 1));
  CHECK(!f && !g && !r && c == 4);
}

static void of_global_types(int *global q)
{
  __typeof__(struct late { int *global of; } *global) x = 0, *y = &x;
  const __typeof__(struct later { int e; } *spread) s = 0;
  struct late there = {q};
  struct later that = {5};
  *y = toglobal(MYPROC, &there);
  CHECK_GLOBAL(x->of, global_bits(q));
  CHECK(!s && that.e == 5);
}

struct outer {
  struct inner { int *global of; } a, b;
  struct { int *global of; } c, *d;
  enum size { small = sizeof(int *global), large } *global e, f;
  __typeof__(struct innermost { struct { int *global of; } *x, y; } *) g, *global h;
};

static void of_members(int *global q)
{
  struct innermost i;
  struct outer o = {{q}, {q + 1}, {q + 2}, 0, 0, large, &i, 0};
  i.x = &i.y;
  o.d = &o.c;
  o.h = toglobal(MYPROC, &o.g);
  i.y.of = q + 3;
  CHECK_INT(o.f, 9);
  CHECK_INT(sizeof o, 8 * sizeof(void *));
  CHECK_GLOBAL(o.d->of, global_bits(o.b.of + 1));
  CHECK_GLOBAL((*o.h)->x->of, global_bits(o.a.of + 3));
}

static void in_other_specifiers(int *global q)
{
  _Atomic(struct lone { int a; } *) a = 0, *global b = toglobal(MYPROC, &a);
  _Alignas(struct wide { int *global of; _Alignas(32) char c; }) char buffer[3], *global into;
  _Alignas(int *global) char bytes[sizeof(int *global)];
  struct lone one = {6};
  struct wide w = {q, 7};
  into = toglobal(MYPROC, buffer);
  into[2] = w.c;
  CHECK(!*b);
  CHECK_INT(one.a, 6);
  CHECK_INT(buffer[2], 7);
  CHECK_INT((long)buffer % 32, 0);
  CHECK_INT((long)bytes % sizeof(int *global), 0);
  CHECK_GLOBAL(w.of, global_bits(q));
}

static int in_each_else(int n, int *global q)
{
  if (n == (int)sizeof(struct link { int *global of; })) return 1;
  else if (n == (int)sizeof(struct link { int *global of; char c; })) return 2 + (struct link){q, 1}.c;
  else if (n == (int)sizeof(struct link { char c[3]; })) return 4;
  else return (int)sizeof(struct link);
}

splitc_main()
{
  on_one word = mark(0, 7);
  barrier();
  of_the_record(toglobal(0, &word));
  of_pointers_to_it(toglobal(0, &word));
  of_local_types(toglobal(0, &word));
  of_global_types(toglobal(0, &word));
  of_members(toglobal(0, &word));
  in_other_specifiers(toglobal(0, &word));
  CHECK_INT(in_each_else(8, toglobal(0, &word)), 1);
  CHECK_INT(in_each_else(16, toglobal(0, &word)), 3);
  CHECK_INT(in_each_else(3, toglobal(0, &word)), 4);
  CHECK_INT(in_each_else(0, toglobal(0, &word)), 3);
  barrier();
  DONE;
}
