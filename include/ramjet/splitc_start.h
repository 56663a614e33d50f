/* SPDX-License-Identifier: Apache-2.0
 * How a compiled Split-C program starts and ends: what splitcc's output and the `main` in
 * libramjet_splitc.a call. Programs that are written by hand may do the same.
 *
 * The order: ramjet_init; what splitc_at_start was given; the program, on a stack in the segment
 * (RAMJET_SPLITC_STACK); a barrier that serves others; ramjet_finalize; exit status 0. Everything
 * here is for the main thread. */
#ifndef RAMJET_SPLITC_START_H
#define RAMJET_SPLITC_START_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
#define RAMJET_NEVER_RETURNS [[noreturn]]
#else
#define RAMJET_NEVER_RETURNS _Noreturn
#endif

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* What splitcc makes has a note of ELF (section .note.ramjet.splitc; owner "Ramjet", type 0x5c) in
 * each object: splitcc's version and the source's name, both with their NUL. A program, and what is
 * loaded with it, that has one of a version whose output may not fit the library (another soname)
 * is ended with a line by splitc_run. */

/* What runs in every rank between ramjet_init and the program, in the order of the calls: the
 * placing of file-scope spread arrays. Called by constructors; the object stays where it is. */
struct splitc_start {
  void (*run)(void);
  struct splitc_start* next; /* of the library */
};
void splitc_at_start(struct splitc_start* start);

/* Collective, from `run`: gives the spread array of that name its memory, zeroed, at the same
 * address in every rank, and *where its bits, those of a spread pointer to block 0. Where several
 * files declare it, each may call this, with the same numbers. The job ends with a line if there is
 * no room. */
void splitc_place_spread_array(uint64_t* where, uint64_t blocks, uint64_t block_bytes,
                               const char* name);

/* exit of a Split-C program: runs what atexit was given here, flushes the C streams, and ends the
 * whole job with this status, 0 included. The C library's exit does the same in these programs. */
RAMJET_NEVER_RETURNS void splitc_exit_job(int status);

/* Runs the program from ramjet_init to ramjet_finalize. Once. */
typedef int splitc_program(int argc, char** argv, char** environment);
void splitc_run(int argc, char** argv, char** environment, splitc_program* program);

/* The heap of these programs, in the segment: what malloc and its relatives take from, while
 * splitc_run runs the program. take: null if this is not the main thread, or there is no room; the
 * alignment is a power of two. usable: the block's bytes, 0 if it is not of this heap, and then
 * give_back does nothing and returns 0. `caller`: the code that allocates or frees, for the
 * messages of a checked program; null if it is not known. */
void* splitc_heap_take(size_t bytes, size_t alignment, const void* caller);
size_t splitc_heap_usable(const void* block);
int splitc_heap_give_back(void* block, const void* caller);

/* Serves others, now and then, in a loop that waits for memory to change: as ramjet_poll; does
 * nothing in a handler, and in a thread without an endpoint. */
void splitc_poll_in_wait(void);

/* Runs fork on the stack that the process began with: between fork and what gives the child a stack
 * of its own, parent and child would use the one in the segment together. */
int splitc_fork(int (*fork)(void));

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
