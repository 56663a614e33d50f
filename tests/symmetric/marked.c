/* SPDX-License-Identifier: Apache-2.0 */
#include <ramjet/symmetric.h>

RAMJET_SYMMETRIC static int marked_in_c = 8;
int* of_c(void);
int* of_c(void) { return &marked_in_c; }
