// SPDX-License-Identifier: Apache-2.0
#include "languages/id/graph/graph.hpp"

namespace idc::graph {
namespace {

class printer {
 public:
  explicit printer(const program& p) : p_(p) {}

  std::string run() {
    for (const function& f : p_.functions) print(f);
    return std::move(text_);
  }

 private:
  static std::string_view spelling(kind k) {
    constexpr std::string_view kNames[] = {"word", "int", "float", "bool", "array", "M_array"};
    return kNames[static_cast<std::size_t>(k)];
  }

  std::string name(value v) const {
    const value_info& info = f_->values[v];
    if (info.by == value_info::made::constant) return std::to_string(info.bits);
    return info.name().empty() ? "v" + std::to_string(v)
                               : std::string(info.name()) + "." + std::to_string(v);
  }

  void print(const function& f) {
    f_ = &f;
    text_ += (f.rounds_of ? "rounds " : f.is_code ? "code " : "function ") + f.name + "(";
    for (std::size_t i = 0; i < f.parameters.size(); ++i)
      text_ += std::string(i == 0 ? "" : ", ") +
               (f.strict[0].contains(i)   ? "!"
                : f.strict[1].contains(i) ? "?"
                                          : "") +
               name(f.parameters[i]) + ": " + std::string(spelling(f.values[f.parameters[i]].is));
    text_ += "): " + std::string(spelling(f.result)) + "\n";
    print(*f.body, 1);
  }

  void print(const region& r, int depth) {
    const std::string margin(static_cast<std::size_t>(depth) * 2, ' ');
    for (const node* n : r.nodes) {
      text_ += margin + (n->to == kNoValue ? "" : name(n->to) + " = ");
      text_ += n->is_tail ? "give " : "";
      text_ += n->op == operation::compute ? tl0::operation_of(n->code).name : about(n->op).name;
      if (n->op != operation::choice && n->callee) text_ += " " + n->callee->name;
      for (std::size_t i = 0; i < n->operands.size(); ++i)
        text_ += (waits_for(*n, i) ? " " : " ~") + name(n->operands[i]);
      if (n->op == operation::write_text)
        text_ += " \"" + p_.texts[static_cast<std::size_t>(n->immediate)] + "\"";
      if (n->op == operation::tagged) text_ += " : " + std::to_string(n->immediate);
      if (n->is_shared) text_ += " on an idle rank";
      if (n->is_spread) text_ += n->is_placed ? " where its row is kept" : " on the ranks in turn";
      text_ += "\n";
      if (n->op != operation::choice) continue;
      print(*n->yes, depth + 1);
      text_ += margin + "else\n";
      print(*n->no, depth + 1);
    }
  }

  const program& p_;
  const function* f_ = nullptr;
  std::string text_;
};

}  // namespace

std::string print(const program& p) { return printer(p).run(); }

}  // namespace idc::graph
