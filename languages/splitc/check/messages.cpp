// SPDX-License-Identifier: Apache-2.0
// What processors tell each other: batches of records, and times.
//
//   batch: | clocks of the sender: u32[processors][components] | record | record | ...
#include <algorithm>
#include <cstring>

#include "languages/splitc/check/checker.hpp"
#include "ramjet/am.hpp"
#include "ramjet/detail/base/check.hpp"

namespace ramjet::splitc::check {

namespace {

constexpr std::size_t kBatchRecords = 256;

void on_answer(reply_token) { current()->answered(); }
void on_batch(request_token t, payload p) {
  current()->receive(unsigned(t.rank()), p.bytes, p.count);
  reply<&on_answer>(std::move(t));
}

void on_deposit(request_token t, std::uint64_t key, payload p) {
  current()->join(key, p.as<const std::uint32_t>().data());
  reply<&on_answer>(std::move(t));
}

void on_fetched(reply_token, payload p) {
  current()->learn(p.as<const std::uint32_t>().data());
  current()->answered();
}
void on_fetch(request_token t, std::uint64_t key) {
  const checker::times& kept = current()->kept_at(key);
  reply_medium<&on_fetched>(std::move(t), kept.data(), kept.size() * sizeof kept[0]);
}

// The batch that had not been sent yet, and how many were sent before.
void on_pulled(reply_token t, std::uint64_t batches, payload p) {
  const auto from = unsigned(t.rank());
  if (p.count != 0) current()->receive(from, p.bytes, p.count);
  current()->wait_for_batches(from, batches);
  current()->answered();
}
void on_pull(request_token t) {
  std::uint64_t batches = 0;
  const std::vector<std::byte> batch = current()->batch_for(unsigned(t.rank()), batches);
  reply_medium<&on_pulled>(std::move(t), batch.data(), batch.size(), batches);
}

void go_on(status s) {
  RAMJET_CHECK(s == status::ok, "a rank died, and a Split-C program cannot go on without it");
}

}  // namespace

checker::times checker::published() const {
  times all = known_;
  all[me_ * kComponents + kMain] = now_[kMain];
  return all;
}

void checker::append(unsigned processor, const record& r) {
  std::vector<record>& box = outbox_[processor];
  box.push_back(r);
  (r.part == kStore ? has_stores_ : has_others_) = true;
  if (box.size() >= kBatchRecords && !in_atomic_) send(processor);
}

// Takes the records; empty if there are none. Stores tell their target what came before them.
std::vector<std::byte> checker::batch_for(unsigned processor, std::uint64_t& batches) {
  std::vector<record> records;
  records.swap(outbox_[processor]);
  batches = sent_[processor] += records.empty() ? 0 : 1;
  if (records.empty()) return {};
  const times clocks = published();
  const std::size_t leading = clocks.size() * sizeof clocks[0];
  std::vector<std::byte> batch(leading + records.size() * sizeof(record));
  std::memcpy(batch.data(), clocks.data(), leading);
  std::memcpy(batch.data() + leading, records.data(), batch.size() - leading);
  if (std::ranges::any_of(records, [](const record& r) { return r.part == kStore; })) {
    tick(kMain);
    tick(kStore);
  }
  return batch;
}

void checker::send(unsigned processor) {
  std::uint64_t batches = 0;
  const std::vector<std::byte> batch = batch_for(processor, batches);
  if (batch.empty()) return;
  ++in_flight_;
  go_on(request_medium<&on_batch>(int(processor), batch.data(), batch.size()));
}

void checker::send_all() {
  for (unsigned p = 0; p < processors_; ++p) send(p);
  has_stores_ = false;
}

void checker::wait_for_answers() {
  if (in_flight_ != 0) go_on(wait_until([this] { return in_flight_ == 0; }, "-fcheck"));
}

void checker::flush() {
  if (!has_others_ && !has_stores_) return;
  send_all();
  wait_for_answers();
  has_others_ = false;
}

void checker::receive(unsigned from, const std::byte* data, std::size_t bytes) {
  ++received_[from];
  const auto* const clocks = reinterpret_cast<const std::uint32_t*>(data);
  const std::size_t leading = known_.size() * sizeof *clocks;
  for (std::size_t at = leading; at + sizeof(record) <= bytes; at += sizeof(record)) {
    record r;
    std::memcpy(&r, data + at, sizeof r);
    if (r.part == kStore) {
      for (std::size_t i = 0; i < landed_.size(); ++i) landed_[i] = std::max(landed_[i], clocks[i]);
      landed_[from * kComponents + kStore] =
          std::max(landed_[from * kComponents + kStore], r.clock);
    }
    // This processor may not have come to where it takes a spread array, or have left it.
    if (const object* o = objects_.touched(r.address, r.bytes); o != nullptr && !o->is_spread())
      check_object(r.address, r.bytes, me_, from, r.writes != 0, r.at);
    remember(from, r, clocks);
  }
}

void checker::learn(const std::uint32_t* clocks) noexcept {
  for (std::size_t i = 0; i < known_.size(); ++i)
    if (i / kComponents != me_) known_[i] = std::max(known_[i], clocks[i]);
}

void checker::join(std::uint64_t key, const std::uint32_t* clocks) {
  times& kept = kept_.try_emplace(key, known_.size()).first->second;
  for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = std::max(kept[i], clocks[i]);
}

const checker::times& checker::kept_at(std::uint64_t key) {
  return kept_.try_emplace(key, known_.size()).first->second;
}

void checker::deposit(unsigned processor, std::uint64_t key) {
  const times clocks = published();
  if (processor == me_) {
    join(key, clocks.data());
  } else {
    ++in_flight_;
    go_on(request_medium<&on_deposit>(int(processor), clocks.data(),
                                      clocks.size() * sizeof clocks[0], key));
    wait_for_answers();
  }
  tick(kMain);
}

void checker::fetch(unsigned processor, std::uint64_t key) {
  if (processor == me_) {
    if (const auto found = kept_.find(key); found != kept_.end()) learn(found->second.data());
    return;
  }
  ++in_flight_;
  go_on(request<&on_fetch>(int(processor), key));
  wait_for_answers();
}

// Others may wait for what this processor has stored.
void checker::store_sync_begins() { send_all(); }

// Stores that have landed here were recorded before, by processors that may not have sent the
// records yet.
void checker::stores_arrived() {
  for (unsigned p = 0; p < processors_; ++p) {
    if (p == me_) continue;
    ++in_flight_;
    go_on(request<&on_pull>(int(p)));
  }
  wait_for_answers();
  for (unsigned p = 0; p < processors_; ++p)
    go_on(wait_until([this, p] { return received_[p] >= due_[p]; }, "-fcheck"));
  learn(landed_.data());
}

}  // namespace ramjet::splitc::check
