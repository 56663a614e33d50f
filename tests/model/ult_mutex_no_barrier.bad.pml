/* SPDX-License-Identifier: Apache-2.0
 * The mistake: who has to wait raises `met`, and hopes that it is seen. */
#define MISTAKE_NO_BARRIER
#include "ult_mutex.pml"
