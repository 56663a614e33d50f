/* SPDX-License-Identifier: Apache-2.0
 * The mistake: a reply goes out before the credit that is owed: the sender never learns what
 * became of the requests before it. */
#define MISTAKE_REPLY_BEFORE_CREDIT
#include "ring.pml"
