// SPDX-License-Identifier: Apache-2.0
// The checked mode of a Split-C program on one processor: what it knows of times and objects, and
// what it has to tell the others. docs/adr/0016-checked-mode.md says why it is so.
//
// An access to one's own segment is checked at once. One elsewhere is a record that goes there in a
// batch, with the time as this processor knows it; batches are sent, and have been received, before
// the processor lets others know that it has got that far. So a processor that knows of an access
// comes to its shadow after it.
//
// Threads: the main thread, handlers of messages included.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "c/checks.hpp"
#include "languages/splitc/check/objects.hpp"
#include "languages/splitc/check/shadow.hpp"

namespace ramjet::splitc::check {

// An access to another processor's memory, in a batch.
struct record {
  std::uint64_t address;
  site at;
  std::uint32_t bytes, clock;
  component part;
  std::uint32_t writes;
};
static_assert(sizeof(record) == 32);

// The heap that blocks of malloc come from: splitc/heap.hpp.
struct heap_below {
  void* (*take)(std::size_t bytes, std::size_t alignment);
  std::size_t (*usable_bytes)(const void* block);
  bool (*give_back)(void* block);
};

class checker final : public checks::observer {
 public:
  checker(site end_of_program, const heap_below& heap);
  void close() noexcept;  // in a forked child: nothing is checked any more

  // --- Accesses (accesses.cpp) ---
  void own(std::uint64_t address, std::uint64_t bytes, unsigned how, site at);
  void global(std::uint64_t bits, std::uint64_t bytes, unsigned how, site at);

  // --- malloc and free (memory.cpp) ---
  void* take(std::size_t bytes, std::size_t alignment, site at);
  bool give_back(void* block, site at);
  std::size_t usable_bytes(const void* block);

  // --- Library calls (calls.cpp, memory.cpp) ---
  void enter(checks::collective kind, const char* name, std::uint64_t first, std::uint64_t second,
             site at) override;
  void synced() override;
  void store_sync_begins() override;
  void stores_arrived() override;
  void release(std::uint64_t bits) override;
  void acquire(std::uint64_t bits) override;
  void atomic_calls(unsigned processor) override;
  void atomic_begins() override;
  void atomic_ends() override;
  void atomic_has_ended(unsigned processor) override;
  std::size_t padded(std::size_t blocks, std::size_t block_bytes) override;
  void spread_taken(std::uint64_t bits, std::size_t blocks, std::size_t block_bytes,
                    bool is_variable, site at) override;
  void spread_given_back(std::uint64_t bits, site at) override;
  void automatic_taken(std::uint64_t bits, std::size_t blocks, std::size_t block_bytes,
                       site at) override;
  void automatic_ended(site at) override;
  void end();  // all have come to the end: what was never freed

  // --- Messages from others (messages.cpp) ---
  using times = std::vector<std::uint32_t>;  // [processor][component]
  void receive(unsigned from, const std::byte* data, std::size_t bytes);
  void join(std::uint64_t key, const std::uint32_t* clocks);
  const times& kept_at(std::uint64_t key);
  void learn(const std::uint32_t* clocks) noexcept;
  void answered() noexcept { --in_flight_; }
  std::vector<std::byte> batch_for(unsigned processor, std::uint64_t& batches);
  void wait_for_batches(unsigned from, std::uint64_t batches) noexcept { due_[from] = batches; }

 private:
  struct participant;  // of a collective

  component part_of(unsigned how) const noexcept;
  void synchronises(std::uint64_t bits, unsigned how);
  void acquire_read() {
    if (read_before_ != 0 && !in_atomic_) [[unlikely]]
      acquire(std::exchange(read_before_, 0));
  }
  void check_object(std::uint64_t address, std::uint64_t bytes, unsigned processor, unsigned by,
                    bool writes, site at) const;
  void remember(unsigned by, const record& r, known_times known);
  void report_race(const race& r) const;
  [[noreturn]] void report_wild(std::uint64_t bits, std::uint64_t bytes, bool writes, site at);

  void tick(component part);
  times published() const;
  void append(unsigned processor, const record& r);
  void send(unsigned processor);
  void send_all();
  void flush();
  void deposit(unsigned processor, std::uint64_t key);
  void fetch(unsigned processor, std::uint64_t key);
  void wait_for_answers();

  void compare(const std::vector<participant>& all, const char* name) const;
  void learn_from(checks::collective kind, const std::vector<std::uint64_t>& gathered);
  object spread_object(object_kind kind, std::uint64_t bits, std::size_t blocks,
                       std::size_t block_bytes, site at);
  void free_block(object& o, site at);
  void trim_quarantine(std::uint64_t bytes_max);
  void free_returned();

  const unsigned me_, processors_;
  const site end_site_;
  const heap_below heap_;
  bool is_open_ = true;
  bool in_atomic_ = false;
  shadow shadow_;
  object_table objects_;
  site_numbers sites_;

  std::uint32_t now_[kComponents] = {1, 1, 1, 1};
  access own_now_;  // kMain, at now_[kMain]
  times known_;
  times landed_;  // what came with stores to this processor
  std::map<std::uint64_t, times> kept_;  // by address of a lock, an atomic or volatile word
  std::set<unsigned> atomic_on_;  // atomic functions end there by sync()

  std::vector<std::vector<record>> outbox_;  // by processor
  std::vector<std::uint64_t> sent_, received_, due_;  // batches, by processor
  bool has_stores_ = false;  // in the outbox
  bool has_others_ = false;  // sent, or in the outbox, and not known to be received
  std::uint64_t in_flight_ = 0;  // requests without an answer

  std::deque<std::uint64_t> quarantine_;  // `from` of freed blocks
  std::uint64_t quarantine_bytes_ = 0;
  std::mutex returned_mutex_;
  std::vector<void*> returned_;  // freed by other threads; under the mutex
  // A volatile word of this processor that it has read since, as a global pointer; 0: none.
  std::uint64_t read_before_ = 0;
  std::uint64_t spin_address_ = 0;
  unsigned spins_ = 0;
};

// Of a process whose program is checked; else null. Lives as long as the process.
inline constinit checker* the_checker = nullptr;
inline checker* current() noexcept { return the_checker; }

// Begins to check this process, if one of its units wants it.
void open(site end_of_program, const heap_below& heap);
bool is_wanted() noexcept;

}  // namespace ramjet::splitc::check
