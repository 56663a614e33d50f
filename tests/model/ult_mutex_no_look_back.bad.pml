/* SPDX-License-Identifier: Apache-2.0
 * The mistake: an unlock does not look at `met` after its store. */
#define MISTAKE_NO_LOOK_BACK
#include "ult_mutex.pml"
