/* SPDX-License-Identifier: Apache-2.0
 * The mistake: a side that makes room for replies does not ring: the other one sleeps on
 * requests that it could take by now. */
#define MISTAKE_SILENT_ROOM
#include "payload.pml"
