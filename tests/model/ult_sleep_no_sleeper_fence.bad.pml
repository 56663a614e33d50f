/* SPDX-License-Identifier: Apache-2.0
 * The mistake: the last look at the inbox comes before asleep is seen. */
#define MISTAKE_NO_SLEEPER_FENCE
#include "ult_sleep.pml"
