/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

struct account { int balance, changes; } account;
void *global the_lock;

splitc_main()
{
  struct account *global a = toglobal(0, &account);
  void *global l;
  int i;

  on_one the_lock = lock_make();
  barrier();
  l = *toglobal(0, &the_lock);
  for (i = 0; i < 200; i++) {
    lock(l);                                  /* one processor at a time */
    a->balance += 5;
    a->changes++;
    unlock(l);
  }
  if (try_lock(l)) unlock(l);                 /* does not wait */
  barrier();
  on_one {
    printf("%d\n", account.balance == 1000 * PROCS && account.changes == 200 * PROCS);
    lock_destroy(the_lock);
  }
}
