// SPDX-License-Identifier: Apache-2.0
// Segments: the same addresses in every rank, memory from them, and long messages into them.
#include <sys/mman.h>

#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "spmd.hpp"

namespace {
using word = std::uint64_t;
}

SPMD_CASE(segments, lie_at_the_same_address_in_every_rank) {
  const std::size_t bytes = ramjet::segment_bytes();
  EXPECT(bytes >= 1 << 20);
  std::byte* first = ramjet::segment_begin(0);
  std::byte* of_rank_0 = first;
  EXPECT_OK(ramjet::broadcast(of_rank_0));
  EXPECT(of_rank_0 == first);
  for (int r = 0; r < spmd::size(); ++r) {
    std::byte* begin = ramjet::segment_begin(r);
    EXPECT(begin == first + std::size_t(r) * bytes);
    EXPECT_EQUAL(ramjet::segment_owner(begin), r);
    EXPECT_EQUAL(ramjet::segment_owner(begin + bytes - 1), r);
  }
  EXPECT_EQUAL(ramjet::segment_owner(first - 1), -1);
  EXPECT_EQUAL(ramjet::segment_owner(first + std::size_t(spmd::size()) * bytes), -1);
  EXPECT_EQUAL(ramjet::segment_owner(nullptr), -1);
  int on_stack = 0;
  EXPECT_EQUAL(ramjet::segment_owner(&on_stack), -1);
}

