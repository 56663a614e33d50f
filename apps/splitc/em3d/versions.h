/* SPDX-License-Identifier: Apache-2.0
 * The six versions of EM3D (Arpaci et al. 1995, section 8), in the order of the paper, each an
 * improvement of the one before. They differ in how the values of other processors come to where
 * they are needed; the values that they leave are the same to the last bit. */
#ifndef APPS_SPLITC_EM3D_VERSIONS_H
#define APPS_SPLITC_EM3D_VERSIONS_H

#include "part.h"

/* Brings the nodes of one kind up to date from those of the other. Collective. */
typedef void half_step(field *to, field *from);

typedef struct version {
  const char *name;
  half_step *run;
} version;

extern const version versions[];
#define VERSIONS 6

/* Leapfrog: all E nodes from the H nodes, then all H nodes from the E nodes. Other processors may
 * still be at work in the last half step on return. Collective. */
void run_version(const version *v, const graph *g, field fields[KINDS]);

/* The compute phase with every value in this processor's memory: a node after the other. */
void update_plain(field *to);

#endif
