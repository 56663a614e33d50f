// SPDX-License-Identifier: Apache-2.0
#include "ult/locals.hpp"

#include <utility>
#include <vector>

#include "ramjet/ult/local.hpp"

namespace ramjet::ult::detail {

struct locals {
  struct value {
    void* at = nullptr;
    void (*destroy)(void*) = nullptr;
  };
  std::vector<value> values;  // by number
  std::vector<unsigned> order;  // of their making
};

namespace {
std::atomic<unsigned> numbers{0};
}

unsigned register_local() { return numbers.fetch_add(1, std::memory_order_relaxed); }

void* get_local(unsigned number) noexcept {
  const locals* l = this_worker()->self->more.values;
  return l != nullptr && number < l->values.size() ? l->values[number].at : nullptr;
}

void set_local(unsigned number, void* value, void (*destroy)(void*)) {
  locals*& l = open_worker("ult::local")->self->more.values;
  if (l == nullptr) l = new locals;
  if (number >= l->values.size()) l->values.resize(number + 1);
  l->values[number] = {value, destroy};
  l->order.push_back(number);
}

void end_locals(control* c) {
  while (locals* l = c->more.values) {
    if (l->order.empty()) {
      delete std::exchange(c->more.values, nullptr);
      return;
    }
    const locals::value v = std::exchange(l->values[l->order.back()], {});
    l->order.pop_back();
    v.destroy(v.at);  // may make others
  }
}

}  // namespace ramjet::ult::detail
