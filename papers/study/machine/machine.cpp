// SPDX-License-Identifier: Apache-2.0
// What is charged: events become addresses, counts and the trace.
#include "papers/study/machine/machine.hpp"

#include <algorithm>
#include <numeric>

#include "papers/study/machine/state.hpp"

namespace study {
namespace {

constexpr std::size_t kTraced = 8192;  // handed on together
constexpr std::uint32_t kLowest = 16;  // frames and structures begin at multiples

index most_temporaries(const tl0::program& p) {
  index most = 0;
  for (const tl0::thread& t : p.threads) most = std::max(most, t.code.temporaries.count);
  for (const tl0::inlet& i : p.inlets) most = std::max(most, i.code.temporaries.count);
  return most;
}

std::uint32_t queue_at(std::uint32_t usual, std::uint32_t large, const machine_options& options) {
  return options.queue_bytes <= kQueueBytes ? usual : large;
}

}  // namespace

std::string_view name_of(message_kind k) {
  constexpr std::string_view kNames[] = {"0 words",       "1 word",      "2 words",
                                         "3 words",       "4 words",     "store request",
                                         "fetch request", "fetch reply", "other"};
  return kNames[static_cast<unsigned>(k)];
}

std::uint64_t machine_counts::of(access a) const {
  const auto& by_region = accesses[static_cast<unsigned>(a)];
  return std::accumulate(by_region.begin(), by_region.end(), std::uint64_t{0});
}

std::uint64_t machine_counts::of(access a, bool system) const {
  std::uint64_t sum = 0;
  for (unsigned r = 0; r < kRegions; ++r)
    if (is_system(static_cast<region>(r)) == system) sum += accesses[static_cast<unsigned>(a)][r];
  return sum;
}

std::uint64_t machine_counts::messages_sent() const {
  return std::accumulate(messages.begin(), messages.end(), std::uint64_t{0});
}

counted_machine::counted_machine(const tl0::program& p, const target_code& code,
                                 const machine_options& options,
                                 void (*output)(void*, std::string_view), void* to)
    : p_(p),
      code_(code),
      options_(options),
      output_(output),
      output_to_(to),
      low_(queue_at(kLowQueueAt, kLargeQueueAt, options), options.queue_bytes),
      high_(queue_at(kHighQueueAt, kLargeQueueAt + options.queue_bytes, options),
            options.queue_bytes),
      free_(p.blocks.size()),
      piece_times_(code.pieces.size()),
      routine_times_(costs().size()),
      break_((code.end + kLowest - 1) / kLowest * kLowest),
      temporaries_(most_temporaries(p)),
      inlet_temporaries_(most_temporaries(p)),
      constants_(p.constants),
      words_(tl0::kWordsMax) {
  if (options.sink != nullptr) trace_.reserve(kTraced);
  values_[2] = constants_.data();
  base(place::globals) = kGlobalsAt;
  counts_.code_bytes = code.bytes();
}

counted_machine::~counted_machine() = default;

void counted_machine::wrong(index at, const std::string& text) const {
  throw tl0::execution_error(at == kNone ? p_.blocks[p_.main].where : p_.positions[at], text);
}

void counted_machine::run(const std::vector<word>& arguments) {
  const std::uint32_t begin = break_;
  activation& main = make_activation(p_.main, kNone);
  const tl0::inlet* const args = p_.find_inlet(p_.main, tl0::kMainInlet);
  send_inlet(main, index(args - p_.inlets.data()), arguments.data(), index(arguments.size()), kNone,
             message_kind::other);
  code_.how == discipline::md ? run_md() : run_am();
  counts_.queue_bytes_max = std::max(low_.used_max(), high_.used_max());
  counts_.memory_bytes = break_ - begin;
  flush();
  count_pieces();
  if (main.lives) deadlock();
}

void counted_machine::charge(index of) {
  if (of == kNone) return;
  ++piece_times_[of];
  if (options_.sink != nullptr) record(code_.pieces[of], code_.events);
}

void counted_machine::charge(cost routine) {
  ++routine_times_[static_cast<unsigned>(routine)];
  if (options_.sink != nullptr) record(routines_.of(routine), routines_.events());
}

void counted_machine::record(const traced& t) {
  trace_.push_back(t);
  if (trace_.size() == kTraced) flush();
}

void counted_machine::record(const piece& p, const std::vector<event>& events) {
  std::uint32_t at = p.address;
  for (std::uint32_t i = p.first; i < p.first + p.count; ++i) {
    const event& e = events[i];
    record({at, e.instructions, access::fetch, p.where});
    at += e.instructions * kInstructionBytes;
    if (e.does == event::kind::none) continue;
    if (e.does == event::kind::call)
      record(routines_.of(static_cast<cost>(e.offset)), routines_.events());
    else
      record({base(e.base) + std::uint32_t(e.offset), 1,
              e.does == event::kind::read ? access::read : access::write, e.where});
  }
}

void counted_machine::flush() {
  if (options_.sink != nullptr && !trace_.empty()) options_.sink->take(trace_);
  trace_.clear();
}

// What the trace holds, whether or not somebody takes it.
void counted_machine::count_pieces() {
  for (index i = 0; i < code_.pieces.size(); ++i)
    count(code_.pieces[i], code_.events, piece_times_[i]);
  for (unsigned c = 0; c < routine_times_.size(); ++c)
    count(routines_.of(static_cast<cost>(c)), routines_.events(), routine_times_[c]);
}

void counted_machine::count(const piece& p, const std::vector<event>& events, std::uint64_t times) {
  const auto add = [this](access does, region where, std::uint64_t n) {
    counts_.accesses[static_cast<unsigned>(does)][static_cast<unsigned>(where)] += n;
  };
  add(access::fetch, p.where, times * p.instructions);
  for (std::uint32_t i = p.first; i < p.first + p.count; ++i) {
    const event& e = events[i];
    if (e.does == event::kind::read) add(access::read, e.where, times);
    if (e.does == event::kind::write) add(access::write, e.where, times);
    if (e.does == event::kind::call)
      count(routines_.of(static_cast<cost>(e.offset)), routines_.events(), times);
  }
}

}  // namespace study
