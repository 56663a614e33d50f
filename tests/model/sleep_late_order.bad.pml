/* SPDX-License-Identifier: Apache-2.0
 * The mistake: fresh lanes say "do not ring" before anybody looks at them, and what was sent by
 * then is not looked for when the endpoint opens. */
#define MISTAKE_LATE_ORDER
#include "sleep.pml"
