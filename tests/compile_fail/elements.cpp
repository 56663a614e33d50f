// expect: success
// SPDX-License-Identifier: Apache-2.0
// Elements of a pointer that stays what it is: the accesses with instructions of their own.
#include <ramjet/ramjet.hpp>

long sum_and_clear(ramjet::global_ptr<long> p, int count) {
  long sum = 0;
  for (int i = 0; i < count; ++i) {
    sum += p[i];
    p[i] = 0;
  }
  return sum;
}
