// SPDX-License-Identifier: Apache-2.0
// The board: the first bytes of the memory object that the ranks of a job share on one machine, a
// node. The launcher creates it, the ranks inherit its descriptor; it says who belongs to the job,
// who died of what, and where everything else in the object lies. A program started alone makes a
// board for itself.
//
//   0         kRanksOffset                   geometry.ports_offset ...         segments_offset
//   +---------+------------------+----------+---------------------------------+------------------+
//   | board   | rank_line[ranks] | uint16_t | ports, bells, counters, credits,| segment[ranks]   |
//   |         |                  | [ranks]  | rings, ... (make_geometry)      | (lazily touched) |
//   +---------+------------------+----------+---------------------------------+------------------+
//
// A job on several nodes has such an object on each. All have places for all ranks of the job, in
// the same order; what belongs to ranks of other nodes is never touched and so takes no memory, but
// for their lines, which the ranks of this node keep up to date.
//
// Threads: launcher and all ranks map it; each field names its writer.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ramjet/detail/address_space.hpp"
#include "ramjet/detail/layout.hpp"

namespace ramjet::job {

inline constexpr std::uint64_t kBoardMagic = 0x3154454a4d415202;  // bytes 02 "RAMJET1"
inline constexpr std::uint32_t kBoardVersion = 5;
inline constexpr unsigned kRanksMax = detail::kPortsMax;
inline constexpr unsigned kEndpointsMax = 64;
// Address space that all segments of a job may take together.
inline constexpr std::uint64_t kSegmentsBytesMax = std::uint64_t{1} << 46;

// Where the window and the segments lie in every rank: clear of executables, libraries, stacks and,
// in a sanitizer build, of the sanitizer's shadow memory. What is between them bounds a segment.
#if defined(__SANITIZE_THREAD__)
inline constexpr std::uint64_t kWindowBase = 0x08'0000'0000;
inline constexpr std::uint64_t kSegmentBase = 0x10'0000'0000;
#else
inline constexpr std::uint64_t kWindowBase = 0x1100'0000'0000;
inline constexpr std::uint64_t kSegmentBase = 0x1500'0000'0000;
#endif
inline constexpr std::uint64_t kSegmentBytesMax = kSegmentBase - kWindowBase;

// Environment by which a rank finds its job.
inline constexpr const char* kEnvDescriptor = "RAMJET_JOB_FD";  // number of the inherited memfd
inline constexpr const char* kEnvRank = "RAMJET_RANK";
inline constexpr const char* kEnvSize = "RAMJET_SIZE";
inline constexpr const char* kEnvSecret = "RAMJET_JOB_SECRET";  // board::secret, hexadecimal
// On several nodes: number of the inherited directory (directory.hpp).
inline constexpr const char* kEnvDirectory = "RAMJET_DIRECTORY_FD";
// For scripts around a rank: its node, and how many there are.
inline constexpr const char* kEnvNode = "RAMJET_NODE";
inline constexpr const char* kEnvNodes = "RAMJET_NODES";

enum class rank_state : std::uint32_t {
  absent = 0,  // not yet joined
  joined = 1,  // inside init .. finalize
  finalized = 2,  // left properly
  failed = 3,  // died, or exited without finalize
};

// exit_status of a rank that lives, or of whose end nothing is known.
inline constexpr int kStatusUnknown = -1;

enum class failure_policy : std::uint32_t { abort = 0, carry_on = 1 };

// Where the parts of the object lie: computed once, by the first rank that joins, from the number
// of ranks and of endpoints per rank; every other rank checks that it would compute the same.
struct geometry {
  std::uint32_t ranks;
  std::uint32_t endpoints;  // per rank
  std::uint32_t ports;  // ranks * endpoints; port = rank * endpoints + endpoint
  std::uint32_t ring_words;  // record ring of one lane, a power of two
  std::uint64_t payload_bytes;  // payload ring of one lane and direction, a power of two
  std::uint64_t ports_offset;  // detail::port_line[ports]
  std::uint64_t bells_offset;  // uint8_t[ports][bell_stride]: row = receiver, column = sender
  std::uint64_t bell_stride;
  std::uint64_t counters_offset;  // detail::pair_counters[ports][ports]: row = owner
  std::uint64_t barriers_offset;  // barrier_line[endpoints][2]: for barriers, for values
  std::uint64_t values_offset;  // value_slot[endpoints][ranks][2]
  std::uint64_t credits_offset;  // detail::credit_line[ports][ports]: row = receiver
  std::uint64_t consumed_offset;  // detail::consumed_line[ports][ports]: row = sender
  std::uint64_t rings_offset;  // [receiver][sender][ring_words]
  std::uint64_t payload_offset;  // [receiver][sender][2][payload_bytes]
  std::uint64_t gates_offset;  // detail::store_gate[ranks]
  std::uint64_t stores_offset;  // detail::store_line[ranks][ranks]: row = target
  std::uint64_t segments_offset;  // [rank][segment_bytes]
  std::uint64_t segment_bytes;
  std::uint64_t segment_base;  // virtual address of rank 0's segment in every rank
  std::uint64_t window_base;  // virtual address at which every rank sees its own segment once more
  std::uint64_t total_bytes;
};

// A counter barrier among the ranks of the node, one per endpoint index.
struct alignas(64) barrier_line {
  std::atomic<std::uint32_t> arrived;
  alignas(64) std::atomic<std::uint32_t> generation;  // pairs: job.barrier
};

// What a rank brings to a meeting at the counter for values. Written by the rank, read by all.
struct alignas(64) value_slot {
  // In the first of two: tag of the collective that the rank called last.
  std::atomic<std::uint32_t> called;  // pairs: am.called
  std::uint32_t tag;
  std::uint32_t bytes;
  alignas(32) std::byte data[32];
};
static_assert(sizeof(value_slot) == 64);

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
  // When the rank's mesh thread last ran, CLOCK_MONOTONIC, 0: never. Written by that thread, read
  // by those of the node's other ranks; a value by itself, it publishes nothing.
  std::atomic<std::uint64_t> ran_ns;
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

