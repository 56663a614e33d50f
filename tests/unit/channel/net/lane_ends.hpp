// SPDX-License-Identifier: Apache-2.0
// Both ends of a lane as an engine uses them, but at random: what is sent, how long it is, which
// requests are answered and how, when credit is returned. Each end knows what the other must see
// and says so if it is anything else. (include/ramjet/detail/am/engine.hpp is what they imitate.)
#pragma once

#include <sys/mman.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <random>
#include <stdexcept>
#include <vector>

#include "ramjet/detail/lane/layout.hpp"

namespace net_test {

namespace detail = ramjet::detail;
using detail::kLineWords;
using detail::record_state;
using detail::word;

// What an end found that cannot be.
struct contradiction : std::runtime_error {
  using std::runtime_error::runtime_error;
};
inline void must(bool holds, const char* what) {
  if (!holds) throw contradiction(what);
}

// Zeroed memory with a page on either side that nobody may touch; it ends where the upper one
// begins.
class guarded {
 public:
  explicit guarded(std::size_t bytes) : bytes_(bytes), whole_((bytes + 4095) / 4096 * 4096 + 8192) {
    void* got =
        mmap(nullptr, whole_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) throw std::bad_alloc();
    base_ = static_cast<std::byte*>(got);
    if (mprotect(base_ + 4096, whole_ - 8192, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  }
  guarded(const guarded&) = delete;
  guarded& operator=(const guarded&) = delete;
  ~guarded() { munmap(base_, whole_); }

  std::byte* get() const { return base_ + whole_ - 4096 - bytes_; }

 private:
  std::size_t bytes_, whole_;
  std::byte* base_;
};

// The memory of one lane, each part by itself.
class lane_memory {
 public:
  lane_memory(std::uint64_t ring_words, std::uint64_t payload_bytes)
      : records_(ring_words * sizeof(word)),
        requests_(payload_bytes),
        replies_(payload_bytes),
        credit_(sizeof(detail::credit_line)),
        consumed_(sizeof(detail::consumed_line)) {
    lane_.records = reinterpret_cast<word*>(records_.get());
    lane_.request_payload = requests_.get();
    lane_.reply_payload = replies_.get();
    lane_.credit = reinterpret_cast<detail::credit_line*>(credit_.get());
    lane_.consumed = reinterpret_cast<detail::consumed_line*>(consumed_.get());
    lane_.bell = &bell_;
    lane_.receiver = &port_;
  }

  const detail::lane& get() const { return lane_; }

 private:
  guarded records_, requests_, replies_, credit_, consumed_;
  std::atomic<std::uint8_t> bell_{0};
  detail::port_line port_{};
  detail::lane lane_;
};

struct ring_shape {
  std::uint64_t words, payload_bytes;

  unsigned shift() const { return unsigned(std::countr_zero(words)); }
  word* at(const detail::lane& l, std::uint64_t position) const {
    return l.records + (position & (words - 1));
  }
};

inline std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  return x ^ x >> 27;
}
inline void fill(std::byte* to, std::size_t bytes, std::uint64_t seed) {
  for (std::size_t i = 0; i < bytes; ++i) to[i] = std::byte(mixed(seed + i / 8) >> i % 8 * 8);
}
inline bool is_filled(const std::byte* from, std::size_t bytes, std::uint64_t seed) {
  for (std::size_t i = 0; i < bytes; ++i)
    if (from[i] != std::byte(mixed(seed + i / 8) >> i % 8 * 8)) return false;
  return true;
}

// The region at the tail of a payload ring, or at its start if it does not fit before the end.
inline std::uint64_t region_start(std::uint64_t tail, std::size_t bytes, std::uint64_t ring) {
  const std::uint64_t offset = tail & (ring - 1);
  return offset + bytes > ring ? tail + (ring - offset) : tail;
}

inline std::uint64_t word_of(const word* w) {
  std::uint64_t value;
  std::memcpy(&value, static_cast<const void*>(w), sizeof value);
  return value;
}
inline void put_word(word* w, std::uint64_t value) {
  std::memcpy(static_cast<void*>(w), &value, sizeof value);
}

// Whether a request gets an answer is the receiver's choice; what is in it follows from its number.
enum class reaction { none, in_place, extended };

class sender {
 public:
  sender(const detail::lane& lane, ring_shape shape, std::uint64_t start, std::uint64_t seed)
      : lane_(lane), shape_(shape), random_(seed), tail_(start), answered_(start) {}

