/* SPDX-License-Identifier: Apache-2.0
 * The mistake: granule heads are not zeroed when a line is opened: an argument of the lap before is
 * taken for a header. */
#define MISTAKE_NO_ZEROING
#include "ring.pml"
