/* SPDX-License-Identifier: Apache-2.0
 * The mistake: the launcher wakes whoever sleeps, but leaves `asleep` as it is: a rank that has
 * looked and not yet gone to sleep is missed. */
#define MISTAKE_WAKE_ALONE
#include "failure.pml"
