// SPDX-License-Identifier: Apache-2.0
#include "trace/recorder.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "base/settings.hpp"
#include "node/region.hpp"
#include "trace/handler_label.hpp"

namespace ramjet::trace {

namespace {

constexpr std::uint16_t kNoName = 0xffff;

const base::settings* given() {
  std::string problem;  // reported at the joining of the job
  return base::process_settings(problem);
}

std::uint64_t events_of_port(unsigned ranks) {
  const base::settings* const s = given();
  return s == nullptr ? 0 : ring_events(ring_bytes(*s, ranks));
}

// std::byte[port][port_bytes]; without a trace one head that nobody uses
node::region rings(kRegionName, [](const node::shape& s) -> std::uint64_t {
  return std::max<std::uint64_t>(s.ports() * port_bytes(events_of_port(s.ranks)),
                                 sizeof(ring_head));
});

}  // namespace

std::uint64_t ring_bytes(const base::settings& given, unsigned ranks) {
  if (given.trace_bytes != 0 || given.trace_file.empty()) return given.trace_bytes;
  return default_ring_bytes(ranks);
}

std::unique_ptr<recorder> recorder::open(unsigned port, unsigned ranks) {
  const std::uint64_t events = events_of_port(ranks);
  if (events == 0) return nullptr;
  auto* const mine = rings.as<std::byte>() + port * port_bytes(events);
  return std::unique_ptr<recorder>(new recorder(reinterpret_cast<ring_head*>(mine), events,
                                                std::max<std::uint64_t>(1, given()->trace_sample)));
}

recorder::recorder(ring_head* head, std::uint64_t events, std::uint64_t sample)
    : head_(head),
      events_(reinterpret_cast<event*>(reinterpret_cast<std::byte*>(head) + kEventsOffset)),
      mask_(events - 1),
      sampled_(std::uint32_t(kAll / sample)) {
  // Pages now, not one by one between messages. Where the kernel cannot, they come by themselves.
  constexpr int kPopulateForWriting = 23;  // MADV_POPULATE_WRITE, Linux 5.14
  ::madvise(events_, events * sizeof(event), kPopulateForWriting);
}

void recorder::name_handlers(unsigned requests, unsigned replies,
                             const char* (*name)(unsigned, bool)) {
  requests_ = requests;
  for (unsigned i = 0; i < requests + replies; ++i) {
    const bool is_reply = i >= requests;
    const char* const its = name(is_reply ? i - requests : i, is_reply);
    untold_.push_back(is_own(its));
    add_name(handler_label(its));
  }
}

std::uint16_t recorder::name_of(std::string_view text) {
  if (const auto known = names_.find(text); known != names_.end()) return known->second;
  const std::uint16_t number = add_name(text);
  if (number != kNoName) names_.emplace(text, number);
  return number;
}

// Names that find no room have none, but their numbers, as handlers have them by their order.
std::uint16_t recorder::add_name(std::string_view text) {
  constexpr std::size_t kLongest = 200;
  text = text.substr(0, kLongest);
  const std::uint32_t used = head_->name_bytes.load(std::memory_order_relaxed);
  const std::uint32_t number = head_->names.load(std::memory_order_relaxed);
  if (number >= kNoName) return kNoName;
  if (used + text.size() + 1 > kNameBytesMax) text = {};
  if (used + 1 > kNameBytesMax) return kNoName;
  auto* const to = reinterpret_cast<char*>(head_) + kNamesOffset + used;
  if (!text.empty()) std::memcpy(to, text.data(), text.size());
  to[text.size()] = '\0';
  head_->names.store(number + 1, std::memory_order_relaxed);
  head_->name_bytes.store(used + std::uint32_t(text.size()) + 1,
                          std::memory_order_release);  // pairs: trace.names
  return std::uint16_t(number);
}

}  // namespace ramjet::trace
