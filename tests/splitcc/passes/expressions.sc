/* Reads whose order nobody can tell, and sync() behind what needs nothing of it; what must stay. */
#include <split-c/split-c.h>
#include <stdio.h>

typedef struct body {
  double x, y, z;
  volatile int seen;
  struct body *global next;
} body;

int shared_flag;
int next(void);

double expressions(body *global p, body *global q, int *global *list, int i)
{
  double d = p->x - q->x; /* [pipeline-reads] */
  d += p->y * q->y; /* [pipeline-reads] */
  if (p->z < q->z) d = 0; /* [pipeline-reads] */
  printf("%g %g\n", p->x, q->x); /* [pipeline-reads] */
  while (d > 0)
    d -= *list[i] + *list[i + 1]; /* [pipeline-reads] */
  switch (i) {
    case 1:
      d = p->x + q->x; /* [pipeline-reads] */
  }
  return p->y + q->y; /* [pipeline-reads] */
}

double through_one_pointer(body *global p, body *global q)
{
  double x = p->x; /* [pipeline-reads] */
  double y = p->y;
  double z = q->z;
  return x + y + z;
}

double one_at_a_time(body *global p, body *global q, int *global g, int *here)
{
  double d = p->x;
  d += q->x;
  d = p->next->x;
  d = p->x > 0 ? q->x : 1;
  d = p->x > 0 && q->x > 0;
  d = p->x + next();
  d = p->seen + q->seen;
  d = (d = p->x, q->x);
  shared_flag = *g;
  *here = *g;
  return d;
}

/* An address that the statement in front of it computes, and a pointer that moves. */
int computed(int *global g, body *global p)
{
  int i = *g;
  int j = g[i];
  double x = p->x; /* [pipeline-reads] */
  p = p->next;
  x += p->x;
  return i + j + (x > 0);
}

int syncs(int *global g, int n)
{
  int fetched, other, s = 0, i, table[8];
  fetched := *g;
  sync(); /* [move-sync] */
  for (i = 0; i < n; i++) table[i & 7] = i * i;
  s += table[3];
  return s + fetched;
}

int syncs_that_stay(int *global g, int *here, int n)
{
  int fetched, s = 0, i, table[8], *all = table;
  fetched := *g;
  sync();
  s = fetched + 1;
  fetched := *g;
  sync();
  s += *here;
  all[1] := *g;
  sync();
  s += table[1];
  *g := n;
  sync();
  shared_flag = 1;
  sync();
  for (i = 0; i < n; i++) s += next();
  sync();
  if (n) return s;
  return s + fetched;
}

splitc_main() { }
