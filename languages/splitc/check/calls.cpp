// SPDX-License-Identifier: Apache-2.0
// The library's calls: what they tell a processor of the others' time, and whether all make the
// same ones.
#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "base/exit_status.hpp"
#include "languages/splitc/check/checker.hpp"
#include "languages/splitc/check/report.hpp"
#include "ramjet/ramjet.hpp"

namespace ramjet::splitc::check {

// Words that a processor tells of its call; its times follow.
struct checker::participant {
  std::uint64_t kind, first, second, name;
  std::uint64_t at;  // and `name`: addresses, the same in all processes of the program
  std::uint64_t stack_bytes, stack_at;
  std::uint64_t reports;
};

namespace {

constexpr std::uint64_t kAtomicFunctions = 0;  // no address of a lock or a word

std::uint64_t number_of(const void* p) {
  return std::uint64_t(reinterpret_cast<std::uintptr_t>(p));
}
const void* pointer_of(std::uint64_t n) {
  return reinterpret_cast<const void*>(static_cast<std::uintptr_t>(n));
}

bool is_same_call(const std::uint64_t* a, const std::uint64_t* b) {
  return std::equal(a, a + 4, b);
}

// As the program calls it: "barrier()" for splitc_barrier. Other words stay as they are.
std::string called(std::string_view name) {
  constexpr std::string_view kPrefix = "splitc_";
  if (!name.starts_with(kPrefix)) return std::string(name);
  return std::string(name.substr(kPrefix.size())) + "()";
}

// Processor 0 says it, for all.
[[noreturn]] void end_together(std::initializer_list<remark> remarks) {
  if (rank() == 0) report_and_end(remarks);
  constexpr std::uint64_t kPatienceMs = 10'000;
  static_cast<void>(wait_for(kPatienceMs, [] { return false; }, "-fcheck"));
  end_job(base::kExitChecked);
}

}  // namespace

void checker::tick(component part) {
  if (now_[part] == kClockMax) {
    is_open_ = false;
    report({{end_site_, "2^28 synchronisations: races are looked for no longer"}});
    return;
  }
  ++now_[part];
  if (part == kMain) own_now_ = access(me_, kMain, now_[kMain], 0);
}

void checker::compare(const std::vector<participant>& all, const char* name) const {
  const participant& a = all[0];
  const auto said = [](const participant& p) {
    return called(static_cast<const char*>(pointer_of(p.name)));
  };
  for (unsigned i = 1; i < processors_; ++i) {
    const participant& b = all[i];
    const std::string other = "processor " + std::to_string(i);
    if (!is_same_call(&a.kind, &b.kind))
      end_together(
          {{pointer_of(a.at), "processor 0 calls " + said(a) + ", " + other + " " + said(b) +
                                  (a.name == b.name ? " with other arguments" : "")},
           {pointer_of(b.at), other + " is here"}});
    if (a.stack_bytes == b.stack_bytes) continue;
    const bool is_first = a.stack_bytes > b.stack_bytes;
    end_together({{pointer_of(a.at), called(name) + ": automatic spread arrays take " +
                                         counted(a.stack_bytes, "byte") + " of processor 0, " +
                                         std::to_string(b.stack_bytes) + " of " + other},
                  {pointer_of(is_first ? a.stack_at : b.stack_at),
                   "the latest of " + (is_first ? std::string("processor 0") : other) +
                       " is declared here"}});
  }
}

// Notes the processors that this one has heard of, directly or by others, when the call is over.
void checker::learn_from(checks::collective kind, const std::vector<std::uint64_t>& gathered) {
  const std::size_t stride = gathered.size() / processors_;
  constexpr std::size_t kHead = sizeof(participant) / sizeof(std::uint64_t);
  for (unsigned p = 0; p < processors_; ++p) {
    using enum checks::collective;
    const bool hears = kind == broadcast                         ? p == 0
                       : kind == scan                            ? p < me_
                       : kind == reduce_to_one || kind == gather ? me_ == 0
                                                                 : true;
    if (hears) learn(reinterpret_cast<const std::uint32_t*>(&gathered[p * stride + kHead]));
  }
}

void checker::enter(checks::collective kind, const char* name, std::uint64_t first,
                    std::uint64_t second, site at) {
  if (!is_open_) return;
  acquire_read();
  flush();
  if (kind == checks::collective::all_store_sync) {
    known_[me_ * kComponents + kStore] = now_[kStore];
    tick(kStore);
  }
  if (at == nullptr) at = end_site_;
  const object* latest = objects_.last_automatic();
  const participant mine{std::uint64_t(kind),
                         first,
                         second,
                         number_of(name),
                         number_of(at),
                         spread_stack_bytes(),
                         number_of(latest == nullptr ? at : latest->taken),
                         reports()};
  const times clocks = published();
  constexpr std::size_t kHead = sizeof mine / sizeof(std::uint64_t);
  const std::size_t stride = kHead + clocks.size() * sizeof clocks[0] / sizeof(std::uint64_t);
  std::vector<std::uint64_t> words(stride), gathered(stride * processors_);
  std::memcpy(words.data(), &mine, sizeof mine);
  std::memcpy(&words[kHead], clocks.data(), clocks.size() * sizeof clocks[0]);
  const status s = all_gather(std::span<const std::uint64_t>(words), std::span(gathered));
  RAMJET_CHECK(s == status::ok, "a rank died, and a Split-C program cannot go on without it");
  std::vector<participant> all(processors_);
  for (unsigned p = 0; p < processors_; ++p)
    std::memcpy(&all[p], &gathered[p * stride], sizeof all[p]);
  compare(all, name);
  learn_from(kind, gathered);
  tick(kMain);
}

void checker::synced() {
  for (const component part : {kSplitPhase, kLanding}) {
    known_[me_ * kComponents + part] = now_[part];
    tick(part);
  }
  for (const unsigned p : std::exchange(atomic_on_, {})) fetch(p, kAtomicFunctions);
}

void checker::release(std::uint64_t bits) {
  if (in_atomic_) return;
  acquire_read();
  flush();
  deposit(unsigned(bits >> detail::kRankShift), bits & detail::kAddressMask);
}

void checker::acquire(std::uint64_t bits) {
  if (in_atomic_) return;
  fetch(unsigned(bits >> detail::kRankShift), bits & detail::kAddressMask);
}

// --- Atomic functions ----------------------------------------------------------------------------

void checker::atomic_calls(unsigned processor) {
  if (in_atomic_) return;
  acquire_read();
  flush();
  deposit(processor, kAtomicFunctions);
  atomic_on_.insert(processor);
}
void checker::atomic_begins() {
  in_atomic_ = true;
  learn(kept_at(kAtomicFunctions).data());
}
void checker::atomic_ends() {
  in_atomic_ = false;
  deposit(me_, kAtomicFunctions);
}
void checker::atomic_has_ended(unsigned processor) {
  if (!in_atomic_) fetch(processor, kAtomicFunctions);
}

}  // namespace ramjet::splitc::check