  // Sends one more request if there is room.
  bool send() {
    const unsigned words = 2 * unsigned(1 + random_() % 4);
    const std::size_t region = random_() % 4 == 0 ? region_bytes() : 0;
    while (tail_ + words > line_end_)
      if (!open_line()) return false;
    const std::uint64_t start = region_start(payload_tail_, region, shape_.payload_bytes);
    if (region != 0 && start + region - payload_freed_ > shape_.payload_bytes) return false;
    word* w = shape_.at(lane_, tail_);
    std::uint64_t header = detail::make_header(detail::lap_at(tail_, shape_.shift()),
                                               record_state::request, words, 7, 0);
    put_word(w + 1, number_);
    for (unsigned i = 2; i < words; ++i) put_word(w + i, mixed(number_ + i));
    if (region != 0) {
      header |= detail::kExtended;
      const std::uint64_t offset = start & (shape_.payload_bytes - 1);
      fill(lane_.request_payload + offset, region, number_);
      put_word(w + 1, detail::descriptor{offset, region}.packed());
      payload_tail_ = start + (region + 63) / 64 * 64;
    }
    w->store(header, std::memory_order_release);
    open_.push_back({tail_, number_++, region != 0 ? payload_tail_ : 0});
    tail_ += words;
    return true;
  }

  // Takes what has come back; how many requests are done with.
  unsigned take() {
    unsigned done = 0;
    while (answered_ != tail_) {
      std::uint64_t at = answered_;
      std::uint64_t h = shape_.at(lane_, at)->load(std::memory_order_acquire);
      if (detail::state_of(h) == record_state::pad && at + detail::words_of(h) != tail_) {
        const std::uint64_t next = at + detail::words_of(h);
        const std::uint64_t after = shape_.at(lane_, next)->load(std::memory_order_acquire);
        if (detail::state_of(after) == record_state::reply) {
          at = next;
          h = after;
        }
      }
      if (detail::state_of(h) == record_state::reply) {
        take_answer(at, h);
        answered_ = at + detail::words_of(h);
      } else if (!take_credit()) {
        break;
      }
      done += forget_until(answered_);
    }
    return done;
  }

  std::uint64_t sent() const { return number_; }
  bool all_done() const { return answered_ == tail_; }
  std::uint64_t answers() const { return answers_; }

 private:
  struct open_request {
    std::uint64_t position, number;
    std::uint64_t payload_end;  // 0: none
  };

  std::size_t region_bytes() {
    const std::uint64_t dice = random_();
    if (dice % 16 == 0) return 1 + std::size_t(dice >> 8) % detail::kRegionBytesMax;
    return 1 + std::size_t(dice >> 8) % (dice % 4 == 0 ? 6000 : 600);
  }

  bool open_line() {
    const std::uint64_t start = (tail_ + kLineWords - 1) & ~std::uint64_t{kLineWords - 1};
    if (start + kLineWords > answered_ + shape_.words) return false;
    if (tail_ != start)
      shape_.at(lane_, tail_)
          ->store(detail::make_header(detail::lap_at(tail_, shape_.shift()), record_state::pad,
                                      unsigned(start - tail_), 0, 0),
                  std::memory_order_release);
    for (unsigned granule = 2; granule < kLineWords; granule += 2)
      shape_.at(lane_, start)[granule].store(0, std::memory_order_relaxed);
    tail_ = start;
    line_end_ = start + kLineWords;
    return true;
  }

  void take_answer(std::uint64_t at, std::uint64_t h) {
    const word* w = shape_.at(lane_, at);
    forget_until(at);
    must(!open_.empty() && open_.front().position == at, "an answer where no request stands");
    const std::uint64_t number = open_.front().number;
    ++answers_;
    if ((h & detail::kExtended) == 0) {
      must(word_of(w + 1) == ~number, "an answer to another request");
      return;
    }
    const auto r = detail::descriptor::of(word_of(w + 1));
    must(is_filled(lane_.reply_payload + r.offset, r.bytes, ~number),
         "an answer's payload differs");
    const std::uint64_t gap = (r.offset - consumed_) & (shape_.payload_bytes - 1);
    consumed_ += gap + (r.bytes + 63) / 64 * 64;
    lane_.consumed->reply_bytes.store(consumed_, std::memory_order_release);
  }

  bool take_credit() {
    const std::uint64_t freed = lane_.credit->freed.load(std::memory_order_acquire);
    const auto head = std::uint32_t(freed), clean = std::uint32_t(freed >> 32);
    const auto at = std::uint32_t(answered_);
    if (std::int32_t(head - at) <= 0) return false;
    std::uint64_t step = head - at;
    if (std::int32_t(at - clean) < 0) {
      const std::uint64_t h = shape_.at(lane_, answered_)->load(std::memory_order_acquire);
      if (detail::state_of(h) == record_state::reply) return true;
      step = detail::words_of(h);
    }
    must(step <= tail_ - answered_ && step % 2 == 0, "credit for what was never sent");
    answered_ += step;
    return true;
  }

