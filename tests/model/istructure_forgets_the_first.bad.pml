/* SPDX-License-Identifier: Apache-2.0
 * The mistake: a list of deferred fetches begins without the one that stood in the element. */
#define MISTAKE_FORGETS_THE_FIRST
#include "istructure.pml"
