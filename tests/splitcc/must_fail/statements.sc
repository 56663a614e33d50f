/* SPDX-License-Identifier: Apache-2.0
 * Statements out of place, and what conditions do not allow. */
//! 21: error: break
//! 22: error: continue
//! 23: error: case
//! 24: error: default
//! 28: error: duplicate
//! 31: error: continue
//! 33: error: default
//! 36: error: integer
//! 37: error: scalar
//! 38: error: void
//! 39: error: scalar
//! 40: error: scalar
//! 41: error: exclamation
//! 42: error: incompatible
struct record { int a; } r;
void nothing(void);

int body(int n) {
  break;
  continue;
  case 1: n++;
  default: n++;
  switch (n) {
    case 1:
    case 2:
    case 1:
      n++;
    case 3:
      continue;
    default:
    default:
      break;
  }
  switch (r) { default: break; }
  if (r) n++;
  while (nothing()) n++;
  for (; r; ) n++;
  n = r ? 1 : 2;
  n = !r;
  return r;
}
