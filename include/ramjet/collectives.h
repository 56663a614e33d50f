/* SPDX-License-Identifier: Apache-2.0
 * Teams and collectives for C: team.hpp and collectives.hpp on untyped arrays; an exclusive scan
 * has no first value. ramjet.h includes this, and its general rules hold.
 *
 * All members of `among` take part, by their endpoints of the same index, in the same order of
 * calls and with the same root and lengths; RAMJET_WORLD stands for every rank of the job. Roots
 * and the order of results go by the numbers in the team. All block, and poll meanwhile; none may
 * be called in a handler. RAMJET_PEER_FAILED if a rank of the job is dead: there is no result then.
 * Lengths that differ, a root outside the team, or different calls end the process. A member that
 * runs ahead of another waits in its calls from 512 KiB on that the other has not taken, or less in
 * teams of more than 64. */
#ifndef RAMJET_COLLECTIVES_H
#define RAMJET_COLLECTIVES_H

#include <ramjet/ramjet.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* --- Teams --- */

/* Some of the job's ranks, numbered among themselves. Of the endpoint that split it off. */
typedef struct ramjet_team ramjet_team;

/* All ranks, in their order. */
#define RAMJET_WORLD ((const ramjet_team*)0)

/* Parts a team: members with the same color are a team, in the order of their keys, and of their
 * ranks where keys are equal. With color < 0, or if a rank of the job is dead, the result is an
 * empty team, of size 0. A collective of `parent`. Never null; ramjet_team_free gives it back. */
ramjet_team* ramjet_team_split(const ramjet_team* parent, int color, int key);

/* Local: other members may go on using theirs. Null is allowed. */
void ramjet_team_free(ramjet_team* team);

/* This rank's number in the team, -1 if it is empty; and how many it has. */
int ramjet_team_rank(const ramjet_team* team);
int ramjet_team_size(const ramjet_team* team);

/* The job's number of a member; one outside 0 .. size - 1 ends the process. */
int ramjet_team_world_rank(const ramjet_team* team, int member);

/* --- Barriers --- */

/* Returns when every member has entered. Cost: log2(size) messages one after the other, or a turn
 * of the processors where ranks outnumber them. */
ramjet_status ramjet_barrier(const ramjet_team* among);

/* A barrier in two halves with work in between: notify says that this rank has come and does not
 * wait; wait returns when every member has come. try polls once: RAMJET_OK, as wait, or
 * RAMJET_RETRY. */
ramjet_status ramjet_barrier_notify(const ramjet_team* among);
ramjet_status ramjet_barrier_wait(const ramjet_team* among);
RAMJET_NODISCARD ramjet_status ramjet_barrier_try(const ramjet_team* among);

/* Ends a round of messages. When it returns on a rank, that rank has handled all messages of the
 * round, chained ones included, and none of the next round: what a faster rank sends after its own
 * ramjet_quiesce waits here until the first poll after this one. No handler runs. Other collectives
 * do not separate rounds. Between endpoints of this index; collectives.hpp (quiesce) names what is
 * not separated. Of all ranks. Cost: an all-reduce and a barrier at least. */
ramjet_status ramjet_quiesce(void);

/* --- One to all, all to one --- */

/* Puts into into[i] what into[i] and other[i], of higher ranks, come to, for i < count.
 * It is associative. Both are arrays of elements as in the call, aligned to 16 if the caller's
 * data is. */
typedef void (*ramjet_combine)(void* context, void* into, const void* other, size_t count);

/* Gives the root's `bytes` bytes at `data` to every member, at its `data`. */
ramjet_status ramjet_broadcast(void* data, size_t bytes, int root, const ramjet_team* among);

/* Combines the arrays of all members, element by element, in the order of ranks, and leaves the
 * result in `data` at the root; elsewhere it stays as it was. */
ramjet_status ramjet_reduce(void* data, size_t count, size_t element_bytes, ramjet_combine combine,
                            void* context, int root, const ramjet_team* among);

/* The same, with the result everywhere, in the same bits. */
ramjet_status ramjet_all_reduce(void* data, size_t count, size_t element_bytes,
                                ramjet_combine combine, void* context, const ramjet_team* among);

/* Leaves what the arrays of members 0 to this one come to; exclusive: of those before this one, and
 * member 0 keeps its own. */
ramjet_status ramjet_inclusive_scan(void* data, size_t count, size_t element_bytes,
                                    ramjet_combine combine, void* context,
                                    const ramjet_team* among);
ramjet_status ramjet_exclusive_scan(void* data, size_t count, size_t element_bytes,
                                    ramjet_combine combine, void* context,
                                    const ramjet_team* among);

/* --- Gathers and exchanges --- */

/* Brings every member's `bytes` bytes at `mine` to `all`, in the order of members, at the root;
 * `all` is not used elsewhere. With counts: member i sends bytes_of[i] bytes, the same array
 * everywhere. */
ramjet_status ramjet_gather(const void* mine, size_t bytes, void* all, int root,
                            const ramjet_team* among);
ramjet_status ramjet_gather_v(const void* mine, void* all, const size_t* bytes_of, int root,
                              const ramjet_team* among);

/* The same to every member. */
ramjet_status ramjet_all_gather(const void* mine, size_t bytes, void* all,
                                const ramjet_team* among);
ramjet_status ramjet_all_gather_v(const void* mine, void* all, const size_t* bytes_of,
                                  const ramjet_team* among);

/* Piece i of `from`, of `bytes` bytes, goes to member i, and comes to piece j of its `into`, where
 * j is this member. With counts: piece i has from_bytes[i], and what comes from member j has
 * into_bytes[j] bytes; pieces stand one after the other. */
ramjet_status ramjet_all_to_all(const void* from, void* into, size_t bytes,
                                const ramjet_team* among);
ramjet_status ramjet_all_to_all_v(const void* from, const size_t* from_bytes, void* into,
                                  const size_t* into_bytes, const ramjet_team* among);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
