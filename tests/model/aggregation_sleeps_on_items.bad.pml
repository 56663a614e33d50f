/* SPDX-License-Identifier: Apache-2.0
 * The mistake: a rank sleeps while items gather: nobody wakes it to send them. */
/* pan: -a -f */
#define MISTAKE_SLEEPS_ON_ITEMS
#include "aggregation.pml"
