/* SPDX-License-Identifier: Apache-2.0
 * The mistake: another message leaves before the items that gather for its receiver. */
/* pan: -a -f */
#define MISTAKE_OVERTAKES
#include "aggregation.pml"
