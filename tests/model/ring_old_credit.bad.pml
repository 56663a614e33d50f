/* SPDX-License-Identifier: Apache-2.0
 * The mistake: where every request gets a reply, credit is never sent again; when the position
 * has gone half way round its number, the old word looks like new credit. */
#define MISTAKE_OLD_CREDIT
#include "ring.pml"
