/* SPDX-License-Identifier: Apache-2.0
 * What the checked mode costs: nanoseconds of an access of each kind, the least of several rounds,
 * and the memory of processor 0.
 *
 *   splitcc -fno-pipeline-reads -fno-coalesce -o plain bench/splitc/check.sc
 *   splitcc -fcheck -o checked bench/splitc/check.sc
 *   ramjet run -n 2 ./plain; ramjet run -n 2 ./checked
 *   ramjet run -n 2 --nodes 2 ./plain; ramjet run -n 2 --nodes 2 ./checked */
#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#define WORDS 65536
#define FAR_WORDS 1024
#define ROUNDS 9

static double least[8];
void *kept;

/* Time that `what` takes, for each of `n` accesses; barriers around it. */
#define MEASURE(kind, n, what)                                                    \
  do {                                                                            \
    double begin, one;                                                            \
    barrier();                                                                    \
    begin = get_seconds();                                                        \
    on_one { what; }                                                              \
    one = (get_seconds() - begin) / (n) * 1e9;                                    \
    if (least[kind] == 0 || one < least[kind]) least[kind] = one;                 \
    barrier();                                                                    \
  } while (0)

__attribute__((noinline)) static long sum(int *p)
{
  long s = 0;
  int i;
  for (i = 0; i < WORDS; i++) s += p[i];
  return s;
}

__attribute__((noinline)) static void fill(int *p, int value)
{
  int i;
  for (i = 0; i < WORDS; i++) p[i] = value;
}

splitc_main()
{
  int *spread A = all_spread_malloc(WORDS * PROCS, sizeof(int));
  int *mine = (int *)(A + MYPROC), *global far = (int *global)(A + PROCS - 1), round, i;
  static int here[WORDS];
  long s = 0;
  struct rusage used;
  fill(mine, 1);
  for (round = 0; round < ROUNDS; round++) {
    MEASURE(0, WORDS, s += sum(mine));
    MEASURE(1, WORDS, fill(mine, round));
    MEASURE(2, 2 * WORDS, s += sum(mine); s += sum(mine));
    MEASURE(3, FAR_WORDS, for (i = 0; i < FAR_WORDS; i++) s += far[i]);
    MEASURE(4, FAR_WORDS, for (i = 0; i < FAR_WORDS; i++) far[i] := i; sync());
    MEASURE(5, WORDS, bulk_read(here, far, sizeof here));
    MEASURE(6, 100, for (i = 0; i < 100; i++) { kept = malloc(64 + i); free(kept); });
    {
      double begin = get_seconds(), one;
      for (i = 0; i < 100; i++) barrier();
      one = (get_seconds() - begin) / 100 * 1e9;
      if (least[7] == 0 || one < least[7]) least[7] = one;
    }
  }
  getrusage(RUSAGE_SELF, &used);
  on_one printf("own word: read %.2f ns, written %.2f, read twice %.2f\n"
                "another processor's: read %.1f ns, put %.1f, in bulk %.2f\n"
                "malloc and free %.0f ns, barrier %.0f ns; %.1f MiB, sum %ld\n",
                least[0], least[1], least[2], least[3], least[4], least[5], least[6], least[7],
                used.ru_maxrss / 1024.0, s + here[0]);
  all_spread_free(A);
}
