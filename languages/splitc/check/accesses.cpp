// SPDX-License-Identifier: Apache-2.0
// Each access to memory: is there an object, is it alive, does another processor use it meanwhile?
#include <cinttypes>
#include <cstdio>

#include "languages/splitc/check/checker.hpp"
#include "languages/splitc/check/entry.h"
#include "languages/splitc/check/report.hpp"
#include "ramjet/am.hpp"
#include "ramjet/detail/gas/address_space.hpp"

namespace ramjet::splitc::check {

namespace {

constexpr unsigned kSpins = 64;

std::string processor(unsigned p) { return "processor " + std::to_string(p); }

// What an access does, for a reader: "writes", "puts".
const char* verb(component part, bool writes) {
  switch (part) {
    case kMain:
      return writes ? "writes" : "reads";
    case kSplitPhase:
      return writes ? "puts" : "gets";
    case kStore:
      return "stores";
    default:
      return "gets into";
  }
}

bool is_in_segment(std::uint64_t address, std::uint64_t bytes) noexcept {
  const std::uint64_t offset = address - detail::space.window_base;
  return offset < detail::space.segment_bytes && bytes <= detail::space.segment_bytes - offset;
}

}  // namespace

component checker::part_of(unsigned how) const noexcept {
  if ((how & SPLITC_CHECK_LANDS) != 0) return kLanding;
  if ((how & SPLITC_CHECK_STORES) != 0) return kStore;
  return (how & SPLITC_CHECK_SPLIT_PHASE) != 0 ? kSplitPhase : kMain;
}

void checker::own(std::uint64_t address, std::uint64_t bytes, unsigned how, site at) {
  const bool writes = (how & SPLITC_CHECK_WRITES) != 0;
  const component part = part_of(how);
  if (!is_open_ || !is_in_segment(address, bytes)) return;
  acquire_read();
  if ((how & SPLITC_CHECK_SYNCHRONISES) != 0) {
    check_object(address, bytes, me_, me_, writes, at);
    return synchronises(std::uint64_t(me_) << detail::kRankShift | address, how);
  }
  if (part == kMain && shadow_.has(address, bytes, writes, own_now_)) return;
  check_object(address, bytes, me_, me_, writes, at);
  remember(me_, {address, at, std::uint32_t(bytes), now_[part], part, writes}, known_.data());
}

void checker::global(std::uint64_t bits, std::uint64_t bytes, unsigned how, site at) {
  if (!is_open_ || bytes == 0) return;
  acquire_read();
  const bool writes = (how & SPLITC_CHECK_WRITES) != 0;
  const auto target = unsigned(bits >> detail::kRankShift);
  const std::uint64_t address = bits & detail::kAddressMask;
  if (target >= processors_ || !is_in_segment(address, bytes)) report_wild(bits, bytes, writes, at);
  if (target == me_) return own(address, bytes, how, at);
  // Spread arrays are the same everywhere; of other memory its own processor knows.
  if (const object* o = objects_.touched(address, bytes); o != nullptr && o->is_spread())
    check_object(address, bytes, target, me_, writes, at);
  if ((how & SPLITC_CHECK_SYNCHRONISES) != 0) return synchronises(bits, how);
  if ((how & SPLITC_CHECK_STORES) != 0 && has_others_ && !in_atomic_) flush();
  const component part = part_of(how);
  append(target, {address, at, std::uint32_t(bytes), now_[part], part, writes});
}

// A write that others may wait for, or a read that may have waited: what others let know before
// they wrote is known here once it is read, which is after this.
void checker::synchronises(std::uint64_t bits, unsigned how) {
  if ((how & SPLITC_CHECK_WRITES) != 0) return release(bits);
  read_before_ = bits;
  if (spin_address_ != bits) {
    spin_address_ = bits;
    spins_ = 0;
  } else if (++spins_ % kSpins == 0 && !in_atomic_) {
    // Others may wait for records of this processor, or for an answer.
    send_all();
    ramjet::poll();
  }
}

void checker::check_object(std::uint64_t address, std::uint64_t bytes, unsigned target, unsigned by,
                           bool writes, site at) const {
  const object* const o = objects_.touched(address, bytes);
  if (o == nullptr) return;
  const std::uint64_t end = o->begin + o->bytes_on(target);
  const bool is_inside = address >= o->begin && address <= end && bytes <= end - address;
  if (o->is_live && is_inside) return;
  const std::string does = processor(by) + (writes ? " writes " : " reads ") +
                           counted(bytes, "byte") + " of processor " + std::to_string(target);
  if (!o->is_live) {
    const bool is_automatic = o->kind == object_kind::automatic;
    report_and_end({{at, does + " in " + o->described() +
                             (is_automatic ? " that has ended" : " that was freed")},
                    {o->given_back, is_automatic ? "it ended here" : "it was freed here"},
                    {o->taken, is_automatic ? "it was declared here" : "it was allocated here"}});
  }
  const std::string where = address < o->begin
                                ? counted(o->begin - address, "byte") + " before the begin of "
                                : counted(address + bytes - end, "byte") + " past the end of ";
  const bool is_declared = o->kind == object_kind::automatic || o->kind == object_kind::variable;
  report_and_end({{at, does + ", " + where + o->described()},
                  {o->taken, is_declared ? "it is declared here" : "it was allocated here"}});
}

void checker::remember(unsigned by, const record& r, known_times known) {
  const access a(by, r.part, r.clock, sites_.number_of(r.at));
  shadow_.record(r.address, r.bytes, r.writes != 0, a, known,
                 [this](const race& found) { report_race(found); });
}

void checker::report_race(const race& r) const {
  if (r.before.processor() == r.now.processor())
    return report(
        {{sites_.at(r.now.site()), processor(me_) + (r.now_writes ? " writes" : " reads") +
                                       " the target of a get before sync()"},
         {sites_.at(r.before.site()), "the get is issued here"}});
  // The write first; of two, that of the lower processor.
  const bool swapped =
      r.before_writes != r.now_writes ? r.before_writes : r.before.processor() < r.now.processor();
  const access& first = swapped ? r.before : r.now;
  const access& second = swapped ? r.now : r.before;
  const bool first_writes = swapped ? r.before_writes : r.now_writes;
  const bool second_writes = swapped ? r.now_writes : r.before_writes;
  const std::string what = processor(first.processor()) + " " + verb(first.part(), first_writes) +
                           " a word of processor " + std::to_string(me_) + " while " +
                           processor(second.processor()) + " " +
                           verb(second.part(), second_writes) + " it";
  report({{sites_.at(first.site()), "race: " + what},
          {sites_.at(second.site()), processor(second.processor()) + " " +
                                         verb(second.part(), second_writes) +
                                         " it here, with no synchronisation between"}});
}

void checker::report_wild(std::uint64_t bits, std::uint64_t bytes, bool writes, site at) {
  const auto target = unsigned(bits >> detail::kRankShift);
  const std::uint64_t address = bits & detail::kAddressMask;
  const std::string does =
      processor(me_) + (writes ? " writes " : " reads ") + counted(bytes, "byte");
  if (address == 0) report_and_end({{at, does + " through a null pointer"}});
  if (target >= processors_)
    report_and_end({{at, does + " of processor " + std::to_string(target) + ", and there are " +
                             counted(processors_, "processor")}});
  char text[32];
  std::snprintf(text, sizeof text, "0x%" PRIx64, address);
  report_and_end({{at, does + " of processor " + std::to_string(target) + " at " + text +
                           ", outside of its segment"}});
}

}  // namespace ramjet::splitc::check
