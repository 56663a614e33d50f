/* SPDX-License-Identifier: Apache-2.0
 * The mistake: an idle receiver keeps the credit for less than a quarter of the ring to itself. */
#define MISTAKE_NO_IDLE_CREDIT
#include "ring.pml"
