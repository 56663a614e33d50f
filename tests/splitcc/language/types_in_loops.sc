/* SPDX-License-Identifier: Apache-2.0
 * Records and enumerations that are defined in expressions of loops and statements which read words
 * of others. In C90, where a loop is not a scope of its own, and with declarations ahead of
 * statements, as people who write it ask for. */
//! flags: -std=gnu89 -Werror=declaration-after-statement
#include "check.h"

#define COUNT 40

typedef struct place {
  int *global of;
} place;

static int words[COUNT];
static place places[COUNT];
static int *global pointers[COUNT];

static int first_large(const place *e, int n)
{
  int i = 0;
  while (i < n && ((struct q { int z; }){*e[i].of}).z < mark(0, 30)) i++;
  return i;
}

static long with_enumerator(int *global *p, int n)
{
  int i = 0;
  long s = 0;
  while (i < n) s += (long)(enum { two = 2 })two * *p[i++];
  return s;
}

static long by_size(const place *e, int n)
{
  int i;
  long s = 0;
  for (i = 0; i < n; i += (int)sizeof(struct q { char z[2]; })) s += *e[i].of;
  return s;
}

static long in_derived(const place *e, int n)
{
  int i;
  long s = 0;
  for (i = 0; i < n; i++) s += *e[i].of + (int)sizeof(__typeof__(int[sizeof(struct q { int z; })]));
  return s;
}

static long in_body(const place *e, int n)
{
  int i;
  long s = 0;
  for (i = 0; i < n; i++) { s += *e[i].of; s += sizeof(struct q { char z[3]; }) + sizeof(struct q); }
  return s;
}

static long row(int *global g, int n)
{
  int i;
  long s = 0;
  for (i = 0; i < n; i++) s += g[i] + (int)sizeof(union q { int z; });
  return s;
}

static int fetched[COUNT];
static void fetch(int *global g, int n)
{
  int i;
  for (i = 0; i < n + (int)sizeof(struct q { char z[4]; }); i++) fetched[i] := g[i];
  sync();
}

/* Defined for the rest of the function, in the head of a loop too: it is not a block in C90. */
static int behind_heads(int n)
{
  int i, left = 0;
  for (i = sizeof(struct late { int a[4]; }); i > 0; i -= 4) left++;
  while (left > (int)sizeof(struct later { char z[2]; })) left--;
  if (n < (int)sizeof(struct latest { char z[9]; })) return 0;
  switch (sizeof(struct last { char z[3]; })) case 3: left++;
  return left + sizeof(struct late) + sizeof(struct later) + sizeof(struct latest) +
         sizeof(struct last);
}
static long behind(int *global *p, int *global g)
{
  int x;
  x = *p[sizeof(struct q { char z[5]; })] + *g;
  return x + (long)sizeof(struct q);
}

static void check_of(int from)
{
  long sum = 0, even = 0;
  int k;
  for (k = 0; k < COUNT; k++) {
    pointers[k] = places[k].of = toglobal(from, &words[k]);
    sum += words[k];
    even += k % 2 == 0 ? words[k] : 0;
  }
  CHECK_INT(first_large(places, COUNT), 30);
  CHECK_INT(first_large(places, 20), 20);
  CHECK_INT(with_enumerator(pointers, COUNT), 2 * sum);
  CHECK_INT(by_size(places, COUNT), even);
  CHECK_INT(in_derived(places, COUNT), sum + COUNT * 4 * (long)sizeof(int));
  CHECK_INT(in_body(places, COUNT), sum + 6 * COUNT);
  CHECK_INT(row(toglobal(from, words), COUNT), sum + COUNT * (long)sizeof(int));
  memset(fetched, 0, sizeof fetched);
  fetch(toglobal(from, words), COUNT - 5);
  for (k = 0; k < COUNT - 1; k++) CHECK_INT(fetched[k], words[k]);
  CHECK_INT(fetched[COUNT - 1], 0);
  CHECK_INT(behind_heads(8), 0);
  CHECK_INT(behind_heads(9), 2 + 1 + 16 + 2 + 9 + 3);
  CHECK_INT(behind(pointers, toglobal(from, &words[7])), words[5] + words[7] + 5);
}

splitc_main()
{
  int k;
  for (k = 0; k < COUNT; k++) words[k] = mark(0, k);
  barrier();
  check_of(MYPROC);
  check_of(NEXT);
  DONE;
}
