// SPDX-License-Identifier: Apache-2.0
// The registry of regions. A layer whose ranks share memory within a node says so by a static
// region object: its name, and its size for a number of ranks and endpoints. All registered regions
// together are the lower part of the node's memory object (geometry.hpp); the node knows nothing of
// what is in them. A program has the regions of the parts of the library that it uses.
//
// A region begins on a page, is zeroed when a job starts, and takes memory for the pages that are
// written. What is in it comes from other processes: its layer checks what it reads.
//
// Threads: registered before main; bound and released by the thread that joins and leaves; read by
// any in between.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ramjet::node {

struct geometry;

inline constexpr std::size_t kPageBytes = 4096;
constexpr std::uint64_t page_up(std::uint64_t bytes) {
  return (bytes + kPageBytes - 1) & ~std::uint64_t{kPageBytes - 1};
}

// What the size of a region depends on.
struct shape {
  unsigned ranks = 0;  // of the job
  unsigned endpoints = 0;  // of each rank

  constexpr unsigned ports() const noexcept { return ranks * endpoints; }
};

// What a layer does when the node's object is mapped, and before it is unmapped. All regions are
// bound when the first of these runs; this rank is in the job, and may be its first.
struct region_hooks {
  void (*bound)(const shape&) = nullptr;
  void (*released)() = nullptr;
};

class region {
 public:
  // `name`: "layer.what", unique, shorter than kRegionNameBytes. `bytes` is a pure function, the
  // same in all processes of a job.
  region(const char* name, std::uint64_t (*bytes)(const shape&), region_hooks hooks = {}) noexcept;
  region(const region&) = delete;
  region& operator=(const region&) = delete;

  const char* name() const noexcept { return name_; }
  std::uint64_t bytes_for(const shape& s) const { return bytes_(s); }

  // The region here, as an array of what its layer keeps there; nullptr outside a job. A layer
  // resolves it where an endpoint opens, not for each message.
  template <class T>
  T* as() const noexcept {
    static_assert(alignof(T) <= kPageBytes);
    return reinterpret_cast<T*>(memory_);
  }

 private:
  friend void bind_regions(const geometry& layout, std::byte* object);
  friend void release_regions() noexcept;
  friend std::vector<region*> registered_regions();

  const char* const name_;
  std::uint64_t (*const bytes_)(const shape&);
  const region_hooks hooks_;
  region* const next_;
  std::byte* memory_ = nullptr;  // while this process is in a job
};

// All of this program: the ports first, then by name. Ends the process if two have one name.
std::vector<region*> registered_regions();

// The ports of the job (port_line.hpp), the region of the node itself. Ranks sleep on these.
extern region ports;

}  // namespace ramjet::node
