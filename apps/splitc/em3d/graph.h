/* SPDX-License-Identifier: Apache-2.0
 * The synthetic graph: which nodes the value of each node depends on, and how much. E nodes depend
 * on H nodes only, and H nodes on E nodes. The graph of a description is that of apps/em3d, to the
 * last bit: every processor draws the part that it wants, its own or another's. */
#ifndef APPS_SPLITC_EM3D_GRAPH_H
#define APPS_SPLITC_EM3D_GRAPH_H

#include "../common/program.h"

enum { E, H, KINDS };

typedef struct graph {
  long seed;
  int procs;
  long nodes;  /* of each kind, on each processor */
  long degree; /* edges that lead to a node */
  long remote_percent;
  long iterations; /* the time step is 1 / iterations */
} graph;

/* An edge, seen from the node that it leads to: the node of the other kind, and its weight. */
typedef struct dependence {
  int proc;
  unsigned index;
  double weight;
} dependence;

/* What an edge does to the node that it leads to. */
static inline double after_edge(double value, double weight, double from)
{
  return value - weight * from;
}

/* Fills in the edges that lead to a node. */
void draw_edges(const graph *g, int kind, int proc, long index, dependence *edges);

/* The value of a node before the first iteration. */
double initial_value(const graph *g, int kind, int proc, long index);

/* The whole graph by one processor, in the plainest way: the values of a kind, those of processor 0
 * first. What the versions are checked against. The caller frees both arrays. */
void solve(const graph *g, double *values[KINDS]);

/* Depends on every bit of every value, and on their order. */
word checksum(const graph *g, double *const values[KINDS]);

#endif
