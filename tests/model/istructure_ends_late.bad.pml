/* SPDX-License-Identifier: Apache-2.0
 * The mistake: a put leaves the element as it shall be only when it has sent all its answers. */
#define MISTAKE_ENDS_LATE
#include "istructure.pml"
