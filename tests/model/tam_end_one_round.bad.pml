/* SPDX-License-Identifier: Apache-2.0
 * The mistake: one round is believed, though messages may pass behind the token. */
#define MISTAKE_ONE_ROUND
#include "tam_end.pml"
