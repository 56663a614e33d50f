/* SPDX-License-Identifier: Apache-2.0
 * Statements out of place, and what conditions do not allow. */
//! 22: error: break
//! 23: error: continue
//! 24: error: case
//! 25: error: default
//! 29: error: duplicate
//! 31: error: constant
//! 32: error: continue
//! 34: error: default
//! 37: error: integer
//! 38: error: scalar
//! 39: error: void
//! 40: error: scalar
//! 41: error: scalar
//! 42: error: !
//! 43: error: incompatible
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
    case n:
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
