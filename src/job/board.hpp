// SPDX-License-Identifier: Apache-2.0
// The board: the first bytes of a job's shared memory object. The launcher creates it, the ranks
// inherit its descriptor; it says who belongs to the job, who died of what, and where everything
// else in the object lies. A program started alone makes a board for itself.
//
//   0         kRanksOffset        geometry.ports_offset ...              segments_offset
//   +---------+-------------------+--------------------------------------+------------------+
//   | board   | rank_line[ranks]  | ports, bells, counters, credits,     | segment[ranks]   |
//   |         |                   | rings, stores ... (make_geometry)    | (lazily touched) |
//   +---------+-------------------+--------------------------------------+------------------+
//
// Threads: launcher and all ranks map it; each field names its writer.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "ramjet/detail/address_space.hpp"
#include "ramjet/detail/layout.hpp"

namespace ramjet::job {

inline constexpr std::uint64_t kBoardMagic = 0x3154454a4d415202;  // bytes 02 "RAMJET1"
inline constexpr std::uint32_t kBoardVersion = 3;
inline constexpr unsigned kRanksMax = detail::kPortsMax;
inline constexpr unsigned kEndpointsMax = 64;
// Address space that all segments of a node may take together.
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

enum class rank_state : std::uint32_t {
  absent = 0,  // not yet joined
  joined = 1,  // inside init .. finalize
  finalized = 2,  // left properly
  failed = 3,  // died, or exited without finalize (the launcher writes this)
};

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
  // rank_state; the rank writes joined and finalized, the launcher failed. Finalized publishes all
  // that the rank has sent.
  std::atomic<std::uint32_t> state;  // pairs: job.left
  std::atomic<std::uint32_t> pid;  // the rank, at joining; the process that called init
  std::atomic<std::int32_t> signal;  // launcher: the signal that killed it, 0 if it exited
  std::atomic<std::int32_t> exit_status;  // launcher: its exit status
  std::atomic<std::uint64_t> handler_hash;  // rank: hash of its handler table
  std::atomic<std::uint64_t> build_hash;  // rank: hash of the library's version and layout
  std::atomic<std::uint64_t> progress;  // rank: counts calls that ended; a sign of life
};
static_assert(sizeof(rank_line) == 64);

struct board {
  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t ranks;
  std::uint32_t policy;  // failure_policy
  std::uint32_t processors;  // that the whole job may use, before ranks are bound to some
  // Drawn by the launcher. A rank brings it along in its environment: so a descriptor that is not
  // this job's is noticed.
  std::uint64_t secret;

  // 0: none, 1: a rank is computing it, 2: `layout` may be read.
  alignas(64) std::atomic<std::uint32_t> layout_state;  // pairs: job.layout
  geometry layout;

  // Number of ranks that joined; a futex word.
  alignas(64) std::atomic<std::uint32_t> joined;  // pairs: job.joined
  // Not 0: some rank cannot take part in base::global_barrier, so none may rely on it. Set by that
  // rank before it counts itself in `joined`, read by all once every rank has.
  std::atomic<std::uint32_t> no_barrier;
  // Number of failed ranks; a futex word. The launcher writes a rank's line first, then this.
  alignas(64) std::atomic<std::uint32_t> failures;  // pairs: job.failure
  std::atomic<std::int32_t> first_failed;  // launcher: rank, -1: none
};

inline constexpr std::size_t kRanksOffset = 4096;
static_assert(sizeof(board) <= kRanksOffset);

inline rank_line* rank_lines(board* b) {
  return reinterpret_cast<rank_line*>(reinterpret_cast<std::byte*>(b) + kRanksOffset);
}

constexpr std::uint64_t page_up(std::uint64_t bytes) {
  return (bytes + 4095) & ~std::uint64_t{4095};
}

// Bytes that hold the board and the lines of all its ranks, rounded up to a page.
constexpr std::size_t board_bytes(unsigned ranks) {
  return page_up(kRanksOffset + ranks * sizeof(rank_line));
}

// The layout for so many ranks and endpoints on this machine. Pure; ranks * endpoints <= kPortsMax.
geometry make_geometry(unsigned ranks, unsigned endpoints, std::uint64_t segment_bytes);

// "RAMJET_JOB_SECRET=...", as it stands in the environment of every rank and of what it starts.
std::string secret_variable(std::uint64_t secret);

// Gives a fresh board its identity: magic, version, ranks, policy, secret.
// `memory` is zeroed memory of at least board_bytes(ranks).
board* format_board(void* memory, unsigned ranks, failure_policy policy, std::uint64_t secret);

// Why this memory of `bytes` is not a board that this build can join; nullptr if it is.
const char* board_defect(const board* b, std::size_t bytes);

// Records that a rank has failed and wakes everyone who sleeps on the board or in an endpoint.
// Called by the launcher; `object` is the whole shared object mapped from its start, `bytes` long.
bool report_failure(void* object, std::size_t bytes, unsigned rank, int signal, int exit_status);

}  // namespace ramjet::job
