/* SPDX-License-Identifier: Apache-2.0
 * Loops that wait for one's own memory, which another processor writes: around the ring, each waits
 * in the loop before it is written. They serve others meanwhile, in every form, in plain C, too. */
//! also: parts/waits.c
//! flags: -x splitc
#include "check.h"

#ifdef __x86_64__
#define PAUSE __builtin_ia32_pause()
#else
#define PAUSE
#endif

typedef struct mailbox {
  int letters;
  WAITED_FOR int is_full;
} mailbox;

static WAITED_FOR int word;
static mailbox boxes[2];
WAITED_FOR int row[PROCS]::;
int wait_in_c(const int *from); /* parts/waits.c */

static int by_pointer(void)
{
  WAITED_FOR int *p = &word;
  while (*p == 0);
  return *p;
}

static int by_name(void)
{
  while (word == 0) continue;
  return word;
}

static int at_the_end(void)
{
  int turns = 0;
  do turns++;
  while (!word);
  return turns > 0 ? word : 0;
}

static int by_break(void)
{
  for (;;)
    if (word) break;
  return word;
}

static int by_return(void)
{
  for (;;) {
    int seen = word;
    if (seen != 0) return seen;
  }
}

static int in_condition(void)
{
  int seen;
  while ((seen = word) == 0) {
  }
  return seen;
}

static int by_a_flag_of_its_own(void)
{
  int done = 0, turns = 0;
  while (!done) {
    if (word)
      done = 1;
    else
      turns++;
  }
  return word;
}

static int with_pauses(void)
{
  int i, pauses = 0;
  while (word == 0)
    for (i = 0; i < 10; i++) pauses += i;
  return word;
}

static int by_member(void)
{
  mailbox *box = &boxes[1];
  while (!box->is_full);
  return box->is_full;
}

static int by_global_pointer(void)
{
  WAITED_FOR int *global g = toglobal(MYPROC, &word);
  while (*g == 0);
  return *g;
}

static int by_element(void)
{
  while (row[MYPROC] == 0);
  return row[MYPROC];
}

static int by_atomic_load(void)
{
  WAITED_FOR int *p = &word;
  while (__atomic_load_n(p, __ATOMIC_ACQUIRE) == 0) PAUSE;
  return *p;
}

static int in_c(void) { return wait_in_c((int *)&word); }

typedef int wait_function(void);

static void tell(WAITED_FOR int *place, int value)
{
  double begin = get_seconds();
  while (get_seconds() - begin < 0.0005); /* the other one waits by now */
  *(int *global)toglobal(NEXT, (int *)place) = value;
}

/* The processors behind 0 wait first. */
static void round_the_ring(wait_function *wait, WAITED_FOR int *place, int value)
{
  *place = 0;
  barrier();
  if (MYPROC != 0) CHECK_INT(wait(), value);
  tell(place, value);
  if (MYPROC == 0) CHECK_INT(wait(), value);
  barrier();
}

splitc_main()
{
  static wait_function *const by_word[] = {by_pointer, by_name, at_the_end, by_break, by_return,
                                           in_condition, by_a_flag_of_its_own, with_pauses,
                                           by_global_pointer, by_atomic_load, in_c};
  int i;
  for (i = 0; i < sizeof by_word / sizeof by_word[0]; i++) round_the_ring(by_word[i], &word, i + 5);
  round_the_ring(by_member, &boxes[1].is_full, 1);
  round_the_ring(by_element, (WAITED_FOR int *)tolocal(&row[MYPROC]), 7);
  DONE;
}
