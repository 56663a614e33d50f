/* SPDX-License-Identifier: Apache-2.0
 * The mistake: attention is cleared by a plain store, seen after the look at the inbox. */
#define MISTAKE_CLEARS_BY_A_STORE
#include "ult_sleep.pml"
