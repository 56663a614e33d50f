// SPDX-License-Identifier: Apache-2.0
// A peer that writes anything where it should answer our requests: the records themselves, the pads
// between them, the credit word, reply descriptors and payloads. (take_replies, take_credit,
// open_reply, answer_call, look_up_call, the thunks' checks)
//
// The input is a list of steps; each begins with a byte that says what to do.
#include <vector>

#include "fixture.hpp"
#include "fuzz_input.hpp"
#include "handlers.hpp"
#include "ramjet/detail/lane/layout.hpp"
#include "ramjet/threads.hpp"
#include "refusal.hpp"

namespace fuzz {
namespace {

namespace d = ramjet::detail;

constexpr std::uint16_t kArgumentBytes[] = {0, 8,  4,  1000, 12, 16, 24, 20,
                                            5, 56, 32, 40,   1,  7,  64, 1024};
std::byte source[d::kMediumBytesMax];

class hostile_answerer {
 public:
  hostile_answerer(fixture& f, input& in) : f_(f), in_(in) {}

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
        return send(what >> 3);
      case 2:
        return answer(false);
      case 3:
        return answer(true);
      case 4:  // any word of the ring
        f_.out().lane.records[in_.byte() & mask()].store(in_.number<std::uint64_t>());
        return;
      case 5:
        in_.take(f_.out().reply_payload.get() + (in_.number<std::uint16_t>() & 0xfff8), in_.byte());
        return;
      case 6:
        return credit(what >> 3);
      default:
        return poll();
    }
  }

  std::uint64_t mask() const { return engine_inspector::mask(f_.the_engine()); }

  // One of ours, so that there is something to answer.
  void send(unsigned which) {
    switch (which & 7) {
      case 0:
        static_cast<void>(ramjet::try_request<on_none>(0));
        return;
      case 1:
        static_cast<void>(ramjet::try_request<on_short>(0, in_.byte()));
        return;
      case 2:
        static_cast<void>(ramjet::try_request<on_line>(0, eight_words{}));
        return;
      case 3:
        static_cast<void>(ramjet::try_request<on_large>(0, large{}));
        return;
      case 4:
        static_cast<void>(
            ramjet::try_request_medium<on_medium>(0, source, in_.number<std::uint16_t>(), 2u));
        return;
      case 5:
        // chain takes what the lane cannot: a call would wait for a peer that never polls.
        static_cast<void>(ramjet::chain<on_short>(0, in_.byte()));
        return;
      case 6:  // a call
        calls_.push_back(d::start_call(f_.the_engine(), 0));
        if (ramjet::try_request<on_short>(0, in_.byte()) == ramjet::status::ok)
          d::await_answer(f_.the_peer(), *calls_.back());
        return;
      default:  // one that is answered by its number
        calls_.push_back(d::start_numbered_call(f_.the_engine(), 0));
        return;
    }
  }

  // A reply's header over a record of ours; with `descriptor`, one that points into the reply ring.
  void answer(bool descriptor) {
    const std::uint8_t shape = in_.byte();
    const std::uint8_t handler = in_.byte();
    const unsigned most = engine_inspector::replies(f_.the_engine());
    const std::uint64_t at = f_.the_peer().answered + 2 * (shape & 15);
    d::word* w = f_.out().lane.records;
    std::uint64_t h = w[at & mask()].load();
    h = (h & d::kLapAndLength) | std::uint64_t(d::record_state::reply) << 8 |
        std::uint64_t((handler & 0x3f) % (most + 1)) << 16 |
        std::uint64_t(kArgumentBytes[shape >> 4]) << 32;
    if (descriptor) {
      h |= d::kExtended | d::kArgumentsOutside;
      const std::uint64_t offset = std::uint64_t(in_.byte()) * 1024;
      w[(at + 1) & mask()].store(offset | std::uint64_t(in_.number<std::uint32_t>()) << 32);
    } else {
      w[(at + 1) & mask()].store(in_.number<std::uint64_t>());
    }
    if (handler & 0x80) h ^= in_.number<std::uint16_t>();
    if (handler & 0x40) h ^= in_.number<std::uint64_t>();
    w[at & mask()].store(h);
  }

  void credit(unsigned which) {
    std::uint64_t freed = in_.number<std::uint64_t>();
    if (which & 1) {  // around what we have really sent
      const std::uint64_t head = f_.the_peer().answered + std::uint8_t(freed);
      const std::uint64_t clean = head - std::uint8_t(freed >> 8);
      freed = clean << 32 | std::uint32_t(head);
    }
    f_.out().lane.credit->freed.store(freed);
    if (which & 2) in_.take(f_.out().credit.get() + sizeof freed, 4);  // whether to ring
  }

  void poll() {
    f_.the_engine().poll();
    audit(f_.the_engine(), f_.the_peer());
  }

  fixture& f_;
  input& in_;
  std::vector<d::call_state*> calls_;
};

}  // namespace
}  // namespace fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  fuzz::fixture f;
  fuzz::input in(data, bytes);
  // Names the calls' reply handlers, so that the table holds them.
  static const auto call_reply = &ramjet::call<fuzz::add, std::uint64_t, std::uint32_t>;
  static const auto spawned_reply = &ramjet::spawn_call<fuzz::add, std::uint64_t, std::uint32_t>;
  static_cast<void>(call_reply);
  static_cast<void>(spawned_reply);
  fuzz::tolerate([&] { fuzz::hostile_answerer(f, in).run(); });
  return 0;
}
