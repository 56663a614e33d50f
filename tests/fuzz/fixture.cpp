// SPDX-License-Identifier: Apache-2.0
#include "fixture.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "handlers.hpp"

namespace fuzz {

namespace {

namespace d = ramjet::detail;
using block = std::unique_ptr<std::byte, void (*)(void*)>;
constexpr std::size_t kRingBytes = engine_inspector::kRingWords * sizeof(d::word);

block zeroed(std::size_t bytes) {
  void* memory = std::aligned_alloc(64, bytes);
  if (memory == nullptr) std::abort();
  std::memset(memory, 0, bytes);
  return {static_cast<std::byte*>(memory), std::free};
}

template <class T>
T* as(const block& b) {
  return reinterpret_cast<T*>(b.get());
}

// `like` gives the bell and the port.
lane_memory make_lane(std::size_t payload_bytes, const d::lane& like) {
  lane_memory m{like,
                zeroed(kRingBytes),
                zeroed(payload_bytes),
                zeroed(payload_bytes),
                zeroed(sizeof(d::credit_line)),
                zeroed(sizeof(d::consumed_line))};
  m.lane.records = as<d::word>(m.records);
  m.lane.request_payload = m.request_payload.get();
  m.lane.reply_payload = m.reply_payload.get();
  m.lane.credit = as<d::credit_line>(m.credit);
  m.lane.consumed = as<d::consumed_line>(m.consumed);
  return m;
}

// As a new lane is, but for the payloads: what they hold decides nothing.
void clean(lane_memory& m) {
  std::memset(m.records.get(), 0, kRingBytes);
  std::memset(m.credit.get(), 0, sizeof(d::credit_line));
  std::memset(m.consumed.get(), 0, sizeof(d::consumed_line));
}

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "an invariant is broken: %s\n", what);
  std::abort();
}

}  // namespace

void join_alone() {
  static const bool joined = [] {
    // The segment is never touched beyond what an input reaches; little is enough.
    setenv("RAMJET_SEGMENT_BYTES", "1M", 1);
    register_c_handlers();
    std::string message;
    if (ramjet::try_init({}, message) == ramjet::status::ok) return true;
    std::fprintf(stderr, "%s\n", message.c_str());
    std::abort();
  }();
  static_cast<void>(joined);
}

fixture::fixture() : before_(d::current_engine) {
  join_alone();
  if (d::current_engine->is_open()) engine_inspector::close(*d::current_engine);
  engine_.open(0);
  engine_inspector::shorten_rings(engine_);
  peer& p = the_peer();
  static lane_memory in_memory = make_lane(payload_bytes(), p.in_lane);
  static lane_memory out_memory = make_lane(payload_bytes(), p.out_lane);
  clean(*(in_ = &in_memory));
  clean(*(out_ = &out_memory));
  p.in_lane = in_->lane;
  p.in = in_->lane.records;
  p.in_credit = in_->lane.credit;
  p.out_lane = out_->lane;
  p.out = out_->lane.records;
  p.out_credit = out_->lane.credit;
  engine_inspector::activate(engine_, p);
  d::current_engine = &engine_;
}

fixture::~fixture() {
  engine_inspector::close(engine_);
  d::current_engine = before_;
}

void audit(const engine& e, const peer& p) {
  const std::uint64_t ring_words = engine_inspector::mask(e) + 1;
  expect(p.answered <= p.tail && p.tail <= p.answered + ring_words, "the sender's half");
  expect(p.published <= p.head && p.clean <= p.head, "the receiver's half");
  expect(p.head % 2 == 0 && p.answered % 2 == 0, "positions stand on granules");
  if (p.marks == nullptr) return;
  expect(p.payload_tail - p.payload_freed <= engine_inspector::payload_bytes(e), "payload ring");
}

}  // namespace fuzz