  // 0: none, 1: a rank is computing it, 2: `layout` may be read.
  alignas(64) std::atomic<std::uint32_t> layout_state;  // pairs: job.layout
  geometry layout;

  // Number of ranks of this node that joined; a futex word.
  alignas(64) std::atomic<std::uint32_t> joined;  // pairs: job.joined
  // Not 0: some rank cannot take part in base::global_barrier, so none may rely on it. Set by that
  // rank before it counts itself in `joined`, read by all once every rank has.
  std::atomic<std::uint32_t> no_barrier;
  // Number of failed ranks of the job; a futex word. Whoever reports a failure, the launcher or a
  // rank, writes the rank's line first, then this.
  alignas(64) std::atomic<std::uint32_t> failures;  // pairs: job.failure
  std::atomic<std::int32_t> first_failed;  // rank, -1: none; written before `failures`
  // Where ranks print the hang reports of their node: when one of them last answered SIGUSR1,
  // CLOCK_MONOTONIC in ns, 0: never. Written by that rank, read by the others, who then do not.
  std::atomic<std::uint64_t> reported_ns;
  // Not 0: a rank of this node ends the whole job, with the exit status in the low 8 bits. Written
  // once, by the first rank that does; read by the launcher, or the node's ranks, when that rank
  // has exited, which orders the two.
  std::atomic<std::uint32_t> job_ended;
};
inline constexpr std::uint32_t kJobEnded = 0x100;  // of board::job_ended

inline constexpr std::size_t kRanksOffset = 4096;
static_assert(sizeof(board) <= kRanksOffset);

inline rank_line* rank_lines(board* b) {
  return reinterpret_cast<rank_line*>(reinterpret_cast<std::byte*>(b) + kRanksOffset);
}

// The node of each of so many ranks: `ranks` is what the caller has checked, not what others may
// write meanwhile.
inline std::uint16_t* rank_nodes(board* b, unsigned ranks) {
  return reinterpret_cast<std::uint16_t*>(rank_lines(b) + ranks);
}
inline const std::uint16_t* rank_nodes(const board* b, unsigned ranks) {
  return rank_nodes(const_cast<board*>(b), ranks);
}

constexpr std::uint64_t page_up(std::uint64_t bytes) {
  return (bytes + 4095) & ~std::uint64_t{4095};
}

// Bytes that hold the board and what it says of each rank, rounded up to a page.
constexpr std::size_t board_bytes(unsigned ranks) {
  return page_up(kRanksOffset + ranks * (sizeof(rank_line) + sizeof(std::uint16_t)));
}

// The layout for so many ranks and endpoints on this machine. Pure; ranks * endpoints <= kPortsMax.
geometry make_geometry(unsigned ranks, unsigned endpoints, std::uint64_t segment_bytes);

// "RAMJET_JOB_SECRET=...", as it stands in the environment of every rank and of what it starts.
std::string secret_variable(std::uint64_t secret);

// Deals the ranks of a job to nodes: in blocks, as even as possible. 1 <= nodes <= ranks.
std::vector<std::uint16_t> deal_ranks(unsigned ranks, unsigned nodes);

// Gives a fresh board its identity: all that stands in it before the first rank joins.
// `memory` is zeroed memory of at least board_bytes(ranks). `node_of`: the node of each rank; empty
// if there is one node. The processors are those that this process may use.
board* format_board(void* memory, unsigned ranks, failure_policy policy, std::uint64_t secret,
                    std::span<const std::uint16_t> node_of = {}, unsigned node = 0);

// Why this memory of `bytes` is not a board that this build can join; nullptr if it is.
const char* board_defect(const board* b, std::size_t bytes);

// Records that a rank has failed and wakes everyone who sleeps on the board or in an endpoint.
// `object` is the shared object mapped from its start, `bytes` long. Called by the launcher and by
// ranks, any number of times for one death: the first report counts. What it does not know (signal
// 0, exit_status kStatusUnknown) a later one may add. A rank that has finalized does not fail.
// True for the first report.
bool report_failure(void* object, std::size_t bytes, unsigned rank, int signal, int exit_status);

}  // namespace ramjet::job
