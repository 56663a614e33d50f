/* SPDX-License-Identifier: Apache-2.0
 * The mistake: a rank expects the messages of the agreement only when its own are sent. Where lanes
 * are full, each waits for room that the other does not make. */
#define MISTAKE_EXPECTS_LATE
#define LANE 1
#include "quiesce.pml"
