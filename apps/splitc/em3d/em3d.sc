/* SPDX-License-Identifier: Apache-2.0
 * EM3D in the six versions of Arpaci et al. 1995, section 8. Runs the versions in rounds over all
 * percentages of remote edges, takes their time, and compares every run with a serial one. See
 * README.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "versions.h"

static long nodes = 500, degree = 20, iterations = 100, repeats = 5, seed = 1;
static const char *chosen = "all", *percentages = "0,20,40";

static setting settings[] = {
  {"version", "simple, bundle, unroll, get, put, bulk or all", 0, 0, 0, &chosen},
  {"nodes", "nodes on each processor, E and H together: an even number", &nodes, 2, 10000000},
  {"degree", "edges that lead to each node", &degree, 1, 1000},
  {"remote", "percentages of edges from other processors, as 20 or 0,5,50", 0, 0, 0, &percentages},
  {"iterations", "time steps of a run", &iterations, 1, 1000000},
  {"repeats", "runs of each version; their median counts", &repeats, 1, 1000},
  {"seed", "of the graph and the first values", &seed, 0, 1L << 52},
  {0},
};

#define PERCENTS_MAX 101

/* One percentage: its graph, what the serial computation makes of it, and what the versions did. */
typedef struct series {
  graph g;
  double *expected[KINDS]; /* at processor 0 */
  long remote_edges, ghosts;
  double *ns_per_edge[VERSIONS]; /* of each repeat */
  word sum[VERSIONS];
  int correct[VERSIONS];
} series;

static double *serial_ns_per_edge; /* of each repeat, at 0 % */

static int is_chosen(int v)
{
  return strcmp(chosen, "all") == 0 || strcmp(chosen, versions[v].name) == 0;
}

/* --- The check --- */

/* Brings the values of all processors to processor 0, and compares them with the expected ones. */
static int compare(series *s, field fields[KINDS], word *sum)
{
  double *found[KINDS];
  long i, all = PROCS * s->g.nodes;
  int kind, p, same = 1;
  for (kind = E; kind < KINDS; kind++) {
    found[kind] = malloc(all * sizeof(double));
    for (p = 0; p < PROCS; p++)
      bulk_read(found[kind] + p * s->g.nodes, toglobal(p, fields[kind].values),
                s->g.nodes * sizeof(double));
    same &= memcmp(found[kind], s->expected[kind], all * sizeof(double)) == 0;
    for (i = 0; i < all && !same; i++)
      if (found[kind][i] != s->expected[kind][i]) {
        fprintf(stderr, "em3d: %c node %ld of processor %ld is %.17g, and %.17g serially\n",
                kind == E ? 'E' : 'H', i % s->g.nodes, i / s->g.nodes, found[kind][i],
                s->expected[kind][i]);
        break;
      }
  }
  *sum = checksum(&s->g, found);
  free(found[E]);
  free(found[H]);
  return same;
}

/* --- Running --- */

static double ns_per_edge(double seconds)
{
  return seconds * 1e9 / ((double)iterations * (nodes / 2 * 2) * degree);
}

static void run_one(series *s, field fields[KINDS], int v, long repeat)
{
  double begin;
  reset_part(&s->g, fields);
  begin = time_begin();
  run_version(&versions[v], &s->g, fields);
  s->ns_per_edge[v][repeat] = ns_per_edge(time_end(begin));
  on_one s->correct[v] &= compare(s, fields, &s->sum[v]);
  barrier();
}

/* What the versions cannot be faster than: the plain loop over local memory, without a barrier. */
static void run_serial(series *s, field fields[KINDS], long repeat)
{
  double begin;
  long i;
  reset_part(&s->g, fields);
  begin = time_begin();
  for (i = 0; i < s->g.iterations; i++) {
    update_plain(&fields[E]);
    update_plain(&fields[H]);
  }
  serial_ns_per_edge[repeat] = ns_per_edge(time_end(begin));
}

static void count_remote(series *s, const field fields[KINDS])
{
  long ghosts = 0, edges = 0, i;
  int kind;
  for (kind = E; kind < KINDS; kind++) {
    ghosts += fields[kind].ghost_count;
    for (i = 0; i < s->g.nodes * s->g.degree; i++)
      edges += toproc(fields[kind].far_edges[i].from) != MYPROC;
  }
  s->ghosts = all_sum_words(ghosts);
  s->remote_edges = all_sum_words(edges);
}

/* Every chosen version once. The graph is built for it: those of many percentages would fill the
 * memory. */
