/* SPDX-License-Identifier: Apache-2.0
 * Whole structures and unions through global and spread pointers: read, written, passed, returned,
 * compared member by member; members at any depth, bit-fields, packed ones, flexible arrays. */
#include "check.h"

typedef struct {
  double position[3];
  struct { short x, y; } grid;
  union { int i; float f; char c[4]; } either;
  char name[13];
} particle;
struct tiny { char a, b, c; };
struct nothing {};
struct __attribute__((packed)) squeezed { char c; int i; short s; double d; };
struct fields { unsigned a : 1, b : 10; signed c : 5; unsigned long d : 40; char e; };
struct list { int length; int items[]; };
union mixed { double d; long l; };

static particle cell, cells[6];
static struct tiny tiny_cell;
static struct squeezed squeezed_cell;
static struct fields fields_cell;
static union mixed mixed_cell;
static char list_space[64];

static particle make(int proc) {
  particle p;
  int i;
  memset(&p, 0, sizeof p);
  for (i = 0; i < 3; i++) p.position[i] = proc + i / 4.0;
  p.grid.x = proc;
  p.grid.y = -proc;
  p.either.i = mark(proc, 0);
  sprintf(p.name, "particle %d", proc);
  return p;
}
static void is(particle p, int proc) {
  particle expected = make(proc);
  CHECK(memcmp(&p, &expected, sizeof p) == 0);
}
static double sum(particle p) { return p.position[0] + p.position[1] + p.position[2]; }
static particle fetch(particle *global g) { return *g; }

static void whole(void) {
  particle *global g = toglobal(NEXT, &cell), copy, *global far;
  particle *spread s;
  cell = make(MYPROC);
  barrier();
  copy = *g;
  is(copy, NEXT);
  is(*g, NEXT);
  is(fetch(g), NEXT);
  CHECK_DOUBLE(sum(*g), 3 * NEXT + 0.75);
  CHECK_INT((*g).grid.y, -NEXT);
  CHECK_DOUBLE(fetch(g).position[2], NEXT + 0.5);
  barrier();
  *g = make(MYPROC + 100);
  barrier();
  is(cell, PREVIOUS + 100);
  /* Both sides remote. */
  far = toglobal(NEXT, cells);
  far[3] = *g;
  is(far[3], MYPROC + 100);
  set_bits(&s, pair_at(NEXT, cells));
  s[PROCS] = s[3 * PROCS];
  is(*(s + PROCS), MYPROC + 100);
  copy = s[0] = s[PROCS];
  is(copy, MYPROC + 100);
  is(*far, MYPROC + 100);
  {
    particle initialised = *far, several[2] = {*far, s[PROCS]};
    is(initialised, MYPROC + 100);
    is(several[1], MYPROC + 100);
  }
  barrier();
}

static void members(void) {
  particle *global g = toglobal(NEXT, &cell);
  int i;
  barrier();
  g->position[1] = 2.5;
  g->grid.x = 12;
  g->either.f = 1.5f;
  g->name[4] = '!';
  for (i = 0; i < 3; i++) g->position[i] += i;
  CHECK_DOUBLE(g->position[1], 3.5);
  CHECK_INT(g->grid.x, 12);
  CHECK_INT(g->either.i, 0x3fc00000);
  CHECK_INT(g->name[4], '!');
  barrier();
  CHECK_INT(cell.name[4], '!');
  CHECK_INT(cell.grid.x, 12);
  barrier();
}

static void odd_ones(void) {
  struct tiny *global t = toglobal(NEXT, &tiny_cell), three = {1, 2, 3};
  struct squeezed *global q = toglobal(NEXT, &squeezed_cell);
  struct fields *global f = toglobal(NEXT, &fields_cell), all;
  union mixed *global u = toglobal(NEXT, &mixed_cell), m;
  struct list *global l = (struct list *global)toglobal(NEXT, list_space);
  struct nothing none, *global n = (struct nothing *global)toglobal(NEXT, &none);
  *t = three;
  CHECK_INT((*t).c + t->b * 10 + t->a * 100, 123);
  q->c = 1;
  q->i = 0x12345678;
  q->s = -5;
  q->d = 0.125;
  CHECK(q->c == 1 && q->i == 0x12345678 && q->s == -5 && q->d == 0.125);
  q->i++;
  CHECK_INT(q->i, 0x12345679);
  f->a = 1;
  f->b = 1000;
  f->c = -16;
  f->d = 0xabcdef0123UL;
  f->e = 7;
  f->c += 3;
  all = *f;
  CHECK(all.a == 1 && all.b == 1000 && all.c == -13 && all.d == 0xabcdef0123UL && all.e == 7);
  CHECK_INT(f->b, 1000);
  m.d = 0.5;
  *u = m;
  CHECK_INT(u->l, 0x3fe0000000000000);
  l->length = 3;
  for (; l->length > 0; l->length--) l->items[l->length] = l->length * 11;
  CHECK_INT(l->items[2], 22);
  *n = none;
  barrier();
}

/* Pointers among the members: a tree over all processors. */
struct tree { int key; struct tree *global left, *global right; };
static struct tree node;
static int count(struct tree *global t) {
  return t ? t->key + count(t->left) + count(t->right) : 0;
}
static void linked(void) {
  struct tree next;
  node.key = MYPROC + 1;
  node.left = 2 * MYPROC + 1 < PROCS ? toglobal(2 * MYPROC + 1, &node) : NULL;
  node.right = 2 * MYPROC + 2 < PROCS ? toglobal(2 * MYPROC + 2, &node) : 0;
  barrier();
  CHECK_INT(count(toglobal(0, &node)), PROCS * (PROCS + 1) / 2);
  next = *toglobal(NEXT, &node);
  CHECK_INT(next.key, NEXT + 1);
  CHECK_GLOBAL(next.left, 2 * NEXT + 1 < PROCS ? pair_at(2 * NEXT + 1, &node) : 0);
  barrier();
}

splitc_main() {
  whole();
  members();
  odd_ones();
  linked();
  DONE;
}
