/* SPDX-License-Identifier: Apache-2.0
 * The mistake: attention is raised before the item lies in the inbox. */
#define MISTAKE_CALLS_FIRST
#include "ult_sleep.pml"
