/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

int main(int argc, char **argv)
{
  int sum = all_reduce_to_one_add(1);
  on_one printf("%d processors run main\n", sum);
  return 0;
}
