/* SPDX-License-Identifier: Apache-2.0
 * What the preprocessor refuses is shown as it says it. */
//! 4: error: is_not_there.h
#include "is_not_there.h"
int x;
