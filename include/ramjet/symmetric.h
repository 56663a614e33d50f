/* SPDX-License-Identifier: Apache-2.0
 * Variables that other ranks can reach, for C and C++: each rank has its own, all at the same
 * address, in the segments.
 *
 *   RAMJET_SYMMETRIC int counter;
 *   ... ramjet::global_ptr<int>(1, &counter), splitc_toglobal(1, &counter): rank 1's counter
 *
 * A program says so where it defines the variable and where it declares it `extern`: of file or
 * namespace scope, or static in a function; not inline, not a member of a template, not const. Its
 * files are compiled and linked with the options of ramjet::symmetric (CMake) or ramjet-symmetric
 * (pkg-config): x86-64, gcc or clang from 18 on, GNU ld; no shared objects. In such a program
 * variables of more than 64 KiB are symmetric by themselves.
 *
 * The contents move into the segment when the job is joined, by ramjet_init; no other thread may
 * change them meanwhile. They stay what they are after ramjet_finalize, and a forked child has its
 * own. Access by name costs one instruction more than to other variables. */
#ifndef RAMJET_SYMMETRIC_H
#define RAMJET_SYMMETRIC_H

#if defined(__x86_64__) && defined(__code_model_medium__) && !defined(__PIC__)
#define RAMJET_SYMMETRIC __attribute__((section(".ldata")))
/* For large arrays: without an initialiser, and without room in the program's file (gcc). */
#define RAMJET_SYMMETRIC_ZEROED __attribute__((section(".lbss")))
#elif defined(__x86_64__)
#define RAMJET_SYMMETRIC \
  _Pragma("GCC error \"RAMJET_SYMMETRIC: see the options of CMake's ramjet::symmetric\"")
#define RAMJET_SYMMETRIC_ZEROED RAMJET_SYMMETRIC
#else
#define RAMJET_SYMMETRIC _Pragma("GCC error \"RAMJET_SYMMETRIC is there on x86-64 alone\"")
#define RAMJET_SYMMETRIC_ZEROED RAMJET_SYMMETRIC
#endif

#endif
