/* SPDX-License-Identifier: Apache-2.0
 * The mistake: attention is cleared after the look at the inbox. */
#define MISTAKE_CLEARS_LATE
#include "ult_sleep.pml"
