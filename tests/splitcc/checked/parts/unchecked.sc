/* SPDX-License-Identifier: Apache-2.0
 * A unit that is compiled without -fcheck. */
#include <stdlib.h>
#include <split-c/split-c.h>

void unchecked_barrier(void);
int *unchecked_block(int bytes);

void unchecked_barrier(void) { barrier(); }
int *unchecked_block(int bytes) { return malloc(bytes); }
