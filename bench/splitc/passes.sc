/* What the passes of splitcc gain: a sum over one's own elements beside the same over local memory,
 * and reads and puts that go to another processor, 16 at a time.
 *
 *   splitcc -o passes bench/splitc/passes.sc && ramjet run -n 2 --nodes 2 passes
 *   splitcc -fno-pipeline-reads -fno-coalesce -o passes bench/splitc/passes.sc && ... */
#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>

#define LEAST(best, t) ((best) = (t) < (best) ? (t) : (best))

__attribute__((noinline)) int local_sum(int *p, int n)
{
  int i, s = 0;
  for (i = 0; i < n; i++) s += p[i];
  return s;
}

__attribute__((noinline)) int own_sum(int *spread A, int n)
{
  int i, s = 0;
  for (i = MYPROC; i < n; i += PROCS) s += A[i];
  return s;
}

splitc_main()
{
  int rows = 4000, n = rows * PROCS, rounds = 200, i, k, s = 0;
  int *spread A = all_spread_malloc(n, sizeof(int));
  int *p = malloc(rows * sizeof(int));
  double local = 1, own = 1, reads = 1, puts = 1, t;

  for (i = MYPROC; i < n; i += PROCS) A[i] = i;
  for (i = 0; i < rows; i++) p[i] = A[MYPROC + i * PROCS];
  barrier();
  for (k = 0; k < rounds; k++) {
    t = get_seconds();
    s += local_sum(p, rows);
    LEAST(local, get_seconds() - t);
    t = get_seconds();
    s -= own_sum(A, n);
    LEAST(own, get_seconds() - t);
  }
  barrier();
  on_one {
    int *global g = (int *global)(A + PROCS - 1);
    for (k = 0; k < rounds; k++) {
      t = get_seconds();
      for (i = 0; i < 16; i++) s += A[PROCS - 1 + i * PROCS];
      LEAST(reads, get_seconds() - t);
      t = get_seconds();
      for (i = 0; i < 16; i++) g[i] := i;
      sync();
      LEAST(puts, get_seconds() - t);
    }
    printf("sum: local %.3f ns an element, own %.3f (%.2f)\n", local / rows * 1e9, own / rows * 1e9,
           own / local);
    printf("16 reads %.2f us, 16 puts %.2f us; %d\n", reads * 1e6, puts * 1e6, s);
  }
  barrier();
}
