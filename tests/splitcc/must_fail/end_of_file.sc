/* SPDX-License-Identifier: Apache-2.0
 * A block is still open at the end. */
//! 8: error: expected '}'
//! 5:16: note: to match this '{'
int main(void) {
  if (1) {
    return 0;
}
