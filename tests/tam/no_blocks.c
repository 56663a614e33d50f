/* SPDX-License-Identifier: Apache-2.0
 * no_blocks: arrays of a program that uses the heap alone. */
#include <ramjet/ramjet.h>
#include <ramjet/tam.h>
#include <stdio.h>

int main(void) {
  ramjet_init(NULL, NULL);
  tam_open(NULL, 0);
  const tam_array a = tam_ialloc(4, TAM_HERE);
  tam_istore(NULL, a, 3, 7, TAM_HERE);
  tam_word value = 0;
  const int is_there = tam_ipresent(a, 3, &value);
  printf("%d %llu\n", is_there, (unsigned long long)value);
  tam_close();
  ramjet_finalize();
  return 0;
}
