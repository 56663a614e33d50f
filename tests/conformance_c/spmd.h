/* SPDX-License-Identifier: Apache-2.0
 * What the cases share: expectations that end the job with one line, and payloads in which a
 * repeated, shifted or foreign byte shows. */
#ifndef CONFORMANCE_C_SPMD_H
#define CONFORMANCE_C_SPMD_H

#include <stddef.h>
#include <stdint.h>

#include <ramjet/ramjet.h>

enum { ENDPOINTS = 3, SEGMENT_BYTES = 16 << 20 };

/* Any thread. */
_Noreturn void fail(const char* file, int line, const char* what);
#define EXPECT(condition) ((condition) ? (void)0 : fail(__FILE__, __LINE__, #condition))
#define EXPECT_OK(expression) EXPECT((expression) == RAMJET_OK)

/* The byte at `index` of the payload with number `key`. */
uint8_t byte_at(uint64_t key, size_t index);
void fill(void* to, size_t bytes, uint64_t key);
/* Whether all bytes are those of the payload. */
int holds(const void* from, size_t bytes, uint64_t key);

/* Endpoint 0 of the neighbour to the right. */
ramjet_address right(void);
/* The sum of every rank's value, everywhere. Collective. */
uint64_t sum_of(uint64_t mine);

/* A group of cases: handlers before the job, then the cases, which leave nothing in flight. */
typedef struct group {
  const char* name;
  void (*add_handlers)(void);
  void (*run)(void);
} group;
extern const group arguments_group, payloads_group, chains_group, trying_group, waiting_group,
    collectives_group, segment_group, endpoints_group, coproc_group, polling_group, blocks_group;

/* Programs of their own; the handlers of all groups are there. */
void add_death_handlers(void);
int run_death(void);
void add_misuse_handlers(void);
int run_misuse(const char* name);

#endif
