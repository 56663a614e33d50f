/* SPDX-License-Identifier: Apache-2.0
 * The mistake: a block leaves though messages of handlers are still in the queue before it. */
/* pan: -a -f */
#define HOPS 3
#define ITEMS_OF_0 2
#define ITEMS_OF_1 2
#define MISTAKE_PASSES_THE_QUEUE
#include "aggregation.pml"
