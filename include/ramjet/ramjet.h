/* SPDX-License-Identifier: Apache-2.0
 * Ramjet for C (C11): Active Messages over the same core as ramjet.hpp. Collectives and teams are
 * in collectives.h, which this includes; the global address space is in splitc.h. What C++ has and
 * C does not: calls with futures, requests that start threads, try_init, typed arrays, work queues,
 * agendas, hash tables.
 *
 * Unless a function says otherwise:
 * - It is called between ramjet_init and ramjet_finalize, by a thread with an endpoint of its own
 *   (the main thread's is opened by ramjet_init), and acts for that endpoint alone.
 * - It may not be called inside a handler. A function that blocks polls meanwhile: handlers run.
 * - Sizes are in bytes; arguments are counted in words of 8 bytes.
 * - What a pointer names is read or written before the function returns and stays the caller's.
 * - Misuse (a wrong rank, an oversized payload, a wild address, a null handler) ends the process
 *   with one line that names it. The try_ forms return the first three as a status.
 * - A child that a rank forks is not a rank: it may exec or end, and what it calls here ends it
 *   with one line.
 * - RAMJET_PEER_FAILED, a rank's death, is only seen under --on-failure=continue: else the job
 *   ends.
 *
 * Handlers run to completion on the thread that polls; they never block or poll. A request handler
 * may reply once, any handler may chain. */
#ifndef RAMJET_RAMJET_H
#define RAMJET_RAMJET_H

#include <stddef.h>
#include <stdint.h>

#include <ramjet/version.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* The compiler warns where a result that decides what was sent is dropped. */
#define RAMJET_NODISCARD __attribute__((warn_unused_result))

/* What an operation came to; the values are those of ramjet::status. */
typedef enum ramjet_status {
  RAMJET_OK = 0,
  RAMJET_RETRY,       /* no room just now; nothing was reserved or sent */
  RAMJET_PEER_FAILED, /* a rank died; ramjet_last_failure names it */
  RAMJET_BAD_RANK,    /* rank or endpoint outside the job */
  RAMJET_TOO_LARGE,   /* payload over RAMJET_MEDIUM_BYTES_MAX */
  RAMJET_BAD_ADDRESS, /* a long message's destination lies outside the target's segment */
  RAMJET_NO_MEMORY,   /* an allocation, or a named limit, ran out */
  RAMJET_TIMED_OUT,   /* a deadline passed */
  RAMJET_MISMATCH,    /* the ranks do not run the same program or the same build */
  RAMJET_ENVIRONMENT  /* the job could not be set up; the message says what to do */
} ramjet_status;

/* A short text for a status, never null; static. Legal anywhere, at any time. */
const char* ramjet_status_text(ramjet_status s);

/* Most argument words of one message. */
#define RAMJET_ARGUMENTS_MAX 8
/* Longest payload of a medium message, in bytes. */
#define RAMJET_MEDIUM_BYTES_MAX 65536

/* --- Job --- */

/* Joins the job that started this process, or becomes a job of one rank, with one endpoint and a
 * segment of the default size. Both pointers may be null; no argument is taken out. Once per
 * process, main thread. Collective: waits until all ranks have joined. Ends the process with one
 * clear line (status 70) if it cannot join. Makes `stdout` line-buffered as ramjet::init does. */
void ramjet_init(int* argc, char*** argv);

/* The same, with `endpoints` endpoints in every rank (1 to 64, at most 1024 in the job; the main
 * thread has number 0, ramjet_endpoint_open gives the others to threads) and a segment of
 * `segment_bytes` of address space in every rank (rounded up to pages, at most 4 TiB, and 64 TiB
 * in the job; 0: about the machine's memory, 1 to 64 GiB). RAMJET_SEGMENT_BYTES in the environment
 * goes before it. The same in every rank: other ranks' differing numbers end the process too. */
void ramjet_init_with(int* argc, char*** argv, unsigned endpoints, size_t segment_bytes);

/* Collective: waits until no message is in flight between the ranks' endpoints 0, so that what was
 * sent and chained is handled, then leaves; once a rank is dead it waits for nobody. Main thread,
 * after the other threads have closed their endpoints. Nothing of Ramjet may be used afterwards,
 * memory of segments included. */
