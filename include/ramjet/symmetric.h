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
 * (pkg-config): GNU ld; x86-64 with gcc or clang from 18 on, AArch64 with gcc; no shared objects.
 * On x86-64 variables of more than 64 KiB are symmetric by themselves in such a program.
 *
 * The contents move into the segment when the job is joined, by ramjet_init; no other thread may
 * change them meanwhile. They stay what they are after ramjet_finalize, and a forked child has its
 * own. Access by name costs one instruction more than to other variables. */
#ifndef RAMJET_SYMMETRIC_H
#define RAMJET_SYMMETRIC_H

#include <assert.h>

static_assert(sizeof(void*) == 8, "segments lie at addresses of 64 bits");

#if defined(__x86_64__) && defined(__code_model_medium__) && !defined(__PIC__)
#define RAMJET_SYMMETRIC __attribute__((section(".ldata")))
/* For large arrays: without an initialiser, and without room in the program's file (gcc). */
#define RAMJET_SYMMETRIC_ZEROED __attribute__((section(".lbss")))
#elif defined(__aarch64__) && defined(__AARCH64_CMODEL_LARGE__) && !defined(__PIC__)
#define RAMJET_SYMMETRIC __attribute__((section(".ldata")))
#define RAMJET_SYMMETRIC_ZEROED __attribute__((section(".bss.ramjet_symmetric")))
#elif defined(__x86_64__) || defined(__aarch64__)
#define RAMJET_SYMMETRIC \
  _Pragma("GCC error \"RAMJET_SYMMETRIC: see the options of CMake's ramjet::symmetric\"")
#define RAMJET_SYMMETRIC_ZEROED RAMJET_SYMMETRIC
#else
#define RAMJET_SYMMETRIC \
  _Pragma("GCC error \"RAMJET_SYMMETRIC is there on x86-64 and AArch64 alone\"")
#define RAMJET_SYMMETRIC_ZEROED RAMJET_SYMMETRIC
#endif

#endif
