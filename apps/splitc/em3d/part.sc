/* SPDX-License-Identifier: Apache-2.0 */
#include "part.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_DOUBLES 8
#define PAGE_DOUBLES 512

static long rounded_up(long doubles, long unit) { return (doubles + unit - 1) / unit * unit; }
static long whole_lines(long doubles) { return rounded_up(doubles, LINE_DOUBLES); }

/* Of no bytes: something that can be freed. */
static void *room_for(long count, long bytes)
{
  void *p = calloc(count + 1, bytes);
  if (!p) {
    fprintf(stderr, "em3d: no memory for the graph\n");
    exit(1);
  }
  return p;
}

/* --- What this processor needs of others --- */

/* The nodes of one kind on other processors that this one has ghosts of, ascending: processor and
 * index in one word. Those of processor p are first[p] .. first[p + 1] - 1; their ghosts begin at
 * place begin[p] of the block. */
typedef struct needs {
  word *nodes;
  long count;
  long *first, *begin;
} needs;

static word node_word(int proc, unsigned index) { return (word)proc << 32 | index; }

static int ascending(const void *a, const void *b)
{
  word x = *(const word *)a, y = *(const word *)b;
  return x < y ? -1 : x > y;
}

/* Ghosts begin on a page of their own: what a processor fetches ahead of its own values is not a
 * line that another one is about to write. */
static needs find_needs(const graph *g, const dependence *edges)
{
  needs n;
  long i, kept = 0, end = rounded_up(g->nodes, PAGE_DOUBLES);
  int p;
  n.nodes = room_for(g->nodes * g->degree, sizeof(word));
  n.count = 0;
  for (i = 0; i < g->nodes * g->degree; i++)
    if (edges[i].proc != MYPROC) n.nodes[n.count++] = node_word(edges[i].proc, edges[i].index);
  qsort(n.nodes, n.count, sizeof(word), ascending);
  for (i = 0; i < n.count; i++)
    if (kept == 0 || n.nodes[i] != n.nodes[kept - 1]) n.nodes[kept++] = n.nodes[i];
  n.count = kept;
  n.first = room_for(PROCS + 1, sizeof(long));
  n.begin = room_for(PROCS + 1, sizeof(long));
  for (p = 0, i = 0; p <= PROCS; p++) {
    n.first[p] = i;
    n.begin[p] = end;
    while (i < n.count && (int)(n.nodes[i] >> 32) == p) i++;
    end += whole_lines(i - n.first[p]);
  }
  return n;
}

static void free_needs(needs *n)
{
  free(n->nodes);
  free(n->first);
  free(n->begin);
}

/* The place in the block of the node that an edge comes from. */
static long place_of(const needs *n, const dependence *d)
{
  word wanted = node_word(d->proc, d->index), *found;
  if (d->proc == MYPROC) return d->index;
  found = bsearch(&wanted, n->nodes, n->count, sizeof(word), ascending);
  return n->begin[d->proc] + (found - n->nodes - n->first[d->proc]);
}

/* --- The block, and its ghosts --- */

static void allocate(field *f, const needs *n)
{
  long doubles = all_reduce_to_all_max(n->begin[PROCS]);
  f->base = all_spread_malloc(PROCS, doubles * sizeof(double));
  if (!f->base)
    refuse("the graph does not fit: make --nodes smaller, or RAMJET_SEGMENT_BYTES greater");
  f->values = (double *)(f->base + MYPROC);
  memset(f->values, 0, doubles * sizeof(double));
}

static void lay_ghosts(field *f, const needs *n)
{
  long i;
  f->ghosts = room_for(n->count, sizeof(ghost));
  f->ghost_count = n->count;
  for (i = 0; i < n->count; i++) {
    int owner = n->nodes[i] >> 32;
    f->ghosts[i].here = f->values + n->begin[owner] + (i - n->first[owner]);
    f->ghosts[i].value = toglobal(owner, f->values + (unsigned)n->nodes[i]);
  }
}

/* --- Who wants which of this processor's values --- */

/* What processor p wants of this one: `count` of its needs, from place `first` there; their ghosts
 * begin at place `begin` there. */
typedef struct wish {
  long first, count, begin;
} wish;

static void add_parcel(field *f, int proc, const wish *w, const unsigned *indices)
{
  parcel *c = &f->parcels[f->parcel_count++];
  long i;
  c->first = f->wanted_count;
  c->count = w->count;
  c->ghosts = toglobal(proc, f->values + w->begin);
  for (i = 0; i < w->count; i++) {
    wanted_value *v = &f->wanted[f->wanted_count++];
    v->here = f->values + indices[i];
    v->ghost = c->ghosts + i;
  }
}

