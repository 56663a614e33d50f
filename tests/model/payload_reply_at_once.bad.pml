/* SPDX-License-Identifier: Apache-2.0
 * The mistake: a reply goes out while the handler still looks at its request's payload: the
 * sender takes the payload's room for free. */
#define MISTAKE_REPLY_AT_ONCE
#include "payload.pml"
