/* SPDX-License-Identifier: Apache-2.0
 * The mistake: a late ring brings a lane back while the receiver is about to sleep, and the
 * lane is told not to ring: the next record sleeps too. */
#define MISTAKE_SILENT_WHILE_ARMED
#include "sleep.pml"
