/* SPDX-License-Identifier: Apache-2.0
 * The mistake: a payload ring in which two of the longest payloads do not fit end to end: where
 * the gap at the end is large, the longest one never fits. */
#define RING 3
#define LONGEST 3
#include "payload.pml"
