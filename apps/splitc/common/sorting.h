/* SPDX-License-Identifier: Apache-2.0
 * What the programs that sort share: their keys, the frame that runs, times and checks a sort, and
 * the best serial sort by hand, which they are measured against in the same run.
 *
 * The keys stand in blocks: of n keys, processor p has those from p * room on, `room` of them, in
 * order, the last processors perhaps fewer. */
#ifndef APPS_SPLITC_COMMON_SORTING_H
#define APPS_SPLITC_COMMON_SORTING_H

#include "program.h"

typedef unsigned int key;

/* --- What a program defines --- */

extern const char sort_about[];
extern setting sort_settings[]; /* its own, ended as all tables of settings */

/* Ends the job by refuse() if it does not run on this number of processors. Collective. */
void sort_must_accept(long n);

/* How many of n keys a processor may come to hold. */
long sort_room(long n);

/* Sorts the keys of all processors, n altogether: those of processor p are at first from[p], where
 * they need not stay, and afterwards to[p]. Returns how many this processor has then, all of them
 * not less than those of the processors before. Collective; all have met since the keys were
 * there. */
long sort_keys(long n, long room, key from[PROCS]::[room], key to[PROCS]::[room]);

/* --- What they use --- */

/* How many of n keys a block holds, and how many this processor has before they are sorted. */
long block_keys(long n);
long own_keys(long n);

/* Sorts n keys into `to`, and leaves whatever it likes in `from`: radix sort from the least digit
 * on (LSD), with digits of 11 bits and all counts taken in one pass. */
void lsd_sort(key *from, key *to, long n);

/* Before a loop of a few instructions for each key: it takes up to twice as long where it lies over
 * two lines of code, and that is what the compiler does not look at. */
#define EIGHT_AT_A_TIME _Pragma("GCC unroll 8")

#endif
