/* SPDX-License-Identifier: Apache-2.0
 * What the files of the program share. It stands for what splitcc makes of a Split-C program: plain
 * C, compiled so that all its variables are symmetric; foreign.c alone is compiled otherwise. */
#ifndef SYMMETRIC_CASES_H
#define SYMMETRIC_CASES_H

#include <stdio.h>
#include <stdlib.h>

#include <ramjet/collectives.h>
#include <ramjet/splitc.h>
#include <ramjet/splitc_start.h>

#define EXPECT(condition)                                                                      \
  do {                                                                                         \
    if (!(condition)) {                                                                        \
      fprintf(stderr, "%s:%d: rank %d of %d: not so: %s\n", __FILE__, __LINE__, ramjet_rank(), \
              ramjet_size(), #condition);                                                      \
      _Exit(1);                                                                                \
    }                                                                                          \
  } while (0)

/* Where a tentative definition stands in two files, it is a common symbol. That of clang is not
 * symmetric. */
#ifdef __clang__
#define COMMON extern
#else
#define COMMON
#endif

/* In the window: this rank's own view of its segment. */
int is_symmetric_address(uintptr_t address);
#define is_symmetric(pointer) is_symmetric_address((uintptr_t)(pointer))
int right(void);
void meet(void); /* a barrier */

/* Of other.c */
extern int defined_there;
extern char shared_name[64]; /* a common symbol of both files */
extern uint64_t table;       /* a spread array of both files */
int* count_calls(void);
/* Of foreign.c: not symmetric. */
extern int foreign_variable __attribute__((weak));
int* foreign_address(void);

/* The cases; a name on the command line. */
void variables(void);
void before_init(void);
void stack_variables(void);
void recursion(void);
void spread_arrays(void);
void forks(void);
void huge_variables(void);
void after_the_end(void);
void segment_memory(void);
void heap(void);

#endif
