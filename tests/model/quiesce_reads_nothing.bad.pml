/* SPDX-License-Identifier: Apache-2.0
 * The mistake: a rank that holds takes no message of the program. One that stands in front of the
 * agreement's message blocks it for ever. */
#define MISTAKE_READS_NOTHING
#include "quiesce.pml"