void ramjet_finalize(void);

/* Ends the whole job, not this rank alone: every rank's process ends, whatever it does, and the
 * command that started the job ends with the low 8 bits of `exit_status`, 0 included, and without a
 * word. Flushes the C streams of this process; no atexit function runs here. The other ranks get a
 * SIGTERM and shortly after a SIGKILL. Of several statuses one counts. Under another launcher the
 * job ends as that one ends aborted jobs. Does not return. Any thread, legal in handlers; outside a
 * job it ends the process alone. */
void ramjet_end_job(int exit_status);

/* Whether the job is joined: 1 between ramjet_init and ramjet_finalize, else 0. Legal anywhere. */
int ramjet_initialized(void);

/* This process's rank, 0 .. ramjet_size() - 1. Any thread, legal in handlers; a load. */
int ramjet_rank(void);

/* The number of ranks in the job, dead ones included. Any thread, legal in handlers; a load. */
int ramjet_size(void);

/* The machines of the job, numbered in the order of their lowest ranks: ranks of one machine share
 * memory. -1 if there is no such rank. Any thread, legal in handlers; a load. */
int ramjet_node_of(int rank);
int ramjet_nodes(void);

/* The rank whose death this rank noticed last, -1 if there was none. *signal takes the signal that
 * killed it (0 if it exited, or nobody knows) and *exit_status the status of its exit (-1 if nobody
 * knows: other launchers, another machine); either may be null. Any thread, legal in handlers. */
int ramjet_last_failure(int* signal, int* exit_status);

/* 1 unless the rank is known to have died; 0 then, and for a rank outside the job. Any thread,
 * legal in handlers; a load. */
int ramjet_alive(int rank);

/* --- Endpoints --- */

/* An endpoint of a rank: where a message goes. Endpoint 0 is the main thread's. */
typedef struct ramjet_address {
  int rank;
  unsigned endpoint;
} ramjet_address;

static inline ramjet_address ramjet_at(int rank, unsigned endpoint) {
  ramjet_address a;
  a.rank = rank;
  a.endpoint = endpoint;
  return a;
}

/* Opens this rank's endpoint `index` (1 .. endpoints - 1, see ramjet_init_with) for the calling
 * thread: what the thread sends, polls and waits for goes by it, until it closes it. A thread has
 * one at a time; the main thread may exchange its number 0 for one. Ends the process if the index
 * is outside, or taken now or before: an index is opened once in a job. Allocates. */
void ramjet_endpoint_open(unsigned index);

/* Closes what this thread opened; before the thread ends. Sends what is chained, and takes the
 * answers to what is left to a sync, a store sync or a callback; may block for both. Nobody may
 * send to the endpoint any more: ramjet_quiesce of this index comes first, or where all ranks are
 * on one machine ramjet_barrier. A message to a closed endpoint ends its sender with one line, and
 * one to an endpoint that is not open yet waits for it (am.hpp, ~endpoint). */
void ramjet_endpoint_close(void);

/* The index of the calling thread's endpoint. Legal in handlers; a load. */
unsigned ramjet_endpoint_index(void);

/* --- Handlers --- */

/* A message being handled; valid inside its handler only, and on its thread. */
typedef struct ramjet_token ramjet_token;

/* A handler. `arguments` holds the `count` words that were sent, until the handler returns.
 * `payload` is null for a short message; for a medium message it holds `bytes` bytes until the
 * handler returns, aligned to 16 (null if `bytes` is 0); for a long one it is the destination in
 * this rank's segment, where the bytes are and stay. The handler may write to it. */
typedef void (*ramjet_function)(ramjet_token* token, const uint64_t* arguments, unsigned count,
                                void* payload, size_t bytes);

/* A function registered as a handler; the library's, for as long as the process lives. */
typedef struct ramjet_handler ramjet_handler;

/* Registers a handler for requests; short, medium and long ones alike. The name, which is copied,
 * is the same in every rank and no other request handler's. Before ramjet_init, main thread. Never
 * null; ends the process if the name is taken or the job has started. */
