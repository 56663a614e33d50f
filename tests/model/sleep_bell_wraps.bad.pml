/* SPDX-License-Identifier: Apache-2.0
 * The mistake: the bell counts modulo a number that fits into the ring: rung that often, it
 * looks as if it had not been rung. */
#define MISTAKE_BELL_COUNTS
#include "sleep.pml"
