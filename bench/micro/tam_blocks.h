/* SPDX-License-Identifier: Apache-2.0
 * What the benchmarks of the threaded abstract machine run: code blocks in tam_blocks.c, written as
 * a compiler would write them. Each function makes its first frame; tam_run then runs it. */
#ifndef BENCH_MICRO_TAM_BLOCKS_H
#define BENCH_MICRO_TAM_BLOCKS_H

#include <ramjet/tam.h>

#ifdef __cplusplus
extern "C" {
#endif

extern const struct tam_block* const tam_bench_blocks[];
extern const unsigned tam_bench_block_count;

/* The result is fib(n); the number of ways in which n queens stand on an n x n board, n <= 16. All
 * calls may be on any rank: n of tam_bench_board is set on all of them before. */
void tam_bench_fib(tam_word n);
void tam_bench_board(unsigned n);
void tam_bench_queens(void);
/* `count` calls, one after the other, of a code block that returns its argument plus 1: count. */
void tam_bench_calls(tam_word count);
/* A thread that enables itself `count` times: count. */
void tam_bench_threads(tam_word count);
/* Fetches elements 0 .. count - 1, `at_once` at a time, which divides count: their sum. */
void tam_bench_fetches(tam_array array, tam_word count, unsigned at_once);
/* The sum of the elements, all fetched by one thread that waits for none. */
void tam_bench_sum(tam_array array, tam_word count);

#ifdef __cplusplus
}
#endif

#endif
