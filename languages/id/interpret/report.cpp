// SPDX-License-Identifier: Apache-2.0
// What is said of a program that does not end: first the elements of arrays that nothing has
// written, then the names that wait for themselves or for such an element.
#include "languages/id/interpret/machine.hpp"

namespace idc::interpret {

namespace {

std::string element_text(const array& a, std::size_t offset) {
  if (a.dimensions == 1) return "[" + std::to_string(a.bounds[0] + static_cast<long>(offset)) + "]";
  const auto columns = static_cast<std::size_t>(a.bounds[3] - a.bounds[2] + 1);
  return "[" + std::to_string(a.bounds[0] + static_cast<long>(offset / columns)) + ", " +
         std::to_string(a.bounds[2] + static_cast<long>(offset % columns)) + "]";
}

// A binding that waits for the cell; null: none does, or only copies.
const core::binding* waiting_for(const cell& c) {
  if (c.is_present()) return nullptr;
  for (const waiter* w = c.waiting; w; w = w->next)
    if (w->by) return w->by;
  return nullptr;
}

}  // namespace

std::vector<blocked> machine::deadlock(std::size_t most) const {
  std::vector<blocked> found;
  for (const array* a : arrays_)
    for (std::size_t i = 0; i < a->cells.size() && found.size() < most; ++i) {
      const core::binding* by = waiting_for(a->cells[i]);
      if (!by) continue;
      found.push_back(
          {by->where, "waits for element " + element_text(*a, i) + ", which is never written"});
    }
  for (const frame* f = live_; f; f = f->behind)
    for (std::size_t i = 0; i < f->code->slots.size() && found.size() < most; ++i) {
      const core::binding* by = waiting_for(f->slots[i]);
      if (!by || f->code->slots[i].empty()) continue;
      found.push_back({by->where, "in '" + f->code->name + "', waits for '" +
                                      std::string(f->code->slots[i]) + "'"});
    }
  return found;
}

}  // namespace idc::interpret
