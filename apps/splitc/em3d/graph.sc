/* SPDX-License-Identifier: Apache-2.0
 * Every node has a sequence of random words of its own. An edge takes four of them, whatever the
 * percentage is: graphs of two percentages differ in the edges that one has remote and the other
 * has not. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

enum { EDGES, VALUE };

static word words_for(const graph *g, int purpose, int kind, int proc, long index)
{
  word state = random_key(random_key(0, g->seed), purpose);
  return random_key(random_key(random_key(state, kind), proc), index);
}

void draw_edges(const graph *g, int kind, int proc, long index, dependence *edges)
{
  word words = words_for(g, EDGES, kind, proc, index);
  double step = 1.0 / ((double)g->degree * (double)g->iterations);
  long i;
  for (i = 0; i < g->degree; i++) {
    int remote = random_below(&words, 100) < (word)g->remote_percent && g->procs > 1;
    int elsewhere = random_below(&words, g->procs > 1 ? g->procs - 1 : 1);
    edges[i].proc = !remote ? proc : elsewhere < proc ? elsewhere : elsewhere + 1;
    edges[i].index = random_below(&words, g->nodes);
    edges[i].weight = random_signed(&words) * step;
  }
}

double initial_value(const graph *g, int kind, int proc, long index)
{
  word words = words_for(g, VALUE, kind, proc, index);
  return random_signed(&words);
}

/* All edges that lead to nodes of a kind, in the order of the nodes. */
static dependence *draw_whole(const graph *g, int kind)
{
  dependence *all = malloc(g->procs * g->nodes * g->degree * sizeof(dependence)), *edges = all;
  long i;
  int p;
  for (p = 0; p < g->procs; p++)
    for (i = 0; i < g->nodes; i++, edges += g->degree) draw_edges(g, kind, p, i, edges);
  return all;
}

static void update(const graph *g, double *to, const double *from, const dependence *edge)
{
  long i, k;
  for (i = 0; i < g->procs * g->nodes; i++)
    for (k = 0; k < g->degree; k++, edge++)
      to[i] = after_edge(to[i], edge->weight, from[edge->proc * g->nodes + edge->index]);
}

void solve(const graph *g, double *values[KINDS])
{
  dependence *edges[KINDS];
  long i;
  int kind;
  for (kind = E; kind < KINDS; kind++) {
    values[kind] = malloc(g->procs * g->nodes * sizeof(double));
    for (i = 0; i < g->procs * g->nodes; i++)
      values[kind][i] = initial_value(g, kind, i / g->nodes, i % g->nodes);
    edges[kind] = draw_whole(g, kind);
  }
  for (i = 0; i < g->iterations; i++) {
    update(g, values[E], values[H], edges[E]);
    update(g, values[H], values[E], edges[H]);
  }
  free(edges[E]);
  free(edges[H]);
}

word checksum(const graph *g, double *const values[KINDS])
{
  word sum = 0xcbf29ce484222325UL, bits;
  long i;
  int kind;
  for (kind = E; kind < KINDS; kind++)
    for (i = 0; i < g->procs * g->nodes; i++) {
      memcpy(&bits, &values[kind][i], sizeof bits);
      sum = (sum ^ bits) * 0x9e3779b97f4a7c15UL;
      sum ^= sum >> 29;
    }
  return sum;
}
