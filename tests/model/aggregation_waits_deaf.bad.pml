/* SPDX-License-Identifier: Apache-2.0
 * The mistake: a rank that waits for room takes no requests: both may wait so. */
/* pan: -a -f */
#define MISTAKE_WAITS_DEAF
#include "aggregation.pml"