  unsigned forget_until(std::uint64_t position) {
    unsigned count = 0;
    for (; !open_.empty() && open_.front().position < position; ++count) {
      if (open_.front().payload_end != 0) payload_freed_ = open_.front().payload_end;
      open_.pop_front();
    }
    return count;
  }

  detail::lane lane_;
  ring_shape shape_;
  std::mt19937_64 random_;
  std::uint64_t tail_, answered_;
  std::uint64_t line_end_ = 0;
  std::deque<open_request> open_;
  std::uint64_t payload_tail_ = 0, payload_freed_ = 0;
  std::uint64_t consumed_ = 0;
  std::uint64_t number_ = 0;
  std::uint64_t answers_ = 0;
};

class receiver {
 public:
  receiver(const detail::lane& lane, ring_shape shape, std::uint64_t start, std::uint64_t seed)
      : lane_(lane), shape_(shape), random_(seed), head_(start), clean_(start), published_(start) {}

  // Takes up to `most` requests; how many.
  unsigned take(unsigned most) {
    unsigned taken = 0;
    while (taken < most) {
      word* w = shape_.at(lane_, head_);
      const std::uint64_t h = w->load(std::memory_order_acquire);
      if (detail::lap_of(h) != detail::lap_at(head_, shape_.shift())) break;
      if (detail::state_of(h) == record_state::pad) {
        if (!owes()) clean_ = head_ + detail::words_of(h);
        head_ += detail::words_of(h);
        continue;
      }
      must(detail::state_of(h) == record_state::request, "a record of no known kind");
      const reaction how = reaction(random_() % 3);
      const std::size_t bytes = 1 + random_() % (random_() % 16 == 0 ? 60'000 : 5'000);
      if (how == reaction::extended && !reply_fits(bytes)) break;
      check(w, h);
      react(w, h, how, bytes);
      head_ += detail::words_of(h);
      ++taken;
      if (random_() % 64 == 0) publish();
    }
    return taken;
  }
  // Returns all credit.
  void publish() {
    if (!owes()) return;
    published_ = head_;
    lane_.credit->freed.store(clean_ << 32 | std::uint32_t(head_), std::memory_order_release);
  }

  std::uint64_t received() const { return number_; }
  std::uint64_t answers() const { return answers_; }

 private:
  bool owes() const { return published_ != head_ && clean_ != head_; }

  void check(const word* w, std::uint64_t h) {
    const unsigned words = detail::words_of(h);
    for (unsigned i = 2; i < words; ++i)
      must(word_of(w + i) == mixed(number_ + i), "a request's words differ");
    if ((h & detail::kExtended) == 0) {
      must(word_of(w + 1) == number_, "a request is not the next one");
    } else {
      const auto r = detail::descriptor::of(word_of(w + 1));
      must(is_filled(lane_.request_payload + r.offset, r.bytes, number_),
           "a request's payload differs");
    }
  }

  void react(word* w, std::uint64_t h, reaction how, std::size_t bytes) {
    const std::uint64_t number = number_++;
    if (how == reaction::none) return;
    publish();
    std::uint64_t answer = detail::make_answer(h, 9, 0);
    if (how == reaction::in_place) {
      put_word(w + 1, ~number);
    } else {
      const std::uint64_t start = region_start(reply_tail_, bytes, shape_.payload_bytes);
      const std::uint64_t offset = start & (shape_.payload_bytes - 1);
      fill(lane_.reply_payload + offset, bytes, ~number);
      put_word(w + 1, detail::descriptor{offset, bytes}.packed());
      reply_tail_ = start + (bytes + 63) / 64 * 64;
      answer |= detail::kExtended;
    }
    clean_ = head_ + detail::words_of(h);
    w->store(answer, std::memory_order_release);
    ++answers_;
  }

  bool reply_fits(std::size_t bytes) const {
    const std::uint64_t freed = lane_.consumed->reply_bytes.load(std::memory_order_acquire);
    must(freed <= reply_tail_, "replies were consumed that were never sent");
    return region_start(reply_tail_, bytes, shape_.payload_bytes) + bytes - freed <=
           shape_.payload_bytes;
  }

  detail::lane lane_;
  ring_shape shape_;
  std::mt19937_64 random_;
  std::uint64_t head_, clean_, published_;
  std::uint64_t reply_tail_ = 0;
  std::uint64_t number_ = 0;
  std::uint64_t answers_ = 0;
};

}  // namespace net_test
