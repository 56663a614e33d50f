/* SPDX-License-Identifier: Apache-2.0
 * The mistake: a sender looks at asleep before its item is seen. */
#define MISTAKE_NO_SENDER_FENCE
#include "ult_sleep.pml"
