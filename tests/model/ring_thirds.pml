/* SPDX-License-Identifier: Apache-2.0
 * ring.pml with three granules to a line: pads and records of every length in every place. */
/* cc: -DVECTORSZ=256 */
#define GRANULES 3
#define LINES 2
#include "ring.pml"
