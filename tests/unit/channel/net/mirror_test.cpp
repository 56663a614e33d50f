// SPDX-License-Identifier: Apache-2.0
// A lane in two places, kept alike by frames that come in pieces: everything arrives once, in
// order, unchanged. And frames that cannot be: nothing outside the lane is touched.
#include "channel/net/mirror.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <memory>
#include <random>
#include <string>

#include "lane_ends.hpp"

namespace ramjet::channel {

// Lets a mirror begin at another position than 0.
struct mirror_inspector {
  static void begin(source_mirror& m, std::uint64_t position) { m.moved_ = position; }
  static void begin(target_mirror& m, std::uint64_t position) {
    m.moved_ = m.returned_ = position;
    m.freed_ = position << 32 | std::uint32_t(position);
  }
  // Breaks one of its equations.
  static void collect_late(source_mirror& m) { m.last_ = m.moved_ + 2; }
  static void return_too_much(target_mirror& m) { m.returned_ = m.moved_ + 2; }
  static void return_too_little(target_mirror& m) { m.moved_ = m.returned_ + 8192; }
  static void free_too_much(target_mirror& m) { m.freed_ = std::uint32_t(m.moved_ + 2); }
};

}  // namespace ramjet::channel

namespace {

using namespace ramjet::channel;
using namespace net_test;

std::uint64_t seed_of_this_run() {
  const char* given = std::getenv("RAMJET_TEST_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
  std::printf("RAMJET_TEST_SEED=%llu\n", static_cast<unsigned long long>(seed));
  return seed;
}

// Bytes on their way, of which it takes and gives as many as it likes.
class pipe final : public stream {
 public:
  pipe(std::mt19937_64& random, std::size_t capacity) : random_(random), capacity_(capacity) {}

  std::ptrdiff_t send(const piece& first, const piece& second) override {
    const std::size_t room = capacity_ - bytes_.size();
    std::size_t left = std::min(room, some());
    const std::size_t all = left;
    for (const piece& p : {first, second}) {
      const std::size_t n = std::min(left, p.count);
      bytes_.insert(bytes_.end(), p.bytes, p.bytes + n);
      left -= n;
    }
    return std::ptrdiff_t(all - left);
  }
  std::ptrdiff_t receive(std::byte* into, std::size_t most) override {
    const std::size_t n = std::min({most, bytes_.size(), some()});
    std::copy_n(bytes_.begin(), n, into);
    bytes_.erase(bytes_.begin(), bytes_.begin() + std::ptrdiff_t(n));
    return std::ptrdiff_t(n);
  }
  void finish() override {}
  bool empty() const { return bytes_.empty(); }

 private:
  std::size_t some() {
    const std::uint64_t dice = random_();
    return std::size_t(dice >> 8) % (dice % 4 == 0 ? 40 : 20'000);
  }

  std::mt19937_64& random_;
  std::size_t capacity_;
  std::deque<std::byte> bytes_;
};

// Takes frames out of a pipe, for one half.
class intake {
 public:
  template <class Apply>
  void take(pipe& from, Apply&& apply) {
    std::byte piece[3000];
    const std::ptrdiff_t got = from.receive(piece, sizeof piece);
    held_.insert(held_.end(), piece, piece + got);
    while (step(apply)) {
    }
  }

 private:
  template <class Apply>
  bool step(Apply& apply) {
    if (region_.bytes != 0) {
      const std::size_t n = std::min(region_.bytes, held_.size());
      std::copy_n(held_.begin(), n, region_.to);
      drop(n);
      region_.to += n;
      region_.bytes -= n;
      if (region_.bytes == 0) apply.commit();
      return n != 0;
    }
    frame_head head;
    if (held_.size() < sizeof head) return false;
    std::memcpy(&head, held_.data(), sizeof head);
    const bool run = frame_kind(head.kind) == frame_kind::records ||
                     frame_kind(head.kind) == frame_kind::answers;
    const std::size_t count = run ? head.words : 1;
    if (held_.size() < sizeof head + count * 8) return false;
    must(count <= kFrameWordsMax, "a frame is too long");
    const char* wrong = apply(head, frame_body(held_.data() + sizeof head), region_);
    drop(sizeof head + count * 8);
    must(wrong == nullptr, wrong != nullptr ? wrong : "");
    return true;
  }
  void drop(std::size_t n) { held_.erase(held_.begin(), held_.begin() + std::ptrdiff_t(n)); }

  std::vector<std::byte> held_;
  landing region_;
};

struct to_target {
  target_mirror& m;
  const char* operator()(const frame_head& head, const frame_body& words, landing& region) {
    switch (frame_kind(head.kind)) {
      case frame_kind::records:
        return m.apply_records(head, words, region);
      case frame_kind::consumed:
        return m.apply_consumed(words.word(0));
      default:
        return "a frame of another direction";
    }
  }
  void commit() { m.commit_region(); }
};

struct to_source {
  source_mirror& m;
  const char* operator()(const frame_head& head, const frame_body& words, landing& region) {
    switch (frame_kind(head.kind)) {
      case frame_kind::answers:
        return m.apply_answers(head, words, region);
      case frame_kind::credit:
        return m.apply_credit(words.word(0));
      default:
        return "a frame of another direction";
    }
  }
  void commit() { m.commit_region(); }
};

// A lane at its sender and at its receiver, and what is between them.
struct mirrored_lane {
  mirrored_lane(ring_shape s, std::uint64_t start, std::uint64_t seed)
      : random(seed),
        shape(s),
        here(s.words, s.payload_bytes),
        there(s.words, s.payload_bytes),
        source(here.get(), {s.words, s.payload_bytes}),
        target(there.get(), {s.words, s.payload_bytes}),
        forward(random, 100'000),
        back(random, 100'000),
        from(here.get(), s, start, seed + 1),
        to(there.get(), s, start, seed + 2) {
    mirror_inspector::begin(source, start);
    mirror_inspector::begin(target, start);
    const std::uint64_t freed = start << 32 | std::uint32_t(start);
    here.get().credit->freed.store(freed);
    there.get().credit->freed.store(freed);
  }

  // Something, by chance, moves.
  void step(std::uint64_t most_sent) {
    const std::uint64_t dice = random();
    if (dice & 1)
      for (unsigned i = unsigned(dice >> 8) % 64; i != 0 && from.sent() < most_sent; --i)
        if (!from.send()) break;
    if (dice & 2) flush(out_forward, forward, [&] { source.collect(out_forward); });
    if (dice & 4) in_target.take(forward, apply_target);
    if (dice & 8) to.take(unsigned(dice >> 16) % 40);
    if (dice & 16) flush(out_back, back, [&] { target.collect(out_back); });
    if (dice & 32) in_source.take(back, apply_source);
    if (dice & 64) from.take();
    if ((dice >> 32) % 50 == 0) to.publish();
    source.audit();
    target.audit();
  }

  template <class Collect>
  static void flush(outbox& box, pipe& into, Collect&& collect) {
    must(box.flush(into), "a pipe broke");
    if (box.empty()) collect();
  }

  bool quiet() const {
    return from.all_done() && forward.empty() && back.empty() && out_forward.empty() &&
           out_back.empty() && source.all_collected() && target.all_collected();
  }

  std::mt19937_64 random;
  ring_shape shape;
  lane_memory here, there;
  source_mirror source;
  target_mirror target;
  to_target apply_target{target};
  to_source apply_source{source};
  pipe forward, back;
  outbox out_forward, out_back;
  intake in_target, in_source;
  sender from;
  receiver to;
};

void expect_all_arrives(ring_shape shape, std::uint64_t start, std::uint64_t messages,
                        std::uint64_t seed) {
  SCOPED_TRACE("ring of " + std::to_string(shape.words) + " words from " + std::to_string(start));
  mirrored_lane lane(shape, start, seed);
  std::uint64_t idle = 0, before = 0;
  try {
    while (lane.from.sent() < messages || !lane.quiet()) {
      lane.step(messages);
      const std::uint64_t now = lane.from.sent() + lane.to.received() + lane.from.answers();
      idle = now == std::exchange(before, now) ? idle + 1 : 0;
      if (idle > 100'000) {
        lane.to.publish();
        if (idle > 200'000) FAIL() << "it stands still after " << lane.to.received();
      }
    }
  } catch (const contradiction& c) {
    FAIL() << c.what() << ", after " << lane.to.received() << " messages";
  }
  EXPECT_EQ(lane.to.received(), messages);
  EXPECT_EQ(lane.from.answers(), lane.to.answers());
  EXPECT_GT(lane.to.answers(), messages / 2);
}

constexpr std::uint64_t kPayload = 256 * 1024;

TEST(Mirror, EverythingArrivesOnceInOrderUnchanged) {
  const std::uint64_t seed = seed_of_this_run();
  for (const std::uint64_t words : {512u, 1024u, 4096u})
    expect_all_arrives({words, kPayload}, 0, 100'000, seed + words);
}

// Lanes count in 32 bits what they tell each other: nothing may happen where those turn over.
TEST(Mirror, PositionsGoBeyondThirtyTwoBits) {
  const std::uint64_t seed = seed_of_this_run();
  for (const std::uint64_t turns : {1u, 2u})
    for (const std::uint64_t before : {4096u, 40'960u, 204'800u})
      expect_all_arrives({4096, kPayload}, (turns << 32) - before, 60'000, seed + before);
}

// Where no request is answered `clean` stays where it was, while `head` goes round.
TEST(Mirror, CreditGoesOnWhereNothingIsAnswered) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 31;
  lane_memory memory(512, kPayload);
  source_mirror source(memory.get(), {512, kPayload});
  for (const std::uint64_t head : {kHalf - 8, kHalf, kHalf + 8, 2 * kHalf - 8, 2 * kHalf + 8}) {
    mirror_inspector::begin(source, head);
    EXPECT_EQ(source.apply_credit(std::uint32_t(head)), nullptr) << head;
    EXPECT_NE(source.apply_credit(std::uint32_t(head + 8)), nullptr) << head;
  }
}

TEST(MirrorDeathTest, AuditsFindWhatDoesNotHold) {
  lane_memory memory(512, kPayload);
  source_mirror source(memory.get(), {512, kPayload});
  target_mirror target(memory.get(), {512, kPayload});
  const auto dies = [](auto& mirror, auto&& change, const char* sentence) {
    EXPECT_DEATH(
        {
          change(mirror);
          mirror.audit();
        },
        sentence);
  };
  source.audit();
  target.audit();
  dies(source, mirror_inspector::collect_late, "what is collected ends at a granule");
  dies(target, mirror_inspector::return_too_much, "returned <= moved <= returned . ring");
  dies(target, mirror_inspector::return_too_little, "returned <= moved <= returned . ring");
  dies(target, mirror_inspector::free_too_much, "head <= moved");
}

// --- What cannot be ------------------------------------------------------------------------------

// A frame that is right, or would be but for a few bits.
struct forger {
  std::mt19937_64& random;
  ring_shape shape;

  std::uint64_t dice(std::uint64_t limit) { return random() % limit; }

  std::uint64_t header_at(std::uint64_t position, bool answers) {
    const auto usual = answers ? record_state::reply : record_state(dice(4) == 0 ? 3u : 1u);
    const auto state = dice(8) == 0 ? record_state(dice(4)) : usual;
    const unsigned words = answers && dice(4) != 0 ? 8 : 2 * unsigned(1 + dice(4));
    std::uint64_t h = detail::make_header(detail::lap_at(position, shape.shift()), state, words,
                                          unsigned(dice(1 << 16)), dice(1 << 16));
    if (dice(3) == 0) h |= detail::kExtended;
    if (dice(16) == 0) h ^= std::uint64_t{1} << dice(64);
    return h;
  }
  std::uint64_t descriptor_word() {
    static constexpr std::uint64_t kEdges[] = {0,
                                               1,
                                               64,
                                               detail::kRegionBytesMax,
                                               detail::kRegionBytesMax + 1,
                                               kPayload - 64,
                                               kPayload,
                                               0xffff'ffff};
    return dice(2) != 0 ? detail::descriptor{dice(kPayload), dice(5000)}.packed()
                        : detail::descriptor{kEdges[dice(8)], kEdges[dice(8)]}.packed();
  }
  frame_head forge(std::uint64_t position, bool answers, std::uint64_t* words) {
    frame_head head{};
    head.position = std::uint32_t(position);
    if (dice(8) == 0) head.position += std::uint32_t(random() >> dice(64));
    head.words = std::uint16_t(dice(4) == 0 ? dice(kFrameWordsMax + 1) : 2 * dice(8));
    for (std::uint64_t i = 0; i < head.words;) {
      const std::uint64_t h = header_at(position + i, answers);
      words[i] = h;
      const unsigned n = dice(32) == 0 ? 1 : detail::words_of(h);
      for (std::uint64_t k = i + 1; k < i + n && k < head.words; ++k) words[k] = random();
      if (i + 1 < head.words && (h & detail::kExtended) != 0) words[i + 1] = descriptor_word();
      if ((h & detail::kExtended) != 0 && dice(2) == 0) {
        head.words = std::uint16_t(std::min<std::uint64_t>(head.words, i + n));
        head.extended = 1;
      }
      i += n;
    }
    if (dice(16) == 0) head.extended ^= 1;
    return head;
  }
};

// What a region says is within the ring, and may be written as a stream would.
void land(const landing& region, const std::byte* ring, std::uint64_t fill_with) {
  if (region.to == nullptr) return;
  must(region.to >= ring && region.bytes <= kPayload && region.to + region.bytes <= ring + kPayload,
       "a region outside its ring");
  std::memset(region.to, int(fill_with & 0xff), region.bytes);
}

// The lanes stand between pages that nobody may touch, so a word outside ends the test.
TEST(Mirror, TakesNoFrameThatCannotBe) {
  std::mt19937_64 random(seed_of_this_run());
  const ring_shape shape{512, kPayload};
  lane_memory in(shape.words, kPayload), out(shape.words, kPayload);
  forger forge{random, shape};
  std::uint64_t refused = 0, taken = 0;
  std::vector<std::uint64_t> words(kFrameWordsMax);
  while (refused < 1'000'000) {
    target_mirror target(in.get(), {shape.words, kPayload});
    source_mirror source(out.get(), {shape.words, kPayload});
    const std::uint64_t position = ((1 + random() % 2) << 32) - 4096 + random() % 1024 * 8;
    mirror_inspector::begin(target, position);
    mirror_inspector::begin(source, position);
    std::uint64_t at = position;
    for (std::uint64_t p = position - shape.words; p != position; p += kLineWords)
      shape.at(out.get(), p)
          ->store(detail::make_header(detail::lap_at(p, shape.shift()), record_state::request, 8, 1,
                                      0));
    for (const char* wrong = nullptr; wrong == nullptr;) {
      landing region;
      const bool to_target = random() % 2 != 0;
      const frame_head head = forge.forge(to_target ? at : position - 8 * (1 + random() % 63),
                                          !to_target, words.data());
      // At any address, and no byte more.
      const std::size_t lead = random() % 8, bytes = head.words * sizeof(std::uint64_t);
      const std::unique_ptr<std::byte[]> exact(new std::byte[lead + bytes]);
      std::memcpy(exact.get() + lead, words.data(), bytes);
      const frame_body body(exact.get() + lead);
      wrong = to_target ? target.apply_records(head, body, region)
                        : source.apply_answers(head, body, region);
      if (wrong == nullptr && region.to != nullptr) {
        land(region, to_target ? in.get().request_payload : out.get().reply_payload, random());
        to_target ? target.commit_region() : source.commit_region();
      }
      if (wrong == nullptr && to_target) at += head.words;
      if (wrong == nullptr && random() % 8 == 0) wrong = source.apply_credit(random());
      if (wrong == nullptr && random() % 8 == 0) wrong = target.apply_consumed(random());
      ++(wrong != nullptr ? refused : taken);
    }
  }
  EXPECT_GT(taken, refused / 20) << "hardly a frame was nearly right";
}

}  // namespace