ramjet_handler* ramjet_request_handler(const char* name, ramjet_function f);

/* The same for a handler that may run beside the main program, as coproc_safe in handler.hpp. Where
 * RAMJET_PROGRESS, coproc or node, gives each rank a co-processor, messages for it to endpoint 0
 * are handled there, at once. What it touches is then touched by two threads. The same in every
 * rank. */
ramjet_handler* ramjet_coproc_request_handler(const char* name, ramjet_function f);

/* The same for a handler whose messages are aggregated, as in handler.hpp: while their receiver is
 * behind, they gather at the sender and leave together, and the handler takes a block of them at a
 * time. Each is sent by ramjet_request, ramjet_try_request or ramjet_chain with exactly `words`
 * argument words, 1 to RAMJET_ARGUMENTS_MAX. The handler gets no arguments; its payload is the
 * block, `bytes` / (8 * words) messages one after the other, read only. It may reply once, to all
 * of them. Messages of one sender to one place keep their order, and what is sent there later by
 * another handler comes after them; two block handlers have no order between them. They leave at
 * once where the receiver is idle, else at the latest with the second poll, or by ramjet_flush. The
 * same `words` in every rank. */
ramjet_handler* ramjet_block_handler(const char* name, ramjet_function f, unsigned words);

/* The same for replies, whose names are apart from those of requests. They run where the requester
 * polls. */
ramjet_handler* ramjet_reply_handler(const char* name, ramjet_function f);

/* The sender of the message. Inside its handler only; a load. */
ramjet_address ramjet_source(const ramjet_token* token);

/* --- Requests --- */

/* Runs the request handler at `to` with `count` <= RAMJET_ARGUMENTS_MAX words (`arguments` may be
 * null if there are none). Blocks while the way there is full. RAMJET_OK once the message is on its
 * way, or RAMJET_PEER_FAILED. Cost: a few ns; up to 7 words stand in one cache line. */
ramjet_status ramjet_request(ramjet_address to, const ramjet_handler* h, const uint64_t* arguments,
                             unsigned count);

/* The same, with a payload of up to RAMJET_MEDIUM_BYTES_MAX bytes, copied before it returns; the
 * handler sees it whole and contiguous. */
ramjet_status ramjet_request_medium(ramjet_address to, const ramjet_handler* h,
                                    const uint64_t* arguments, unsigned count, const void* payload,
                                    size_t bytes);

/* The same, with any number of bytes copied to `destination` in the segment of `to.rank` before the
 * handler runs there. Of a global pointer, splitc_segment_address (splitc.h) is the destination. It
 * must be nobody else's to write meanwhile. */
ramjet_status ramjet_request_long(ramjet_address to, const ramjet_handler* h,
                                  const uint64_t* arguments, unsigned count, void* destination,
                                  const void* data, size_t bytes);

/* The same three, but they never block: RAMJET_RETRY when there is no room, and nothing has been
 * sent or written then; RAMJET_BAD_RANK, RAMJET_TOO_LARGE and RAMJET_BAD_ADDRESS for misuse. They
 * do not poll: a caller that tries again polls in between. */
RAMJET_NODISCARD ramjet_status ramjet_try_request(ramjet_address to, const ramjet_handler* h,
                                                  const uint64_t* arguments, unsigned count);
RAMJET_NODISCARD ramjet_status ramjet_try_request_medium(ramjet_address to, const ramjet_handler* h,
                                                         const uint64_t* arguments, unsigned count,
                                                         const void* payload, size_t bytes);
RAMJET_NODISCARD ramjet_status ramjet_try_request_long(ramjet_address to, const ramjet_handler* h,
                                                       const uint64_t* arguments, unsigned count,
                                                       void* destination, const void* data,
                                                       size_t bytes);

/* --- Chains --- */

/* Like ramjet_request, but legal inside handlers too and never blocks: with no room the message
 * goes to a local queue that grows, and is sent in order as the endpoint polls. While it is not
 * empty, requests to the same place wait behind it. Past RAMJET_CHAIN_LIMIT bytes (of the
 * environment, per endpoint) the process ends and says so. Cost: as ramjet_request; queued, an
 * allocation at times. */
