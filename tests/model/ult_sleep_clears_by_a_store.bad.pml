/* SPDX-License-Identifier: Apache-2.0 */
/* The mistake: attention is cleared by a plain store, which may come after the look. */
#define MISTAKE_CLEARS_BY_A_STORE
#include "ult_sleep.pml"
