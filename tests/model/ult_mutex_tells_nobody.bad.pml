/* SPDX-License-Identifier: Apache-2.0
 * The mistake: who has taken the mutex meanwhile is not told that somebody waits. */
#define MISTAKE_TELLS_NOBODY
#include "ult_mutex.pml"
