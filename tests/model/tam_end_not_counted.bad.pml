/* SPDX-License-Identifier: Apache-2.0
 * The mistake: a message that makes work, the first one, is not counted by its sender. */
#define MISTAKE_NOT_COUNTED
#include "tam_end.pml"
