// SPDX-License-Identifier: Apache-2.0
// Variants of functions, from main on.
#include "idc/partition/partition.hpp"

#include "idc/partition/partitioner.hpp"

namespace idc::partition {

namespace {

class all_variants {
 public:
  explicit all_variants(const graph::program& p) : p_(p) {}

  plans run() {
    made_.main = find({p_.main, std::vector<bool>(p_.main->parameters.size(), true), false});
    for (const graph::function& f : p_.functions)
      if (f.is_code) made_.code[&f] = find({&f, {true, true}, true});
    for (std::size_t i = 0; i < made_.all.size(); ++i) fill(made_.all[i]);
    return std::move(made_);
  }

 private:
  const plan* find(const variant& v) {
    plan*& known = known_[v];
    if (known) return known;
    known = &made_.all.emplace_back();
    known->of = v;
    known->number = static_cast<std::uint32_t>(made_.all.size() - 1);
    return known;
  }

  const std::vector<graph::node*>& order_of(const graph::function& f) {
    auto [known, is_new] = orders_.try_emplace(&f);
    if (is_new) known->second = graph::ordered(f);
    return known->second;
  }

  void fill(plan& p) {
    const auto found = [this](const variant& v) { return find(v); };
    const auto& order = order_of(*p.of.of);
    if (partitioner(p, order, found).run(true)) return;
    const variant of = p.of;
    const std::uint32_t number = p.number;
    p = {};
    p.of = of;
    p.number = number;
    partitioner(p, order, found).run(false);
  }

  const graph::program& p_;
  plans made_;
  std::map<variant, plan*> known_;
  std::map<const graph::function*, std::vector<graph::node*>> orders_;
};

}  // namespace

plans partition(const graph::program& p) { return all_variants(p).run(); }

}  // namespace idc::partition
