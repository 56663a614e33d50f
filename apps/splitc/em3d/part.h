/* SPDX-License-Identifier: Apache-2.0
 * One processor's part of the graph: its nodes, ghosts of the nodes of other processors that its
 * own depend on, and who needs which of its values as a ghost.
 *
 * For each kind a block of spread memory, its places at the same address on every processor:
 *
 *   | own values, padded | ghosts of processor 0, padded | ghosts of processor 1, padded | ...
 *
 * The ghosts of one owner are in the order of their indices there. Padding is to whole lines:
 * processors that put ghosts here side by side never write the same line. */
#ifndef APPS_SPLITC_EM3D_PART_H
#define APPS_SPLITC_EM3D_PART_H

#include "graph.h"

/* An edge, from where the value really is; the same edge from this processor's memory; and one
 * edge of each of four neighbouring nodes, side by side, their places counted from `from` of the
 * field. */
typedef struct far_edge {
  double *global from;
  double weight;
} far_edge;

typedef struct near_edge {
  const double *from;
  double weight;
} near_edge;

#define LANES 4

typedef struct edge_row {
  unsigned from[LANES];
  double weight[LANES];
} edge_row;

/* A ghost here, and the value that it stands for. */
typedef struct ghost {
  double *here;
  double *global value;
} ghost;

/* A value of this processor's that another one has a ghost of. */
typedef struct wanted_value {
  const double *here;
  double *global ghost;
} wanted_value;

/* All that one other processor wants: wanted[first] and what follows, whose ghosts lie in a row. */
typedef struct parcel {
  long first, count;
  double *global ghosts;
} parcel;

/* All of one kind. */
typedef struct field {
  long count, degree;
  double *values;     /* this processor's block */
  const double *from; /* that of the other kind */
  far_edge *far_edges;
  near_edge *near_edges;
  edge_row *rows;
  ghost *ghosts; /* of nodes of this kind, for the nodes of the other */
  long ghost_count;
  wanted_value *wanted; /* by the processor that wants them, then by place here */
  long wanted_count;
  parcel *parcels;
  int parcel_count;
  double *buffer;      /* room for a copy of all wanted values */
  double *spread base; /* of the block of processor 0, to free it */
} field;

/* Both collective. Ends the job if there is no room. */
void make_part(const graph *g, field fields[KINDS]);
void free_part(field fields[KINDS]);

/* Sets this processor's values to the first ones, and its ghosts to no number. */
void reset_part(const graph *g, field fields[KINDS]);

#endif
