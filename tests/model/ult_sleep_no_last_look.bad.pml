/* SPDX-License-Identifier: Apache-2.0
 * The mistake: the worker sleeps without looking at its inbox once more. */
#define MISTAKE_NO_LAST_LOOK
#include "ult_sleep.pml"
