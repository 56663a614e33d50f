// SPDX-License-Identifier: Apache-2.0
// What the interpreter keeps in memory: cells that are empty or present, and what is made of cells.
// Values are 64 bits without tags: the program is typed.
#ifndef IDC_INTERPRET_HEAP_HPP
#define IDC_INTERPRET_HEAP_HPP

#include <array>
#include <cstdint>
#include <span>

#include "languages/id/core/core.hpp"

namespace idc::interpret {

using value = std::uint64_t;

struct frame;
struct cell;

// What goes on when a cell is filled: a binding is tried again, or the value is copied on.
struct waiter {
  frame* owner = nullptr;  // of the binding, or that waits for the copy; null: none does
  cell* copy_to = nullptr;  // null: the binding is tried again
  const core::binding* by = nullptr;
  bool takes = false;  // an element of an M-structure, which is empty then
  waiter* next = nullptr;
};

inline waiter kPresentMark;

// waiting == &kPresentMark: present. Else empty, with a list of waiters.
struct cell {
  value holds = 0;
  waiter* waiting = nullptr;
  bool is_present() const { return waiting == &kPresentMark; }
};

struct object {  // tuples, lists, algebraic types
  std::int64_t tag = 0;
  std::span<cell> fields;
};

struct array {
  std::int64_t dimensions = 1;
  bool is_mutable = false;
  std::array<std::int64_t, 4> bounds{};  // lower and upper of each dimension
  std::span<cell> cells;
  position where;  // what allocated it
};

struct closure {
  const core::function* code = nullptr;
  std::span<cell> given;  // the first parameters
};

// An activation. It ends when all of its bindings are done, and all copies to its slots.
struct frame {
  const core::function* code = nullptr;
  std::uint64_t left = 0;  // bindings that are not done, copies that have not come
  cell* result = nullptr;
  frame* result_owner = nullptr;  // it waits for the result; null: none does
  frame* before = nullptr;  // of all that live
  frame* behind = nullptr;
  cell* slots = nullptr;  // code->slots.size()
};

}  // namespace idc::interpret

#endif
