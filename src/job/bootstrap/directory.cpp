// SPDX-License-Identifier: Apache-2.0
#include "job/bootstrap/directory.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "base/futex.hpp"

namespace ramjet::job {

namespace {

directory_entry& entry(directory* d, unsigned rank) {
  auto* entries = reinterpret_cast<directory_entry*>(d + 1);
  return entries[rank];
}

directory_slot& slot(directory* d, unsigned rank, std::uint32_t round) {
  return entry(d, rank).slots[round % 2];
}

bool has_brought(directory* d, unsigned rank, std::uint32_t round) {
  return slot(d, rank, round).round.load(std::memory_order_acquire) == round;  // pairs: job.card
}

// A rank that has died before it brought its card of this round; -1: there is none.
int missing(directory* d, unsigned ranks, std::uint32_t round) {
  if (d->failures.load(std::memory_order_acquire) == 0) return -1;  // pairs: job.card_failure
  for (unsigned r = 0; r < ranks; ++r) {
    if (entry(d, r).failed.load(std::memory_order_relaxed) != 0 && !has_brought(d, r, round)) {
      return int(r);
    }
  }
  return -1;
}

void bring(directory* d, unsigned rank, unsigned ranks, std::uint32_t round,
           const std::string& mine) {
  directory_slot& own = slot(d, rank, round);
  std::memcpy(own.card, mine.data(), mine.size());
  own.bytes = std::uint32_t(mine.size());
  own.round.store(round, std::memory_order_release);  // pairs: job.card
  const std::uint32_t brought = d->brought.fetch_add(1, std::memory_order_relaxed) + 1;
  if (brought % ranks == 0) base::futex_wake(d->brought);
}

}  // namespace

directory* format_directory(void* memory, unsigned ranks, const job_key& key) {
  auto* d = new (memory) directory{};
  d->version = kBoardVersion;
  d->ranks = ranks;
  d->key = key;
  d->magic = kDirectoryMagic;
  return d;
}

const char* directory_defect(const directory* d, std::size_t bytes, unsigned ranks) {
  if (bytes < sizeof(directory) || d->magic != kDirectoryMagic) {
    return "it is not a Ramjet job's directory";
  }
  if (d->version != kBoardVersion) return "the launcher is of another version of Ramjet";
  if (d->ranks != ranks) return "it is for another number of ranks";
  return bytes < directory_bytes(ranks) ? "it is too short" : nullptr;
}

int find_dead(directory* d, unsigned ranks) {
  if (d->failures.load(std::memory_order_acquire) == 0) return -1;  // pairs: job.card_failure
  for (unsigned r = 0; r < ranks; ++r)
    if (entry(d, r).failed.load(std::memory_order_relaxed) != 0) return int(r);
  return -1;
}

bool has_job_started(const directory* d) {
  return d->brought.load(std::memory_order_relaxed) >= kStartRounds * d->ranks;
}

void note_dead(directory* d, unsigned rank) {
  entry(d, rank).failed.store(1, std::memory_order_relaxed);
  d->failures.fetch_add(1, std::memory_order_release);  // pairs: job.card_failure
  base::futex_wake(d->brought);
}

status exchange_cards(directory* d, unsigned rank, unsigned ranks, std::uint32_t round,
                      const std::string& mine, std::vector<std::string>& all,
                      std::string& message) {
  if (mine.size() > kCardBytesMax) {
    message = "rank " + std::to_string(rank) + " has " + std::to_string(mine.size()) +
              " bytes for the others, and " + std::to_string(kCardBytesMax) + " is the most";
    return status::environment;
  }
  bring(d, rank, ranks, round, mine);
  all.assign(ranks, {});
  std::uint64_t wait_ns = 10'000'000;  // one of these follows a death that wakes nobody
  for (unsigned r = 0; r < ranks; ++r) {
    for (;;) {
      const std::uint32_t seen = d->brought.load(std::memory_order_relaxed);
      if (has_brought(d, r, round)) break;
      if (const int gone = missing(d, ranks, round); gone >= 0) {
        message = "rank " + std::to_string(gone) + " failed before the job had started";
        return status::peer_failed;
      }
      base::futex_wait(d->brought, seen, wait_ns);
      wait_ns = std::min<std::uint64_t>(2 * wait_ns, 200'000'000);
    }
    const directory_slot& other = slot(d, r, round);
    const std::uint32_t bytes = other.bytes;
    if (bytes > kCardBytesMax) {
      message = "what rank " + std::to_string(r) + " brought for the others is damaged";
      return status::mismatch;
    }
    all[r].assign(reinterpret_cast<const char*>(other.card), bytes);
  }
  return status::ok;
}

}  // namespace ramjet::job
