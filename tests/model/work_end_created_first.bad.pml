/* SPDX-License-Identifier: Apache-2.0
 * The mistake: what was created is added up before what was finished: an item that is created
 * between the two, and finished, makes up for one that is not. */
#define MISTAKE_CREATED_FIRST
#include "work_end.pml"
