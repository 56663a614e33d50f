/* SPDX-License-Identifier: Apache-2.0
 * One barrier a half step is enough. Where the consumer fetches, the barrier ends the half step:
 * what was fetched is not written before, and what was computed is not fetched before. Where the
 * owner sends, the barrier stands between sending and computing: a ghost is not read before it has
 * come, and the owner sends again only after the barrier of the other half step, which the consumer
 * entered when it had done with the ghost. */
#include "versions.h"

/* --- The compute phase --- */

void update_plain(field *to)
{
  const near_edge *edge = to->near_edges;
  double *values = to->values;
  long count = to->count, degree = to->degree, i, k;
  for (i = 0; i < count; i++) {
    double value = values[i];
    for (k = 0; k < degree; k++, edge++) value = after_edge(value, edge->weight, *edge->from);
    values[i] = value;
  }
}

/* Four nodes at a time: four sums under way, four values loaded before the first is used. */
static void update_unrolled(field *to)
{
  const double *from = to->from;
  const edge_row *row = to->rows;
  double *values = to->values;
  long count = to->count, degree = to->degree, i, k;
  for (i = 0; i < count; i += LANES, values += LANES) {
    double a = values[0], b = values[1], c = values[2], d = values[3];
    for (k = 0; k < degree; k++, row++) {
      double from_a = from[row->from[0]], from_b = from[row->from[1]];
      double from_c = from[row->from[2]], from_d = from[row->from[3]];
      a = after_edge(a, row->weight[0], from_a);
      b = after_edge(b, row->weight[1], from_b);
      c = after_edge(c, row->weight[2], from_c);
      d = after_edge(d, row->weight[3], from_d);
    }
    values[0] = a;
    values[1] = b;
    values[2] = c;
    values[3] = d;
  }
}

/* --- The versions --- */

/* Every edge is a blocking read of the value itself, wherever it is, as often as it is needed. */
static void simple(field *to, field *from)
{
  const far_edge *edge = to->far_edges;
  long i, k;
  for (i = 0; i < to->count; i++) {
    double value = to->values[i];
    for (k = 0; k < to->degree; k++, edge++) value = after_edge(value, edge->weight, *edge->from);
    to->values[i] = value;
  }
  barrier();
}

/* The values of others are read first, each once, one after the other. */
static void read_ghosts(field *from)
{
  const ghost *g = from->ghosts, *end = g + from->ghost_count;
  for (; g < end; g++) *g->here = *g->value;
}

static void bundle(field *to, field *from)
{
  read_ghosts(from);
  update_plain(to);
  barrier();
}

static void unroll(field *to, field *from)
{
  read_ghosts(from);
  update_unrolled(to);
  barrier();
}

/* All reads are under way at once. */
static void get(field *to, field *from)
{
  const ghost *g = from->ghosts, *end = g + from->ghost_count;
  for (; g < end; g++) *g->here := *g->value;
  sync();
  update_unrolled(to);
  barrier();
}

/* Nobody asks. The owner of a value puts it into every ghost of it. */
static void put(field *to, field *from)
{
  const wanted_value *w = from->wanted, *end = w + from->wanted_count;
  for (; w < end; w++) *w->ghost := *w->here;
  sync();
  barrier();
  update_unrolled(to);
}

/* All values for one processor are gathered in a buffer and go there as one bulk put. */
static void bulk(field *to, field *from)
{
  const wanted_value *wanted = from->wanted;
  long count = from->wanted_count, i;
  double *buffer = from->buffer;
  int p;
  for (i = 0; i < count; i++) buffer[i] = *wanted[i].here;
  for (p = 0; p < from->parcel_count; p++) {
    const parcel *c = &from->parcels[p];
    bulk_put(c->ghosts, buffer + c->first, c->count * sizeof(double));
  }
  sync();
  barrier();
  update_unrolled(to);
}

const version versions[VERSIONS] = {{"simple", simple}, {"bundle", bundle}, {"unroll", unroll},
                                    {"get", get},       {"put", put},       {"bulk", bulk}};

void run_version(const version *v, const graph *g, field fields[KINDS])
{
  long i;
  for (i = 0; i < g->iterations; i++) {
    v->run(&fields[E], &fields[H]);
    v->run(&fields[H], &fields[E]);
  }
}
