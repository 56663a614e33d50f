// SPDX-License-Identifier: Apache-2.0
#include "languages/id/graph/later_rounds.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace idc::graph {

using core::binding;
using core::slot;

namespace {

// A parameter of the loop and a number.
struct sum {
  slot parameter = core::kNoSlot;  // none: not known
  std::int64_t more = 0;

  bool is_known() const { return parameter != core::kNoSlot; }
};

struct access {
  bool stores = false;
  slot array = core::kNoSlot;
  std::vector<sum> indices;
};

std::optional<std::int64_t> constant_of(const kernel& k, slot s) {
  const binding* b = k.made(k.same(s));
  if (b && b->op == core::operation::constant) return b->immediate;
  return std::nullopt;
}

class finder {
 public:
  using op = core::operation;
  using find_kernel = std::function<const kernel&(const core::function&)>;
  finder(const kernel& loop, const find_kernel& kernel_of) : loop_(loop), kernel_of_(kernel_of) {}

  bool run() {
    sums own;
    for (const slot p : loop_.function().parameters) own[p] = {p, 0};
    look(loop_, own);
    return std::any_of(found_.begin(), found_.end(), [this](const access& fetch) {
      return !fetch.stores && std::any_of(found_.begin(), found_.end(), [&](const access& store) {
        return store.stores && store.array == fetch.array && is_ahead(store, fetch);
      });
    });
  }

 private:
  using sums = std::unordered_map<slot, sum>;  // of a function's parameters

  sum sum_of(const kernel& k, const sums& given, slot s) const {
    s = k.same(s);
    const binding* b = k.made(s);
    if (!b) {
      const auto found = given.find(s);
      return found == given.end() ? sum{} : found->second;
    }
    if (b->op != op::add && b->op != op::subtract) return {};
    std::optional<std::int64_t> number = constant_of(k, b->operands[1]);
    slot other = b->operands[0];
    if (!number && b->op == op::add) {
      number = constant_of(k, b->operands[0]);
      other = b->operands[1];
    }
    // Of what indices are there is no array beyond these, and so the sums of two do not overflow.
    constexpr std::int64_t kFar = std::int64_t{1} << 32;
    if (!number || *number > kFar || *number < -kFar) return {};
    sum made = sum_of(k, given, other);
    made.more += b->op == op::add ? *number : -*number;
    return made.more > kFar || made.more < -kFar ? sum{} : made;
  }

  void look(const kernel& k, const sums& given) {
    for (const binding& b : k.loop()->choice->yes->bindings) look(k, given, b);
  }

  void look(const kernel& k, const sums& given, const binding& b) {
    if (b.op == op::choice) {
      for (const binding& inner : b.yes->bindings) look(k, given, inner);
      for (const binding& inner : b.no->bindings) look(k, given, inner);
    } else if (b.op == op::fetch || b.op == op::store) {
      access made{b.op == op::store, sum_of(k, given, b.operands[0]).parameter, {}};
      const std::size_t end = b.operands.size() - (made.stores ? 1 : 0);
      for (std::size_t i = 1; i < end; ++i) made.indices.push_back(sum_of(k, given, b.operands[i]));
      if (made.array != core::kNoSlot) found_.push_back(std::move(made));
    } else if (b.op == op::call && b.callee != &k.function()) {
      look_into(k, given, b);
    }
  }

  // A loop in it, with what stays the same in its rounds.
  void look_into(const kernel& k, const sums& given, const binding& call) {
    const kernel& inner = kernel_of_(*call.callee);
    if (!inner.loop() || &inner == &loop_) return;
    const auto& parameters = call.callee->parameters;
    sums taken;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (inner.same(inner.loop()->next->operands[i]) == parameters[i])
        taken[parameters[i]] = sum_of(k, given, call.operands[i]);
    look(inner, taken);
  }

  // By how much the parameter changes from round to round: by 1 or -1 if that is another number
  // than the source says. 0: not, or unknown.
  std::int64_t step_of(slot parameter) const {
    const auto& all = loop_.function().parameters;
    const auto at =
        static_cast<std::size_t>(std::find(all.begin(), all.end(), parameter) - all.begin());
    const binding* b = loop_.made(loop_.same(loop_.loop()->next->operands[at]));
    if (!b || (b->op != op::add && b->op != op::subtract)) return 0;
    if (loop_.same(b->operands[0]) != parameter) return 0;
    const std::int64_t by = constant_of(loop_, b->operands[1]).value_or(1);
    return b->op == op::add ? by : -by;
  }

  bool is_ahead(const access& store, const access& fetch) const {
    for (std::size_t i = 0; i < std::min(store.indices.size(), fetch.indices.size()); ++i) {
      const sum &to = store.indices[i], &from = fetch.indices[i];
      if (!to.is_known() || to.parameter != from.parameter) continue;
      const std::int64_t step = step_of(to.parameter);
      if (step != 0 && (from.more - to.more) / step > 0) return true;
    }
    return false;
  }

  const kernel& loop_;
  const find_kernel& kernel_of_;
  std::vector<access> found_;
};

}  // namespace

bool needs_later_rounds(const kernel& loop,
                        const std::function<const kernel&(const core::function&)>& kernel_of) {
  return finder(loop, kernel_of).run();
}

}  // namespace idc::graph
