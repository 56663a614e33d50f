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
    known_.resize(p_.functions.size());
    made_.code.resize(p_.functions.size());
    made_.main = find({p_.main, std::vector<bool>(p_.main->parameters.size(), true), false});
    for (const graph::function& f : p_.functions)
      if (f.is_code) made_.code[f.number] = find({&f, {true, true}, true});
    for (std::size_t i = 0; i < made_.all.size(); ++i) fill(made_.all[i]);
    return std::move(made_);
  }

 private:
  const plan* find(const variant& v) {
    std::vector<plan*>& known = known_[v.of->number];
    for (const plan* p : known)
      if (p->of == v) return p;
    plan& made = made_.all.emplace_back();
    made.of = v;
    made.number = static_cast<std::uint32_t>(made_.all.size() - 1);
    known.push_back(&made);
    return &made;
  }

  void fill(plan& p) {
    make_threads(p);
    p.in_slots = values_in_slots(p);
  }

  void make_threads(plan& p) {
    const auto found = [this](const variant& v) { return find(v); };
    const bool is_chained = p.of.of->rounds_of && p.of.of->permits != graph::kNoValue;
    if (!is_chained && partitioner(p, found).run(true)) return;
    const variant of = p.of;
    const std::uint32_t number = p.number;
    p = {};
    p.of = of;
    p.number = number;
    partitioner(p, found).run(false);
  }

  const graph::program& p_;
  plans made_;
  std::vector<std::vector<plan*>> known_;  // by the functions' numbers
};

}  // namespace

plans partition(const graph::program& p) { return all_variants(p).run(); }

}  // namespace idc::partition
