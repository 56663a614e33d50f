// SPDX-License-Identifier: Apache-2.0
// What the counted machine keeps of activations and structures.
#pragma once

#include <vector>

#include "papers/study/machine/machine.hpp"

namespace study {

struct counted_machine::activation {
  index number = 0;
  index block = 0;
  std::uint16_t given = 0;  // how often the number was given before
  bool lives = false;
  bool is_queued = false;  // AM: in ready_, or it runs
  std::uint32_t address = 0;
  std::uint64_t serial = 0;  // never given twice
  index made_by = kNone;
  std::vector<word> slots;
  std::vector<index> left;     // of each thread: entries until it is enabled
  std::vector<index> enabled;  // AM: the vector; the last is next
};

struct counted_machine::reader {
  word to = 0;
  index asked_by = kNone;
  index next = kNone;
  std::uint32_t address = 0;
};

struct counted_machine::element {
  enum class state : std::uint8_t { empty, present, deferred };
  word value = 0;
  index first = kNone;  // deferred: readers; the last to come is the first
  state is = state::empty;
};

struct counted_machine::structure {
  bool is_m = false;
  index made_by = kNone;
  std::uint32_t address = 0;  // of the word before the elements: their count
  std::size_t first = 0, count = 0;  // in elements_

  std::uint32_t address_of(std::size_t i) const {
    return address + std::uint32_t(i + 1) * kWordBytes;
  }
};

// What a handler at high priority leaves as it was: it has registers of its own.
class counted_machine::context {
 public:
  explicit context(counted_machine& m)
      : machine_(m), bases_(m.bases_), values_(m.values_), now_(m.now_), thread_(m.thread_) {}
  ~context() {
    machine_.bases_ = bases_;
    machine_.values_ = values_;
    machine_.now_ = now_;
    machine_.thread_ = thread_;
  }
  context(const context&) = delete;
  context& operator=(const context&) = delete;

 private:
  counted_machine& machine_;
  std::array<std::uint32_t, kPlaces> bases_;
  std::array<word*, 3> values_;
  activation* now_;
  index thread_;
};

}  // namespace study
