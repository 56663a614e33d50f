/* SPDX-License-Identifier: Apache-2.0
 * Ramjet for C (C11): Active Messages over the same core as ramjet.hpp. Shapes, units and failures
 * are as in the C++ headers; what differs is said here.
 *
 * Threads: every call belongs to the thread's own endpoint (the main thread's is opened by
 * ramjet_init). Handlers run on the thread that polls; they never block or poll. A request handler
 * may reply once; any handler may chain. */
#ifndef RAMJET_RAMJET_H
#define RAMJET_RAMJET_H

#include <stddef.h>
#include <stdint.h>

#include <ramjet/version.hpp>

#ifdef __cplusplus
extern "C" {
#endif

/* What an operation came to; the values are those of ramjet::status. */
typedef enum ramjet_status {
  RAMJET_OK = 0,
  RAMJET_RETRY,
  RAMJET_PEER_FAILED,
  RAMJET_BAD_RANK,
  RAMJET_TOO_LARGE,
  RAMJET_BAD_ADDRESS,
  RAMJET_NO_MEMORY,
  RAMJET_TIMED_OUT,
  RAMJET_MISMATCH,
  RAMJET_ENVIRONMENT
} ramjet_status;

/* A short text for a status, never null. */
const char* ramjet_status_text(ramjet_status s);

/* Most argument words of one message, and longest payload in bytes. */
#define RAMJET_ARGUMENTS_MAX 8
#define RAMJET_MEDIUM_BYTES_MAX 65536

/* --- Job ---------------------------------------------------------------------------------------
 */

/* Joins the job, or becomes a job of one rank; ends the process with a clear line if it cannot. */
void ramjet_init(int* argc, char*** argv);
/* The same with `endpoints` per rank and a segment of so many bytes of address space (0: chosen).
 */
void ramjet_init_with(int* argc, char*** argv, unsigned endpoints, size_t segment_bytes);
/* Collective: waits for all ranks, then leaves. */
void ramjet_finalize(void);
int ramjet_rank(void);
int ramjet_size(void);
/* The rank whose death was noticed last, -1 if none; *signal and *exit_status (may be null). */
int ramjet_last_failure(int* signal, int* exit_status);

/* --- Handlers ----------------------------------------------------------------------------------
 */

/* A message being handled; valid inside its handler only. */
typedef struct ramjet_token ramjet_token;
/* `arguments` holds `count` words; `payload` holds `bytes` bytes until the handler returns
 * (medium), or for good in this rank's segment (long); null for a short message. */
typedef void (*ramjet_function)(ramjet_token* token, const uint64_t* arguments, unsigned count,
                                void* payload, size_t bytes);
typedef struct ramjet_handler ramjet_handler;

/* Registers a handler under a name that is the same in every rank, before ramjet_init. The name
 * must outlive the job. Ends the process if it is registered twice. Never null. */
ramjet_handler* ramjet_request_handler(const char* name, ramjet_function f);
ramjet_handler* ramjet_reply_handler(const char* name, ramjet_function f);

/* Rank that sent the message. */
int ramjet_source(const ramjet_token* token);

/* --- Messages ----------------------------------------------------------------------------------
 */

/* Sends `count` <= RAMJET_ARGUMENTS_MAX words to the handler at endpoint 0 of `rank`. Polls while
 * the way there is full. Not inside a handler. Misuse ends the process with one line. */
ramjet_status ramjet_request(int rank, const ramjet_handler* h, const uint64_t* arguments,
                             unsigned count);
/* With a payload of up to RAMJET_MEDIUM_BYTES_MAX bytes, copied before it returns. */
ramjet_status ramjet_request_medium(int rank, const ramjet_handler* h, const uint64_t* arguments,
                                    unsigned count, const void* payload, size_t bytes);
/* With bytes put at `destination` in the segment of `rank` before the handler runs. */
ramjet_status ramjet_request_long(int rank, const ramjet_handler* h, const uint64_t* arguments,
                                  unsigned count, void* destination, const void* data,
                                  size_t bytes);
/* A request that is legal inside handlers too: queued when there is no room. */
ramjet_status ramjet_chain(int rank, const ramjet_handler* h, const uint64_t* arguments,
                           unsigned count);
/* Answers, inside a request handler, at most once; never waits. */
void ramjet_reply(ramjet_token* token, const ramjet_handler* h, const uint64_t* arguments,
                  unsigned count);
void ramjet_reply_medium(ramjet_token* token, const ramjet_handler* h, const uint64_t* arguments,
                         unsigned count, const void* payload, size_t bytes);

/* --- Progress and collectives ------------------------------------------------------------------
 */

/* Handles what has arrived; returns how many messages. */
unsigned ramjet_poll(void);
/* Polls until done(context) is not 0. */
ramjet_status ramjet_wait_until(int (*done)(void* context), void* context);
ramjet_status ramjet_barrier(void);
/* Collective: no message is in flight anywhere when it returns. */
ramjet_status ramjet_quiesce(void);
ramjet_status ramjet_broadcast(void* data, size_t bytes, int root);
/* Every rank's `bytes` to `all` (size() times as many) at root. */
ramjet_status ramjet_gather(const void* mine, size_t bytes, void* all, int root);
/* Combines by combine(context, into, other) in the order of ranks; the result stands everywhere. */
ramjet_status ramjet_all_reduce(void* data, size_t bytes,
                                void (*combine)(void* context, void* into, const void* other),
                                void* context);

/* --- Segment -----------------------------------------------------------------------------------
 */

void* ramjet_segment_allocate(size_t bytes);
void ramjet_segment_free(void* memory);
size_t ramjet_segment_bytes(void);
void* ramjet_segment_begin(int rank);

#ifdef __cplusplus
}
#endif

#endif
