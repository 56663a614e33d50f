/* SPDX-License-Identifier: Apache-2.0
 * The mistake: messages are handled during the agreement, those of the next round, too. */
#define MISTAKE_NO_HOLD
#include "quiesce.pml"
