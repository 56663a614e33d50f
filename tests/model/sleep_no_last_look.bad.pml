/* SPDX-License-Identifier: Apache-2.0
 * The mistake: no look between the barrier and the sleep. */
#define MISTAKE_NO_LAST_LOOK
#include "sleep.pml"
