// SPDX-License-Identifier: Apache-2.0
// The board: the first bytes of the memory object that the ranks of a job share on one machine, a
// node. The launcher creates it, the ranks inherit its descriptor; it says who belongs to the job,
// who died of what, and where everything else in the object lies. A program started alone makes a
// board for itself.
//
//   0         kRanksOffset                   board_bytes(ranks)           segments_offset
//   +---------+------------------+----------+----------------------------+------------------+
//   | board   | rank_line[ranks] | uint16_t | the layers' regions        | segment[ranks]   |
//   |         |                  | [ranks]  | (geometry.hpp)             |                  |
//   +---------+------------------+----------+----------------------------+------------------+
//
// A job on several nodes has such an object on each. All have room for all ranks of the job, in the
// same order; what belongs to ranks of other nodes is never touched and so takes no memory, but for
// their lines, which the ranks of this node keep up to date.
//
// Threads: launcher and all ranks map it; each field names its writer.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/machine_profile.hpp"
#include "node/geometry.hpp"

namespace ramjet::node {

inline constexpr std::uint64_t kBoardMagic = 0x3154454a4d415202;  // bytes 02 "RAMJET1"
inline constexpr std::uint32_t kBoardVersion = 11;
inline constexpr unsigned kRanksMax = detail::kPortsMax;

enum class rank_state : std::uint32_t {
  absent = 0,  // not yet joined
  joined = 1,  // inside init .. finalize
  finalized = 2,  // left properly
  failed = 3,  // died, or exited without finalize
};

// exit_status of a rank that lives, or of whose end nothing is known.
inline constexpr int kStatusUnknown = -1;

enum class failure_policy : std::uint32_t { abort = 0, carry_on = 1 };

struct alignas(64) rank_line {
  // rank_state. Of a rank of this node: the rank writes joined and finalized, the launcher failed;
  // finalized publishes all that the rank has sent. Of one on another node: all are written by
  // ranks of this node, which learn them by the network.
  std::atomic<std::uint32_t> state;  // pairs: job.left
  std::atomic<std::uint32_t> pid;  // the rank, at joining; the process that called init
  // As for failed, before it: the signal that killed the rank, 0 if it exited or nothing is known.
  std::atomic<std::int32_t> signal;
  std::atomic<std::int32_t> exit_status;  // likewise; kStatusUnknown if nothing is known
  std::atomic<std::uint64_t> handler_hash;  // rank: hash of its handler table
  std::atomic<std::uint64_t> build_hash;  // rank: hash of the library's version and layout
  std::atomic<std::uint64_t> progress;  // rank: counts calls that ended; a sign of life
  // When the rank's mesh thread last ran, CLOCK_MONOTONIC, 0: never. Of the lowest rank of another
  // node: when that node was last heard. Written by that thread, or by the one that heard, read by
  // the mesh threads of the node's other ranks; a value by itself, it publishes nothing.
  std::atomic<std::uint64_t> ran_ns;
  // Why the mesh has given the rank up, as mesh::loss_cause packs it; 0: it has not. Written before
  // `failed` by the rank that does, read by the node's others once the rank has failed.
  std::atomic<std::uint64_t> loss;
  // The mesh thread, as the system numbers it, 0: unknown. Of the lowest rank of another node: the
  // thread that was heard, if this machine shows it. As for ran_ns.
  std::atomic<std::uint32_t> mesh_thread;
};
static_assert(sizeof(rank_line) == 64);

struct board {
  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t ranks;  // of the job
  std::uint32_t policy;  // failure_policy
  // That the ranks of this node may use together, before they are bound to some.
  std::uint32_t processors;
  // Drawn by the launcher. A rank brings it along in its environment: so a descriptor that is not
  // this job's is noticed.
  std::uint64_t secret;
  std::uint32_t members;  // ranks of this node: members == count of `node` among the ranks
  std::uint32_t nodes;  // of the job
  std::uint32_t node;  // this one, < nodes
  std::uint64_t number;  // drawn by who makes the board; no other board has it

