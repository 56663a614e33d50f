/* SPDX-License-Identifier: Apache-2.0
 * What the thread sanitizer finds: two threads of a processor, one variable. */
#include <pthread.h>
#include <split-c/split-c.h>

int counter;

void *count(void *nothing)
{
  int i;
  for (i = 0; i < 1000; i++)
    counter++;
  return nothing;
}

splitc_main()
{
  pthread_t other;
  pthread_create(&other, 0, count, 0);
  count(0);
  pthread_join(other, 0);
  barrier();
}