/* Every processor tells the owners where its list of their nodes is; they get the lists. */
static void exchange_wishes(field *f, const needs *n)
{
  long room = all_reduce_to_all_max(n->count), total = 0, i;
  unsigned lists[PROCS]::[room + 1], *own_list = (unsigned *)(lists + MYPROC), *indices;
  wish wishes[PROCS]::[PROCS], *told = (wish *)(wishes + MYPROC), w;
  int p;
  for (i = 0; i < n->count; i++) own_list[i] = n->nodes[i];
  for (p = 0; p < PROCS; p++) {
    w.first = n->first[p];
    w.count = n->first[p + 1] - n->first[p];
    w.begin = n->begin[p];
    wishes[p][MYPROC] :- w;
  }
  all_store_sync();
  for (p = 0; p < PROCS; p++) total += told[p].count;
  indices = room_for(total, sizeof(unsigned));
  for (p = 0, i = 0; p < PROCS; i += told[p].count, p++)
    bulk_get(indices + i, &lists[p][told[p].first], told[p].count * sizeof(unsigned));
  sync();
  f->wanted = room_for(total, sizeof(wanted_value));
  f->buffer = room_for(total, sizeof(double));
  f->parcels = room_for(PROCS, sizeof(parcel));
  for (p = 0, i = 0; p < PROCS; i += told[p].count, p++)
    if (told[p].count > 0) add_parcel(f, p, &told[p], indices + i);
  free(indices);
  barrier(); /* all have got their lists */
}

/* --- The edges --- */

/* The last row of nodes may have lanes without a node: their edges have no weight. */
static void lay_rows(field *to)
{
  long rows = (to->count + LANES - 1) / LANES, i;
  to->rows = room_for(rows * to->degree, sizeof(edge_row));
  for (i = 0; i < to->count * to->degree; i++) {
    long node = i / to->degree, number = i % to->degree;
    edge_row *row = &to->rows[node / LANES * to->degree + number];
    row->from[node % LANES] = to->near_edges[i].from - to->from;
    row->weight[node % LANES] = to->near_edges[i].weight;
  }
}

static void lay_edges(const graph *g, field *to, const field *from, const dependence *edges,
                      const needs *n)
{
  long count = g->nodes * g->degree, i;
  to->count = g->nodes;
  to->degree = g->degree;
  to->from = from->values;
  to->far_edges = room_for(count, sizeof(far_edge));
  to->near_edges = room_for(count, sizeof(near_edge));
  for (i = 0; i < count; i++) {
    to->far_edges[i].from = toglobal(edges[i].proc, from->values + edges[i].index);
    to->near_edges[i].from = from->values + place_of(n, &edges[i]);
    to->near_edges[i].weight = to->far_edges[i].weight = edges[i].weight;
  }
  lay_rows(to);
}

/* --- The part --- */

void make_part(const graph *g, field fields[KINDS])
{
  dependence *edges = room_for(g->nodes * g->degree, sizeof(dependence));
  long i;
  int kind;
  memset(fields, 0, KINDS * sizeof(field));
  for (kind = E; kind < KINDS; kind++) {
    field *from = &fields[kind], *to = &fields[!kind];
    needs n;
    for (i = 0; i < g->nodes; i++) draw_edges(g, !kind, MYPROC, i, edges + i * g->degree);
    n = find_needs(g, edges);
    allocate(from, &n);
    lay_ghosts(from, &n);
    exchange_wishes(from, &n);
    lay_edges(g, to, from, edges, &n);
    free_needs(&n);
  }
  free(edges);
}

void free_part(field fields[KINDS])
{
  int kind;
  for (kind = E; kind < KINDS; kind++) {
    field *f = &fields[kind];
    all_spread_free(f->base);
    free(f->far_edges);
    free(f->near_edges);
    free(f->rows);
    free(f->ghosts);
    free(f->wanted);
    free(f->parcels);
    free(f->buffer);
  }
}

void reset_part(const graph *g, field fields[KINDS])
{
  long i;
  int kind;
  for (kind = E; kind < KINDS; kind++) {
    field *f = &fields[kind];
    for (i = 0; i < f->ghost_count; i++) *f->ghosts[i].here = NAN;
    for (i = 0; i < g->nodes; i++) f->values[i] = initial_value(g, kind, MYPROC, i);
    for (; i < whole_lines(g->nodes); i++) f->values[i] = 0;
  }
}
