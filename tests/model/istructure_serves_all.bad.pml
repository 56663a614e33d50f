/* SPDX-License-Identifier: Apache-2.0
 * The mistake: a word goes to all who wait, also behind one who takes it. */
#define MISTAKE_SERVES_ALL
#include "istructure.pml"
