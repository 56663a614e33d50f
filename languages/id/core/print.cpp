// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "languages/id/core/core.hpp"

namespace idc::core {
namespace {

constexpr std::string_view kNames[] = {
#define IDC_OPERATION(name, strict) #name,
#include "languages/id/core/operations.def"
#undef IDC_OPERATION
};

constexpr int kStrict[] = {
#define IDC_OPERATION(name, strict) strict,
#include "languages/id/core/operations.def"
#undef IDC_OPERATION
};

class printer {
 public:
  explicit printer(const program& p) : program_(p) {}

  std::string run() {
    for (const auto& f : program_.functions) print(*f);
    return std::move(text_);
  }

 private:
  std::string slot_text(const function& f, slot s) const {
    return f.slots[s].empty() ? "t" + std::to_string(s)
                              : std::string(f.slots[s]) + "." + std::to_string(s);
  }

  void print(const function& f) {
    text_ += (f.is_loop ? "loop " : "function ") + f.name + "(";
    for (std::size_t i = 0; i < f.parameters.size(); ++i)
      text_ += (i == 0 ? "" : ", ") + slot_text(f, f.parameters[i]);
    text_ += ")\n";
    print(f, *f.body, 1);
  }

  void print(const function& f, const region& r, int depth) {
    const std::string margin(static_cast<std::size_t>(depth) * 2, ' ');
    for (const binding& b : r.bindings) {
      text_ += margin;
      if (b.to != kNoSlot) text_ += slot_text(f, b.to) + " = ";
      if (b.is_tail) text_ += "give ";
      text_ += kNames[static_cast<std::size_t>(b.op)];
      print_immediate(b);
      if (b.called()) text_ += " " + b.callee->name;
      for (slot s : b.operands) text_ += " " + slot_text(f, s);
      text_ += "\n";
      if (b.op != operation::choice) continue;
      print(f, *b.yes, depth + 1);
      text_ += margin + "else\n";
      print(f, *b.no, depth + 1);
    }
  }

  void print_immediate(const binding& b) {
    switch (b.op) {
      case operation::compare:
      case operation::real_compare:
      case operation::text_compare:
        text_ += " " + std::string(spelling(static_cast<token_kind>(b.immediate)));
        break;
      case operation::text:
        text_ += " \"" + program_.texts[static_cast<std::size_t>(b.immediate)] + "\"";
        break;
      case operation::constant:
      case operation::construct:
      case operation::field:
      case operation::bound:
      case operation::allocate:
        text_ += " " + std::to_string(b.immediate);
        break;
      default:
        break;
    }
  }

  const program& program_;
  std::string text_;
};

}  // namespace

std::string_view name_of(operation op) { return kNames[static_cast<std::size_t>(op)]; }
int strict_operands(operation op) { return kStrict[static_cast<std::size_t>(op)]; }
std::string print(const program& p) { return printer(p).run(); }

}  // namespace idc::core
