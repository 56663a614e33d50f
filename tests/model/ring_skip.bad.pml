/* SPDX-License-Identifier: Apache-2.0
 * The mistake: the sender jumps to the head of the credit word although answers lie before it. */
#define MISTAKE_CREDIT_SKIPS_ANSWERS
#include "ring.pml"