// A random history of allocations: inside, aligned, disjoint, and given back.
SPMD_CASE(segments, allocations_do_not_overlap) {
  spmd::random random(spmd::given.seed + unsigned(spmd::rank()));
  std::map<std::byte*, std::pair<std::size_t, word>> live;
  const auto steps = spmd::scaled(3000, 100);
  for (word i = 0; i < steps; ++i) {
    if (live.size() < 50 && random.below(3) != 0) {
      const std::size_t bytes = random.below(10) == 0 ? random.below(100'000) : random.below(300);
      const std::size_t alignment = std::size_t{1} << random.below(13);
      auto* at = static_cast<std::byte*>(ramjet::segment_allocate(bytes, alignment));
      EXPECT(at != nullptr);
      EXPECT_EQUAL(reinterpret_cast<std::uintptr_t>(at) % alignment, 0u);
      EXPECT(at >= ramjet::segment_begin(spmd::rank()));
      EXPECT(at + bytes <= ramjet::segment_begin(spmd::rank()) + ramjet::segment_bytes());
      EXPECT(!live.contains(at));
      spmd::fill(at, bytes, i);
      live[at] = {bytes, i};
    } else if (!live.empty()) {
      auto victim = live.begin();
      std::advance(victim, random.below(live.size()));
      const auto [bytes, key] = victim->second;
      EXPECT_EQUAL(spmd::first_wrong(victim->first, bytes, key), bytes);
      ramjet::segment_free(victim->first);
      live.erase(victim);
    }
  }
  for (const auto& [at, what] : live) {
    EXPECT_EQUAL(spmd::first_wrong(at, what.first, what.second), what.first);
    ramjet::segment_free(at);
  }
  ramjet::segment_free(nullptr);
}

SPMD_CASE(segments, exhaustion_is_a_null_pointer_and_ends_with_a_free) {
  EXPECT(ramjet::segment_allocate(ramjet::segment_bytes()) == nullptr);
  EXPECT(ramjet::segment_allocate(~std::size_t{0}) == nullptr);
  // Another case may have made the upper half the symmetric heap's.
  std::size_t bytes = ramjet::segment_bytes() / 2;
  std::vector<void*> held = {ramjet::segment_allocate(bytes)};  // address space: no page is touched
  if (held[0] == nullptr) held[0] = ramjet::segment_allocate(bytes /= 2);
  EXPECT(held[0] != nullptr);
  while (void* const next = ramjet::segment_allocate(bytes)) held.push_back(next);
  EXPECT(held.size() < 4);
  ramjet::segment_free(held.back());
  held.back() = ramjet::segment_allocate(bytes);
  EXPECT(held.back() != nullptr);
  EXPECT(ramjet::segment_allocate(bytes) == nullptr);
  for (void* const memory : held) ramjet::segment_free(memory);
}

SPMD_CASE(segments, arrays_are_initialised) {
  for (int i = 0; i < 3; ++i) {
    std::span<word> a = ramjet::segment_array<word>(1000);
    EXPECT_EQUAL(a.size(), 1000u);
    for (word& w : a) {
      EXPECT_EQUAL(w, 0u);
      w = ~word{0};
    }
    ramjet::segment_free(a.data());
  }
}

namespace {
std::byte* window;  // the right neighbour's
bool window_known;
void on_window(ramjet::segment_ptr<std::byte> at) {
  window = at;
  window_known = true;
}
unsigned deposits;
void on_deposit(ramjet::request_token t, word key, std::size_t count, ramjet::deposit d) {
  EXPECT(t.rank() == (spmd::rank() + spmd::size() - 1) % spmd::size());
  EXPECT_EQUAL(d.size(), count);
  EXPECT(ramjet::segment_owner(d.data()) == spmd::rank());
  EXPECT_EQUAL(spmd::first_wrong(d.data(), d.size(), key), count);
  ++deposits;
}
void on_deposit_without_token(ramjet::deposit d) {
  EXPECT_EQUAL(d.count, 16u);
  EXPECT(d.as<word>().size() == 2 && d.as<word>()[1] == 11);
  ++deposits;
}
}  // namespace

// The bytes are in place before the handler runs, and stay.
SPMD_CASE(segments, long_messages) {
  constexpr std::size_t kWindow = 4 << 20;
  const int left = (spmd::rank() + spmd::size() - 1) % spmd::size();
  auto* mine = static_cast<std::byte*>(ramjet::segment_allocate(kWindow));
  EXPECT(mine != nullptr);
  EXPECT_OK(ramjet::request<on_window>(left, mine));
  EXPECT_OK(ramjet::wait_until([] { return window_known; }));
  spmd::random random(spmd::given.seed + unsigned(spmd::rank()));
  std::vector<std::byte> data(kWindow);
  unsigned sent = 0;
  std::size_t at = 0;
  const std::size_t most = spmd::size() > 8 ? 10'000 : 400'000;
  for (std::size_t count : {0u, 1u, 63u, 64u, 65u, 4096u, 70'001u}) {
    spmd::fill(data.data(), count, sent);
    EXPECT_OK(ramjet::request_long<on_deposit>(spmd::right(), window + at, data.data(), count, sent,
                                               count));
    at += count;
    ++sent;
  }
  for (;; ++sent) {
    const std::size_t count = random.below(most);
    if (at + count > kWindow - 16) break;
    spmd::fill(data.data(), count, sent);
    EXPECT_OK(ramjet::request_long<on_deposit>(spmd::right(), window + at, data.data(), count, sent,
                                               count));
    at += count;
  }
  const word two[2] = {10, 11};
  auto* aligned = window + (kWindow - 16);
  EXPECT_OK(ramjet::request_long<on_deposit_without_token>(spmd::right(), aligned, two, 16));
  EXPECT_OK(ramjet::quiesce());
  unsigned received = deposits;
  EXPECT_OK(ramjet::all_reduce(received, [](unsigned a, unsigned b) { return a + b; }));
  unsigned all_sent = sent + 1;
  EXPECT_OK(ramjet::all_reduce(all_sent, [](unsigned a, unsigned b) { return a + b; }));
  EXPECT_EQUAL(received, all_sent);
  EXPECT(std::memcmp(mine + (kWindow - 16), two, 16) == 0);
  EXPECT_OK(ramjet::barrier());
  ramjet::segment_free(mine);
}

namespace {

// Whether MADV_DONTDUMP does something: an emulator answers 0 to it, and leaves dumps to itself.
bool dumps_take_advice() {
  constexpr std::size_t kPage = 4096;
  void* page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT(page != MAP_FAILED && madvise(page, kPage, MADV_DONTDUMP) == 0);
  const auto at = reinterpret_cast<std::uintptr_t>(page);
  bool is_it = false, is_left_out = false;
  std::ifstream maps("/proc/self/smaps");
  for (std::string line; std::getline(maps, line);) {
    if (const std::size_t end = line.find('-'); end < line.find(' '))
      is_it = std::stoull(line, nullptr, 16) <= at &&
              at < std::stoull(line.substr(end + 1), nullptr, 16);
    if (is_it && line.starts_with("VmFlags:")) is_left_out = line.find(" dd") != std::string::npos;
  }
  munmap(page, kPage);
  return is_left_out;
}

}  // namespace

// What a core dump has of shared memory is what this process may have touched, not what it maps.
SPMD_CASE(segments, core_dumps_are_small) {
  if (!dumps_take_advice()) return spmd::skip("advice about core dumps does nothing here");
  std::size_t dumped = 0, left_out = 0, bytes = 0;
  bool is_shared = false;
  std::ifstream maps("/proc/self/smaps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (std::size_t end = first.find('-'); end != std::string::npos && first.back() != ':') {
      bytes = std::stoull(first.substr(end + 1), nullptr, 16) - std::stoull(first, nullptr, 16);
      is_shared = line.find("rw-s") != std::string::npos;
    } else if (first == "VmFlags:" && is_shared) {
      (line.find(" dd") != std::string::npos ? left_out : dumped) += bytes;
    }
  }
  EXPECT(maps.eof());
  EXPECT(dumped > 0);
  EXPECT(dumped < std::size_t{16} << 20);
  EXPECT(left_out > ramjet::segment_bytes());  // the own one, twice
}

// The memory of a neighbour on the same machine is reached by a plain pointer.
SPMD_CASE(segments, are_mapped_across) {
  std::span<word> mine = ramjet::segment_array<word>(100);
  for (word i = 0; i < 100; ++i) mine[i] = i * 1000 + unsigned(spmd::rank());
  std::vector<word*> all(std::size_t(spmd::size()));
  EXPECT_OK(ramjet::gather(mine.data(), all.data()));
  EXPECT_OK(ramjet::broadcast(std::span(all)));
  for (int r = 0; r < spmd::size(); ++r)
    for (word i = 0; i < 100 && ramjet::node_of(r) == ramjet::node_of(spmd::rank()); ++i)
      EXPECT_EQUAL(all[std::size_t(r)][i], i * 1000 + unsigned(r));
  EXPECT_OK(ramjet::barrier());
  ramjet::segment_free(mine.data());
}
