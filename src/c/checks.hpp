// SPDX-License-Identifier: Apache-2.0
// The library's calls as the checked mode of Split-C programs (splitcc -fcheck,
// languages/splitc/check) observes them. Null in all other programs; set once, before the program
// runs.
//
// Threads: the main thread; calls of others are not reported.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace ramjet::checks {

// What a collective call tells its processors of each other.
enum class collective : std::uint32_t {
  barrier,
  all_store_sync,
  end,  // of splitc_main
  spread_malloc,
  spread_free,
  reduce_to_one,
  reduce_to_all,
  scan,
  broadcast,
  gather,
  concat,
};

class observer {
 public:
  // Before the call: all processors make it, with these arguments, or the job ends. `name`: of
  // the function, with splitc_ before it, or what else the messages call it.
  virtual void enter(collective kind, const char* name, std::uint64_t first, std::uint64_t second,
                     const void* site) = 0;
  virtual void synced() = 0;  // gets and puts are complete
  virtual void store_sync_begins() = 0;
  virtual void stores_arrived() = 0;
  // What this processor did before is known to whoever acquires the same address after.
  virtual void release(std::uint64_t bits) = 0;
  virtual void acquire(std::uint64_t bits) = 0;
  // An atomic function runs on a processor, which both its computation and the caller know of.
  virtual void atomic_calls(unsigned processor) = 0;
  virtual void atomic_begins() = 0;
  virtual void atomic_ends() = 0;
  virtual void atomic_has_ended(unsigned processor) = 0;

  // How many blocks are taken where `blocks` are asked for: some behind the last are nobody's.
  virtual std::size_t padded(std::size_t blocks, std::size_t block_bytes) = 0;
  virtual void spread_taken(std::uint64_t bits, std::size_t blocks, std::size_t block_bytes,
                            bool is_variable, const void* site) = 0;
  virtual void spread_given_back(std::uint64_t bits, const void* site) = 0;
  virtual void automatic_taken(std::uint64_t bits, std::size_t blocks, std::size_t block_bytes,
                               const void* site) = 0;
  virtual void automatic_ended(const void* site) = 0;

 protected:
  ~observer() = default;
};

inline constinit observer* active = nullptr;
// The thread that is checked: the one that runs splitc_main.
inline constinit thread_local bool is_checked_thread = false;

// Where the program makes the library call that comes next, if that is not what calls the library.
inline constinit const void* next_site = nullptr;

inline observer* now() noexcept {
  return active != nullptr && is_checked_thread ? active : nullptr;
}
inline const void* site_of(const void* returns_to) noexcept {
  const void* const given = std::exchange(next_site, nullptr);
  return given != nullptr ? given : returns_to;
}

}  // namespace ramjet::checks
