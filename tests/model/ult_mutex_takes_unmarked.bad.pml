/* SPDX-License-Identifier: Apache-2.0
 * The mistake: who finds the mutex free after all takes it without a word of those who wait. */
#define MISTAKE_TAKES_UNMARKED
#include "ult_mutex.pml"
