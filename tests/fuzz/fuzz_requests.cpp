// SPDX-License-Identifier: Apache-2.0
// A peer that writes anything into the lane towards us: records, pads, descriptors, payload bytes,
// bells, and the mark up to where it has consumed our replies. (take_requests, open_request, the
// thunks' checks, find_reply_room, answer_bells)
//
// The input is a list of steps; each begins with a byte that says what to do.
#include "fixture.hpp"
#include "fuzz_input.hpp"
#include "handlers.hpp"
#include "ramjet/detail/lane/layout.hpp"
#include "refusal.hpp"

namespace fuzz {
namespace {

namespace d = ramjet::detail;

// Arguments of our handlers, so that the fuzzer need not guess the length that each checks.
constexpr std::uint16_t kArgumentBytes[] = {0,  8,  56,  1000, 4,  12, 16, 24,
                                            20, 40, 104, 32,   64, 1,  7,  1024};

class hostile_sender {
 public:
  hostile_sender(fixture& f, input& in) : f_(f), in_(in) {}

  void run() {
    while (!in_.empty()) step();
    poll();
  }

 private:
  void step() {
    const std::uint8_t what = in_.byte();
    switch (what & 7) {
      case 0:
      case 1:
      case 2:
        return record();
      case 3:
        return record_with_descriptor();
      case 4:  // any word of the ring
        f_.in().lane.records[in_.byte() & mask()].store(in_.number<std::uint64_t>());
        return;
      case 5:
        return payload_bytes();
      case 6:
        return aside(what >> 3);
      default:
        return poll();
    }
  }

  std::uint64_t mask() const { return engine_inspector::mask(f_.the_engine()); }

  // A header that is right but for what the input adds to it.
  std::uint64_t header() {
    const std::uint8_t shape = in_.byte();
    const std::uint8_t handler = in_.byte();
    const auto state = d::record_state(shape & 3);
    const unsigned words = ((shape >> 2 & 3) + 1) * 2;
    const unsigned most = engine_inspector::requests(f_.the_engine());
    std::uint64_t h = d::make_header(engine_inspector::lap(f_.the_engine(), at_), state, words,
                                     (handler & 0x7f) % (most + 1), kArgumentBytes[shape >> 4]);
    if (handler & 0x80) h ^= in_.number<std::uint64_t>();
    return h;
  }

  void put(std::uint64_t h, const std::uint64_t* words, unsigned count) {
    d::word* w = f_.in().lane.records;
    for (unsigned i = 0; i < count; ++i) w[(at_ + 1 + i) & mask()].store(words[i]);
    w[at_ & mask()].store(h);
    at_ += d::words_of(h);
  }

  void record() {
    const std::uint64_t h = header();
    std::uint64_t words[(d::kLineWords - 1)];
    const unsigned count = d::words_of(h) - 1;
    in_.take(words, count * sizeof words[0]);
    put(h, words, count);
  }

  void record_with_descriptor() {
    std::uint64_t h = header() | d::kExtended;
    const std::uint8_t how = in_.byte();
    if (how & 1) h |= d::kArgumentsOutside;
    const std::uint64_t offset =
        how & 2 ? in_.number<std::uint32_t>() : std::uint64_t(in_.byte()) * 1024;
    const std::uint64_t bytes = how & 4 ? in_.number<std::uint32_t>() : in_.number<std::uint16_t>();
    const std::uint64_t words[] = {offset | bytes << 32, in_.number<std::uint64_t>()};
    put(h, words, d::words_of(h) > 2 ? 2 : 1);
  }

  void payload_bytes() {
    const std::uint64_t offset = in_.number<std::uint16_t>() & 0xfff8;
    in_.take(f_.in().request_payload.get() + offset, in_.byte());
  }

  void aside(unsigned which) {
    switch (which & 3) {
      case 0:  // around what we have really sent
        f_.in().lane.consumed->reply_bytes.store(f_.the_peer().reply_tail -
                                                 in_.number<std::uint32_t>());
        return;
      case 1:
        f_.in().lane.consumed->reply_bytes.store(in_.number<std::uint64_t>());
        return;
      case 2:
        f_.in().lane.bell->store(in_.byte());
        f_.in().lane.receiver->rings.fetch_add(1);
        return;
      default:  // the next record goes to where it is looked for
        at_ = f_.the_peer().head;
        return;
    }
  }

  void poll() {
    f_.the_engine().poll();
    audit(f_.the_engine(), f_.the_peer());
  }

  fixture& f_;
  input& in_;
  std::uint64_t at_ = 0;  // where the next record goes
};

}  // namespace
}  // namespace fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  fuzz::fixture f;
  fuzz::input in(data, bytes);
  fuzz::tolerate([&] { fuzz::hostile_sender(f, in).run(); });
  return 0;
}
