/* SPDX-License-Identifier: Apache-2.0
 * The mistake: the sleeper has a fence of its own, but imposes none on the senders: a record
 * waits in a store buffer while its sender sees that it need not ring. */
#define MISTAKE_NO_BARRIER
#include "sleep.pml"
