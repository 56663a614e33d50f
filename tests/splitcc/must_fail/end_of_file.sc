/* SPDX-License-Identifier: Apache-2.0
 * A block is still open at the end. */
//! 7: error: expected
int main(void) {
  if (1) {
    return 0;
}
