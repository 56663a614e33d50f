// SPDX-License-Identifier: Apache-2.0
#include "languages/id/partition/partition.hpp"

namespace idc::partition {
namespace {

class printer {
 public:
  std::string run(const graph::program& program) {
    planner all(program);
    for (plan p; all.next(p);) print(p);
    return std::move(text_);
  }

 private:
  std::string name(graph::value v) const {
    const graph::value_info& info = f_->values[v];
    if (info.by == graph::value_info::made::constant) return std::to_string(info.bits);
    return info.name().empty() ? "v" + std::to_string(v)
                               : std::string(info.name()) + "." + std::to_string(v);
  }

  static std::string list(const thread_list& threads) {
    std::string text;
    for (const thread* t : threads)
      text += (text.empty() ? "t" : ", t") + std::to_string(t->number);
    return text.empty() ? "nothing" : text;
  }

  void print(const plan& p) {
    f_ = p.of->of;
    plan_ = &p;
    text_ += (p.is_loop ? "loop " : "function ") + f_->name + " " + std::to_string(p.of->number) +
             (p.of->wants_result ? "" : ", no result") + "\n";
    for (const input& in : p.inputs) print(in);
    for (const thread& t : p.threads)
      if (t.count != 0) print(t);
  }

  void print(const input& in) {
    switch (in.is) {
      case input::kind::arguments:
        text_ += "  arguments";
        for (std::size_t i = 0; i < f_->parameters.size(); ++i)
          if (plan_->of->by_value.contains(i)) text_ += " " + name(f_->parameters[i]);
        break;
      case input::kind::choice:
        text_ += "  choice " + name(in.to);
        break;
      case input::kind::code:
        text_ += "  code of an apply";
        break;
      default:
        text_ += in.to == graph::kNoValue ? "  answer" : "  " + name(in.to);
    }
    text_ += " -> " + list(in.posts) + "\n";
  }

  void print(const thread& t) {
    text_ += "  thread t" + std::to_string(t.number) + " count " + std::to_string(t.count) +
             (t.is_head ? " head" : "") + "\n";
    for (const step& s : t.steps) print(s);
    for (const switching& s : t.switches)
      text_ += "    switch " + name(s.choice->operands[0]) + " ? " + list(s.yes) + " : " +
               list(s.no) + "\n";
    if (!t.forks.empty()) text_ += "    fork " + list(t.forks) + "\n";
    if (t.frees) text_ += "    free\n";
  }

  void print(const step& s) {
    const graph::node& n = *s.of;
    if (n.op == graph::operation::choice && s.is == step::kind::node) return;
    constexpr std::string_view kWords[] = {"",      "pass ", "ask for the code of ",
                                           "call ", "pass ", "again "};
    text_ +=
        "    " + (n.to == graph::kNoValue || s.is != step::kind::node ? "" : name(n.to) + " = ");
    text_ += std::string(kWords[static_cast<std::size_t>(s.is)]) + (n.is_tail ? "give " : "");
    text_ += n.op == graph::operation::compute ? tl0::operation_of(n.code).name
                                               : graph::about(n.op).name;
    if (n.op != graph::operation::choice && n.callee) text_ += " " + n.callee->name;
    if (const variant* callee = plan_->callees[n.number])
      text_ += " " + std::to_string(callee->number);
    for (std::size_t i = 0; i < n.operands.size(); ++i)
      if (s.is != step::kind::pass || i == s.operand) text_ += " " + name(n.operands[i]);
    text_ += "\n";
  }

  const graph::function* f_ = nullptr;
  const plan* plan_ = nullptr;
  std::string text_;
};

}  // namespace

std::string print(const graph::program& p) { return printer().run(p); }

}  // namespace idc::partition
