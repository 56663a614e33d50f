/* SPDX-License-Identifier: Apache-2.0
 * A companion of <split-c/split-c.h> that programs include beside it; all is there. */
#ifndef SPLIT_C_CONTROL_H
#define SPLIT_C_CONTROL_H

#include <split-c/split-c.h>

#endif