  // 0: there is no layout yet, 1: a rank is computing it, 2: `layout` may be read.
  alignas(64) std::atomic<std::uint32_t> layout_state;  // pairs: job.layout
  geometry layout;
  // By which all ranks of this node choose; written with the layout.
  base::machine_profile profile;

  // Number of ranks of this node that joined; a futex word.
  alignas(64) std::atomic<std::uint32_t> joined;  // pairs: job.joined
  // Not 0: some rank cannot take part in base::global_barrier, so none may rely on it. Set by that
  // rank before it counts itself in `joined`, read by all once every rank has.
  std::atomic<std::uint32_t> no_barrier;
  // Number of failed ranks of the job; a futex word. The launcher or rank that reports a failure
  // writes the rank's line first, then this.
  alignas(64) std::atomic<std::uint32_t> failures;  // pairs: job.failure
  std::atomic<std::int32_t> first_failed;  // rank, -1: none; written before `failures`
  // Where ranks print the hang reports of their node: when one of them last answered SIGUSR1,
  // CLOCK_MONOTONIC in ns, 0: never. Written by that rank, read by the others, who then do not.
  std::atomic<std::uint64_t> reported_ns;
  // Not 0: a rank of this node ends the whole job, with the exit status in the low 8 bits. Written
  // once, by the first rank that does; read by the launcher, or the node's ranks, when that rank
  // has exited, which orders the two.
  std::atomic<std::uint32_t> job_ended;
  // Number of ranks of this node that have ended their connection to the launcher's PMIx server; a
  // futex word. Each rank adds itself as it leaves; a value by itself, it publishes nothing.
  std::atomic<std::uint32_t> left_launcher;
};
inline constexpr std::uint32_t kJobEnded = 0x100;  // of board::job_ended

inline constexpr std::size_t kRanksOffset = 4096;
static_assert(sizeof(board) <= kRanksOffset);

inline rank_line* rank_lines(board* b) {
  return reinterpret_cast<rank_line*>(reinterpret_cast<std::byte*>(b) + kRanksOffset);
}

// The node of each rank. `ranks` is the number that the caller has checked, not what others may
// write meanwhile.
inline std::uint16_t* rank_nodes(board* b, unsigned ranks) {
  return reinterpret_cast<std::uint16_t*>(rank_lines(b) + ranks);
}
inline const std::uint16_t* rank_nodes(const board* b, unsigned ranks) {
  return rank_nodes(const_cast<board*>(b), ranks);
}

// Bytes that hold the board and what it says of each rank, rounded up to a page.
constexpr std::size_t board_bytes(unsigned ranks) {
  return page_up(kRanksOffset + ranks * (sizeof(rank_line) + sizeof(std::uint16_t)));
}

// Deals the ranks of a job to nodes: in blocks, as even as possible. 1 <= nodes <= ranks.
std::vector<std::uint16_t> deal_ranks(unsigned ranks, unsigned nodes);

// Gives a fresh board its identity: all that stands in it before the first rank joins.
// `memory` is zeroed memory of at least board_bytes(ranks). `node_of`: the node of each rank; empty
// if there is one node. The processors are those that this process may use.
board* format_board(void* memory, unsigned ranks, failure_policy policy, std::uint64_t secret,
                    std::span<const std::uint16_t> node_of = {}, unsigned node = 0);

// Why this memory of `bytes` is not a board that this build can join; nullptr if it is.
const char* board_defect(const board* b, std::size_t bytes);

// Records that a rank has failed and wakes everyone who sleeps on the board or at a port.
// `object` is the shared object mapped from its start, `bytes` long. Called by the launcher and by
// ranks, any number of times for one death: the first report counts. What it does not know (signal
// 0, exit_status kStatusUnknown) a later one may add. A rank that has finalized does not fail.
// True for the first report.
bool report_failure(void* object, std::size_t bytes, unsigned rank, int signal, int exit_status);

}  // namespace ramjet::node