ramjet_status ramjet_chain(ramjet_address to, const ramjet_handler* h, const uint64_t* arguments,
                           unsigned count);

/* The same, with a payload as ramjet_request_medium takes it. */
ramjet_status ramjet_chain_medium(ramjet_address to, const ramjet_handler* h,
                                  const uint64_t* arguments, unsigned count, const void* payload,
                                  size_t bytes);

/* --- Replies --- */

/* Answers the request with the reply handler, at the endpoint that sent it, and `count` <=
 * RAMJET_ARGUMENTS_MAX words. Inside a request handler only, at most once. Never blocks: the room
 * was kept. A second reply, or one from a reply handler, ends the process. */
void ramjet_reply(ramjet_token* token, const ramjet_handler* h, const uint64_t* arguments,
                  unsigned count);

/* The same, with a payload of up to RAMJET_MEDIUM_BYTES_MAX bytes, copied before it returns. */
void ramjet_reply_medium(ramjet_token* token, const ramjet_handler* h, const uint64_t* arguments,
                         unsigned count, const void* payload, size_t bytes);

/* The same, with any number of bytes copied to `destination` in the requester's segment before the
 * reply handler runs there. */
void ramjet_reply_long(ramjet_token* token, const ramjet_handler* h, const uint64_t* arguments,
                       unsigned count, void* destination, const void* data, size_t bytes);

/* --- Progress --- */

/* Runs the handlers of what has arrived; returns how many messages that was. Does not block. Cost:
 * a few ns if nothing has. */
unsigned ramjet_poll(void);

/* Sends what this thread has begun and the network has not been given yet: to far ranks messages
 * gather while the network is busy, and leave with the next poll or wait, or with one of the next
 * eight messages. A program that computes next, without a call of Ramjet, flushes first, or runs
 * with --progress=coproc: then what it leaves behind is sent about a millisecond later. Runs no
 * handler and does not block: what finds no room goes on at the next poll. Legal in a handler.
 * Cost: a few ns, and a system call for each far rank that something is for. */
void ramjet_flush(void);

/* Polls until done(context) is not 0; sleeps as the machine's load advises. done is called any
 * number of times, also after it held. It may send, but not where user-level threads run: their
 * scheduler calls it. It may not poll or wait. RAMJET_PEER_FAILED if a rank dies meanwhile (once
 * for each death). For memory that others write without sending a message a sleeper calls it after
 * 0.1 ms, 0.2 ms, 0.4 ms and so on, every 100 ms at worst. */
ramjet_status ramjet_wait_until(int (*done)(void* context), void* context);

/* The same, but gives up with RAMJET_TIMED_OUT after `milliseconds`. */
ramjet_status ramjet_wait_for(uint64_t milliseconds, int (*done)(void* context), void* context);

/* --- Segment --- */

/* Each rank's segment is memory that long messages may be put into. It lies at the same address in
 * all ranks of the machine, so a neighbour's is reached by a plain pointer. Pages cost nothing
 * until they are touched. These belong to the rank, not to an endpoint. */

/* `bytes` bytes of this rank's segment, aligned to 64 and not initialised (0 bytes have an address
 * of their own too); null if the segment is used up. One thread at a time in a rank. The caller
 * frees it. Cost: a search of a tree. */
void* ramjet_segment_allocate(size_t bytes);

/* Gives back what ramjet_segment_allocate returned in this rank; null is allowed. One thread at a
 * time in a rank. Any other memory ends the process, also what was given back before. */
void ramjet_segment_free(void* memory);

/* Address space of one rank's segment, in bytes. Any thread, legal in handlers; a load. */
size_t ramjet_segment_bytes(void);

/* Where the segment of a rank begins; a wrong rank ends the process. Any thread, legal in handlers.
 * Memory of a rank on another machine cannot be accessed here: the address says where a long
 * message goes, and following it ends the process.
 * The first bytes hold the allocator's state: memory to write to is what the rank allocated. */
void* ramjet_segment_begin(int rank);

/* The rank whose segment holds the address, -1 if none does. Any thread, legal in handlers. */
int ramjet_segment_owner(const void* address);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#include <ramjet/collectives.h>

#endif
