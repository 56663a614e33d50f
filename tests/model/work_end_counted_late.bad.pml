/* SPDX-License-Identifier: Apache-2.0
 * The mistake: an item is counted after it can be seen: who takes it finishes it, in the place of
 * one that is not. */
#define MISTAKE_COUNTED_LATE
#include "work_end.pml"
