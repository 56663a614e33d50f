// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/check/shadow.hpp"

#include <sys/mman.h>

#include <algorithm>

#include "ramjet/detail/base/check.hpp"

namespace ramjet::splitc::check {

namespace {

constexpr std::uint64_t kWordBytes = 4;

// The bytes of a word that lie in [from, to), relative to the word's begin.
unsigned bytes_in(std::uint64_t word, std::uint64_t from, std::uint64_t to) noexcept {
  const std::uint64_t begin = word * kWordBytes;
  const std::uint64_t low = from > begin ? from - begin : 0;
  const std::uint64_t high = std::min(to - begin, kWordBytes);
  return ((1u << high) - 1) & ~((1u << low) - 1);
}

bool is_over(const access& before, known_times known) noexcept {
  return before.clock() <= known[before.processor() * kComponents + before.part()];
}
// One's own accesses come in order, but for what is on its way.
bool is_before(const access& before, const access& now, known_times known) noexcept {
  if (before.processor() == now.processor() && before.part() == kMain) return true;
  return is_over(before, known);
}
// A processor may mix its own puts and stores; but not use what its gets are about to write.
bool may_follow(const access& before, const access& now, known_times known) noexcept {
  if (before.processor() != now.processor()) return is_over(before, known);
  return before.part() != kLanding || now.part() != kMain || is_over(before, known);
}

}  // namespace

void shadow::open(std::uint64_t begin, std::uint64_t bytes) {
  void* const memory = ::mmap(nullptr, bytes / kWordBytes * sizeof(cell), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  RAMJET_CHECK(memory != MAP_FAILED,
               "no address space for the race detector: it needs four times the segment; ask for "
               "smaller ones (RAMJET_SEGMENT_BYTES)");
  begin_ = begin;
  cells_ = static_cast<cell*>(memory);
}

bool shadow::has(std::uint64_t address, std::uint64_t bytes, bool writes, access a) const noexcept {
  const std::uint64_t from = address - begin_, to = from + bytes;
  for (std::uint64_t word = from / kWordBytes; word * kWordBytes < to; ++word) {
    const access wanted = a.on(bytes_in(word, from, to));
    const cell& c = cells_[word];
    if (!c.write.says(wanted) && (writes || !c.read.says(wanted))) return false;
  }
  return true;
}

void shadow::record(std::uint64_t address, std::uint64_t bytes, bool writes, access a,
                    known_times known, const race_report& found) {
  const std::uint64_t from = address - begin_, to = from + bytes;
  for (std::uint64_t word = from / kWordBytes; word * kWordBytes < to; ++word)
    record_word(word, writes, a.on(bytes_in(word, from, to)), known, found);
}

void shadow::record_word(std::uint64_t word, bool writes, access a, known_times known,
                         const race_report& found) {
  // Whether `s` says nothing more than `a` does.
  const auto look_at = [&](const access& s, bool s_writes) {
    if ((s.bytes() & a.bytes()) != 0 && (s_writes || writes) && !may_follow(s, a, known))
      found({begin_ + word * kWordBytes, s, a, s_writes, writes});
    return (s.bytes() & ~a.bytes()) == 0 && (writes || !s_writes) && is_before(s, a, known);
  };
  cell& c = cells_[word];
  if (c.write && look_at(c.write, true)) c.write = {};
  if (c.read && look_at(c.read, false)) c.read = {};
  const auto more = more_.empty() ? more_.end() : more_.find(word);
  if (more != more_.end()) {
    std::erase_if(more->second, [&](const kept& k) { return look_at(k.what, k.writes); });
    if (more->second.empty()) more_.erase(more);
  }
  access& slot = writes ? c.write : c.read;
  if (!slot || slot.is_like(a))
    slot = slot ? a.on(a.bytes() | slot.bytes()) : a;
  else
    more_[word].push_back({a, writes});
}

unsigned site_numbers::number_of(site at) {
  recent& r = recent_[reinterpret_cast<std::uintptr_t>(at) / 4 % std::size(recent_)];
  if (r.at == at) return r.number;
  auto found = numbers_.find(at);
  if (found == numbers_.end()) found = numbers_.emplace(at, new_number(at)).first;
  r = {at, found->second};
  return found->second;
}

unsigned site_numbers::new_number(site at) {
  constexpr std::size_t kNumbers = 1 << 20;
  if (sites_.size() == kNumbers) return 0;
  const auto number = unsigned(sites_.size());
  const std::string line = line_of(at);
  if (!line.empty())
    if (const auto [known, is_new] = lines_.emplace(line, number); !is_new) return known->second;
  sites_.push_back(at);
  return number;
}

}  // namespace ramjet::splitc::check
