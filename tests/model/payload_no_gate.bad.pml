/* SPDX-License-Identifier: Apache-2.0
 * The mistake: a request is let in without room for its reply, and its handler waits for room: both
 * sides do, and neither takes replies. */
#define MISTAKE_NO_GATE
#include "payload.pml"
