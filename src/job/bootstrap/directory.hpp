// SPDX-License-Identifier: Apache-2.0
// Where the ranks of a job leave their cards for each other when `ramjet run` plays several nodes
// on one machine: a memory object beside those of the nodes, which all ranks map while they join.
// It holds the job's key too: only descriptors lead to it, so no environment or command line shows
// it.
//
//   +------+---------------------------------+
//   | head | directory_entry[ranks]          |   an entry: the rank's cards, by turns in two slots
//   +------+---------------------------------+
//
// Two slots do. A rank that brings the card of round n + 2 has seen all cards of round n + 1, so
// all ranks have read those of round n.
//
// Threads: the launcher, and the thread of each rank that joins.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "job/bootstrap/bootstrap.hpp"
#include "node/board.hpp"
#include "ramjet/status.hpp"

namespace ramjet::job {

inline constexpr std::uint64_t kDirectoryMagic = 0x5249444a4d415202;  // bytes 02 "RAMJDIR"
inline constexpr std::size_t kCardBytesMax = 4096;
inline constexpr std::uint32_t kStartRounds = 3;  // that joining takes: terms, addresses, arrival

struct directory_slot {
  // Of the round whose card this is, from 1; the rank writes it last.
  alignas(64) std::atomic<std::uint32_t> round;  // pairs: job.card
  std::uint32_t bytes;  // <= kCardBytesMax
  std::byte card[kCardBytesMax];
};

struct directory_entry {
  alignas(64) std::atomic<std::uint32_t> failed;  // launcher: not 0 once the rank has died
  directory_slot slots[2];  // of odd and of even rounds
};

struct directory {
  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t ranks;
  job_key key;

  // Cards brought in all; a futex word. The one that completes a round wakes the others.
  alignas(64) std::atomic<std::uint32_t> brought;
  // Launcher: not 0 once a rank has died; an entry's `failed` is written first.
  std::atomic<std::uint32_t> failures;  // pairs: job.card_failure
};

constexpr std::size_t directory_bytes(unsigned ranks) {
  return page_up(sizeof(directory) + ranks * sizeof(directory_entry));
}

// `memory` is zeroed memory of directory_bytes(ranks).
directory* format_directory(void* memory, unsigned ranks, const job_key& key);

// Why this memory of `bytes` is not the directory of a job of `ranks` ranks; nullptr if it is.
const char* directory_defect(const directory* d, std::size_t bytes, unsigned ranks);

// Notes, for those who wait for cards, that this rank is dead.
void note_dead(directory* d, unsigned rank);
// A rank of which that was noted, -1: none.
int find_dead(directory* d, unsigned ranks);

// Whether every rank has brought the cards of all rounds that joining a job takes: from then on a
// death keeps nobody from joining.
bool has_job_started(const directory* d);

// Hands over this rank's card of a round and waits for those of all `ranks`, by rank. A rank that
// dies before it has brought its own ends the wait.
status exchange_cards(directory* d, unsigned rank, unsigned ranks, std::uint32_t round,
                      const std::string& mine, std::vector<std::string>& all, std::string& message);

}  // namespace ramjet::job