static void run_round(series *s, long repeat)
{
  field fields[KINDS];
  int v;
  make_part(&s->g, fields);
  count_remote(s, fields);
  if (s->g.remote_percent == 0) run_serial(s, fields, repeat);
  for (v = 0; v < VERSIONS; v++)
    if (is_chosen(v)) run_one(s, fields, v, repeat);
  free_part(fields);
}

static series make_series(long percent)
{
  series s;
  int v;
  s.g.seed = seed;
  s.g.procs = PROCS;
  s.g.nodes = nodes / 2;
  s.g.degree = degree;
  s.g.remote_percent = percent;
  s.g.iterations = iterations;
  for (v = 0; v < VERSIONS; v++) {
    s.ns_per_edge[v] = malloc(repeats * sizeof(double));
    s.correct[v] = 1;
    s.sum[v] = 0;
  }
  on_one solve(&s.g, s.expected);
  return s;
}

static void free_series(const series *s)
{
  int kind, v;
  for (v = 0; v < VERSIONS; v++) free(s->ns_per_edge[v]);
  on_one for (kind = E; kind < KINDS; kind++) free(s->expected[kind]);
}

/* --- Reporting --- */

static char results[1 << 15];

static void append_result(const series *s, int v)
{
  double *ns = s->ns_per_edge[v], middle = median(ns, repeats);
  size_t length = strlen(results);
  char name[32], figure[32];
  snprintf(results + length, sizeof results - length,
           "%s{\"version\": \"%s\", \"remote_percent\": %ld, \"remote_edges\": %ld, "
           "\"ghosts\": %ld, \"ns_per_edge\": {\"median\": %.6g, \"min\": %.6g, \"max\": %.6g}, "
           "\"checksum\": \"%016lx\", \"check\": \"%s\"}",
           length ? ", " : "", versions[v].name, s->g.remote_percent, s->remote_edges, s->ghosts,
           middle, ns[0], ns[repeats - 1], s->sum[v], s->correct[v] ? "ok" : "wrong");
  snprintf(name, sizeof name, "%s at %ld %%", versions[v].name, s->g.remote_percent);
  snprintf(figure, sizeof figure, "%.3f ns per edge", middle);
  report_line(name, figure);
}

static int report(series *all, int count)
{
  char array[sizeof results + 2];
  int i, v, correct = 1;
  report_number("nodes_per_rank", nodes);
  report_number("degree", degree);
  report_number("iterations", iterations);
  report_number("repeats", repeats);
  report_number("seed", seed);
  for (v = 0; v < VERSIONS; v++)
    for (i = 0; i < count; i++)
      if (is_chosen(v)) {
        append_result(&all[i], v);
        correct &= all[i].correct[v];
      }
  snprintf(array, sizeof array, "[%s]", results);
  report_json("results", array);
  if (all[0].g.remote_percent == 0)
    report_number("serial_ns_per_edge", median(serial_ns_per_edge, repeats));
  return correct;
}

/* --- The program --- */

/* Percentages with commas between, ascending; on one processor 0 alone. */
static int read_percents(long *percents)
{
  const char *at = percentages;
  char *end;
  int count = 0;
  for (;; at = end + 1) {
    long percent = strtol(at, &end, 10);
    int ascends = count == 0 || percent > percents[count - 1];
    if (end == at || (*end && *end != ',') || percent < 0 || percent > 100 || !ascends)
      refuse("--remote %s: give percentages from 0 to 100, ascending, as 0,20,50", percentages);
    percents[count++] = percent;
    if (!*end) break;
  }
  if (PROCS > 1) return count;
  percents[0] = 0;
  return 1;
}

splitc_main(int argc, char **argv)
{
  long percents[PERCENTS_MAX], repeat;
  static series all[PERCENTS_MAX];
  int count, i, v, known = 0;
  read_settings(argc, argv, "EM3D in six versions, by the percentage of edges between processors.",
                settings);
  count = read_percents(percents);
  for (v = 0; v < VERSIONS; v++) known |= is_chosen(v);
  if (!known) refuse("--version %s: the versions are simple, bundle, unroll, get, put, bulk, all",
                     chosen);
  if (nodes % 2) refuse("--nodes %ld: must be even, one half are E nodes", nodes);
  serial_ns_per_edge = malloc(repeats * sizeof(double));
  for (i = 0; i < count; i++) all[i] = make_series(percents[i]);
  for (repeat = 0; repeat < repeats; repeat++)
    for (i = 0; i < count; i++) run_round(&all[i], repeat);
  known = report(all, count);
  for (i = 0; i < count; i++) free_series(&all[i]);
  free(serial_ns_per_edge);
  report_end(known);
}
