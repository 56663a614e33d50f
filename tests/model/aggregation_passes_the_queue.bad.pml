/* SPDX-License-Identifier: Apache-2.0
 * The mistake: a block leaves though messages of handlers are still in the queue before it. */
/* pan: -a -f */
#define MISTAKE_PASSES_THE_QUEUE
#include "aggregation.pml"
