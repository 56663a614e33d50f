/* SPDX-License-Identifier: Apache-2.0
 * ring.pml with three granules to a line: pads and records of every length in every place. */
#define GRANULES 3
#define LINES 2
#define POSITIONS (4 * RING)
#define AGE_MAX (RING / 2)
#include "ring.pml"
