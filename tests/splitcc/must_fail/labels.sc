/* SPDX-License-Identifier: Apache-2.0
 * Labels and jumps: missing, twice, and past declarations that take room while the program runs. */
//! 21: error: label 'nowhere' used but not defined
//! 23: error: duplicate label 'twice'
//! 22: note: previous definition of 'twice'
//! 25: error: expected identifier or '*' before numeric constant
//! 27: error: jump into scope of identifier with variably modified type
//! 30: note: label 'inside' defined here
//! 29: note: declared here
//! 35: error: switch jumps into scope of identifier with variably modified type
//! 34: note: declared here
//! 37: error: duplicate case value
//! 36: note: the value is in this case already
//! 38: error: multiple default labels in one switch
//! 35: note: this is the first default label
//! 41: error: a space is missing behind the colon
//! 44: error: label address outside of a function
#include <split-c/split-c.h>

void jumps(int n) {
  goto nowhere;
twice: n++;
twice: n--;
  ;
  goto 3;
  ;
  goto inside;
  {
    int A[n]::;
  inside:
    n = A[0];
  }
  switch (n) {
    int B[n]::;
    default: n++;
    case 3 ... 9: n++;
    case 5: n++;
    default: n--;
  }
  switch (n) {
    case 1:-n;
  }
} void *address =
  &&twice;
