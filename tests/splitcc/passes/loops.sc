/* What the passes do, and leave alone: the comment behind a line names the passes that say so. */
#include <split-c/split-c.h>

double x[1000];
int shared_count;
int *global where[10];
int next(void);

int own_elements(int n)
{
  int A[n]::;
  int i, s = 0;
  for (i = MYPROC; i < n; i += PROCS) A[i] = i; /* [own-loops] */
  for (i = MYPROC; i <= n - 1; i = i + PROCS) { /* [own-loops] */
    if (A[i] > 1000) continue;
    s += A[i];
  }
  all_store_sync();
  barrier(); /* [drop-barriers] */
  return s;
}

int not_own(int n)
{
  int A[n]::;
  int i, s = 0;
  for (i = MYPROC + 1; i < n; i += 2) A[i] = i;
  for (i = MYPROC; i < n; i += PROCS) A[i + 1] = i;
  for (i = MYPROC; i < n; i += PROCS) { A[i] = i; __asm__("" : "+r"(n)); }
  for (i = MYPROC; i < n; i += PROCS) A[i] :- i;
  while (A[MYPROC] == 0) s++; /* [poll-loops] */
  for (i = MYPROC; i < n; i += PROCS)
    while (A[i] == 0)
      if (++s > 9) break;
  barrier();
  all_store_sync();
  return s;
}

int pointers(int *spread S, int *global g, int n)
{
  int i, s = 0;
  for (i = MYPROC; i < n; i += PROCS) S[i] = 0; /* [own-loops] */
  for (i = 0; i < n; i++) g[i] = i; /* [hoist-own-test] */
  for (i = 0; i < n; i++)
    do s++;
    while (g[i] == s);
  for (i = 0; i < n; i++) { /* [hoist-own-test] */
    g[i] += s;
    while (g[i] < s) s--;
  }
  for (i = 0; i < n; i++) S[i] = i; /* [reduce-addresses] */
  for (i = 0; i < n; i++) { S[i] = i; i += next(); }
  return s;
}

int reads(int *global *p, int *global g, int n)
{
  int i, s = 0, here[10], named[10], *of_named = named;
  for (i = 0; i < n; i++) s += *p[i]; /* [pipeline-reads] [try-own] */
  for (i = 0; i < n; i++) if (s < 5) s += *p[i]; /* [try-own] */
  for (i = 0; i < n; i++) { s += *p[i]; next(); }
  for (i = 0; i < n; i++) { s += *p[i]; *p[i] = 0; }
  for (i = 0; i < n; i++) s = *p[s]; /* [try-own] */
  for (i = 0; i < *g; i++) s += *p[i]; /* [try-own] */
  for (i = 0; i < 10; i++) here[i] = *where[i]; /* [pipeline-reads] */
  for (i = 0; i < 10; i++) named[i] = *where[i];
  for (i = 0; i < 10; i++) of_named[i] = *where[i];
  for (i = 0; i < 10; i++) x[i] = *where[i];
  for (i = 0; i < 10; i++) shared_count += *where[i];
  return s + here[s];
}

typedef struct edge {
  double *global from, weight;
  volatile double *global watched;
  long double *global wide;
} edge;

static double after(double value, double from) { return value - from; }
static double asked(double value, double from) { return value - from * next(); }
double outside(double value, double from) { return value - from; }

double edges(edge *e, double *global g, int n)
{
  double s = 0;
  int i, k;
  for (i = 0; i < n; i++)
    for (k = 0; k < 20; k++, e++) s = after(s, *e->from); /* [try-own] */
  while (n-- > 0) x[n] = *e[n].from; /* [try-own] */
  for (i = 0; i < n; i++, e++) s += *g;
  for (i = 0; i < n; i++, e++) s = asked(s, *e->from);
  for (i = 0; i < n; i++, e++) s = outside(s, *e->from);
  for (i = 0; i < n; i++, e++) s += *e->watched;
  for (i = 0; i < n; i++, e++) s += *e->wide;
  for (i = 0; i < n; i++, e++) { s += *e->from; s -= *e->wide; }
  for (i = 0; i < n; i++, e++) { s += *e->from; if (s > 9) break; }
  for (i = 0; i < n; i++, e++) { s += *e->from; *g = i; }
  for (i = 0; i < n; i++, e++) { s += *e->from; *g += i; }
  for (i = 0; i < n; i++, e++) { s += *e->from; (*g)++; }
  for (i = 0; i < n; i++, e++) { s += *e->from; *g := i; }
  for (i = 0; i < n; i++, e++) { s += *e->from; *g :- i; }
  for (i = 0; i < n; i++, e++) { s += *e->from; x[i] := *g; }
  for (i = 0; i < n; i++, e++) { s += *e->from; sync(); }
  for (i = 0; i < n; i++, e++) { s += *e->from; __asm__("" : "+r"(i)); }
  do s += *e++->from; while (--n > 0);
  return s;
}

int types(int *global *p, int *global g, int n)
{
  int i, s = 0;
  while (s < n && ((struct q { int z; }){*p[s]}).z < 5) s++;
  for (i = 0; i < n; i++) s += *p[i] + (int)sizeof(enum { one = 1 });
  for (i = 0; i < n; i++) { s += *p[i] + (int)sizeof(struct r *); } /* [pipeline-reads] [try-own] */
  for (i = 0; i < n + (int)sizeof(struct q { int z; }); i++) g[i] = 0;
  s = *g + *p[sizeof(struct t { int z; })];
  return s + (int)sizeof(struct t);
}

void bulk(double *global g, int n)
{
  int i;
  for (i = 0; i < n; i++) g[i] := 2 * x[i]; /* [coalesce] */
  for (i = 0; i < n; i++) g[i] :- x[i]; /* [coalesce] */
  for (i = 0; i < n; i++) x[i] := g[i]; /* [coalesce] */
  for (i = 0; i < n; i++) g[2 * i] := x[i]; /* [hoist-own-test] */
  for (i = 0; i < n; i++) g[i] := next(); /* [hoist-own-test] */
  sync();
}

typedef struct page_part { double of[64]; } page_part;
typedef struct larger { double of[65]; } larger;

void records(page_part *global g, larger *global h, const page_part *from, const larger *other, int n)
{
  int i;
  for (i = 0; i < n; i++) g[i] := from[i]; /* [coalesce] */
  for (i = 0; i < n; i++) h[i] := other[i]; /* [hoist-own-test] */
  sync();
}

splitc_main() { }
