// SPDX-License-Identifier: Apache-2.0
// The kernel language: functions without free variables, whose bodies are regions of bindings. A
// binding writes one slot, once; all bindings of a region go on in parallel, when their operands
// are there.
// A loop is a function that calls itself at the end of its body, with is_loop set.
#ifndef IDC_CORE_CORE_HPP
#define IDC_CORE_CORE_HPP

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "languages/id/tree/tree.hpp"

namespace idc::core {

enum class operation : std::uint8_t {
#define IDC_OPERATION(name, strict) name,
#include "languages/id/core/operations.def"
#undef IDC_OPERATION
};

std::string_view name_of(operation op);
int strict_operands(operation op);  // kAll: all
constexpr int kAll = -1;

using slot = std::uint32_t;
constexpr slot kNoSlot = ~slot{0};
using slot_list = std::vector<slot>;

struct function;
struct region;

// What `immediate` is: constant: the value; construct: the tag; field: which; bound: which of the
// bounds; compare: a token_kind; allocate: the dimensions, plus kMutable; text: an index of texts.
constexpr std::int64_t kMutable = 4;

struct binding {
  operation op = operation::constant;
  bool is_tail = false;  // call, apply: its result is that of the function
  slot to = kNoSlot;  // none: give, tail calls, choices that give
  position where;
  slot_list operands;
  std::int64_t immediate = 0;
  union {
    function* callee = nullptr;
    region* yes;  // choice
  };
  union {
    // allocate: the loop over its first index that writes most of it
    function* filled_by = nullptr;
    region* no;  // choice
  };

  const function* called() const { return op == operation::choice ? nullptr : callee; }
};

struct region {
  std::vector<binding> bindings;
};

// All bindings, those of the sides of choices behind the choice.
void each_binding(region& r, const auto& f) {
  for (binding& b : r.bindings) {
    f(b);
    if (b.op != operation::choice) continue;
    each_binding(*b.yes, f);
    each_binding(*b.no, f);
  }
}

struct function {
  std::string name;
  position where;
  bool is_loop = false;
  // Of a loop that writes elements of an array: this one, in the row that the round is for.
  slot fills = kNoSlot, row = kNoSlot;
  slot_list parameters;  // captured variables and arguments
  std::vector<std::string_view> slots;  // names; empty for what has none
  region* body = nullptr;
  std::vector<std::unique_ptr<region>> regions;
  std::uint32_t number = 0;
};

struct program {
  std::vector<std::unique_ptr<function>> functions;
  std::vector<std::string> texts;
  function* main = nullptr;
  std::vector<type*> main_parameters;
  type* main_result = nullptr;
};

// `main` of the program and all that it needs. The program is typed.
program lower(const idc::program& of);

// The notation of docs/id.md.
std::string print(const program& p);

}  // namespace idc::core

#endif
