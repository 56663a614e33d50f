// SPDX-License-Identifier: Apache-2.0
#include "languages/id/graph/facts.hpp"

#include <algorithm>

#include "languages/id/graph/later_rounds.hpp"

namespace idc::graph {
namespace {

using caller_lists = std::vector<std::vector<std::uint32_t>>;

// From these functions to all that call them, and so on.
void spread(std::vector<std::uint32_t> left, const caller_lists& callers, std::vector<bool>& to) {
  while (!left.empty()) {
    const std::uint32_t f = left.back();
    left.pop_back();
    if (to[f]) continue;
    to[f] = true;
    left.insert(left.end(), callers[f].begin(), callers[f].end());
  }
}

}  // namespace

facts::facts(const core::program& of, loop_limit loops)
    : core(of), limit(std::move(loops)), kernels_(of.functions.size()) {
  sort_texts();
  find_kernels();
  if (limit.rounds != 0) find_limited();
  find_uses();
  trees_.emplace(core, [this](const core::function& f) -> const kernel& { return kernel_of(f); });
}

// Equal ones have one number, and numbers compare as the texts do.
void facts::sort_texts() {
  texts = core.texts;
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  for (const std::string& text : core.texts)
    text_numbers.push_back(std::lower_bound(texts.begin(), texts.end(), text) - texts.begin());
}

void facts::find_kernels() {
  for (std::size_t i = 0; i < kernels_.size(); ++i) kernels_[i].emplace(*core.functions[i]);
}

void facts::find_limited() {
  const auto of = [this](const core::function& f) -> const kernel& { return kernel_of(f); };
  is_limited_.resize(kernels_.size());
  for (const auto& f : core.functions) {
    kernel& k = *kernels_[f->number];
    is_limited_[f->number] = k.loop() && !needs_later_rounds(k, of);
    if (is_limited_[f->number] && limit.rounds == 1 && !limit.not_in_turn.contains(f.get()))
      k.put_in_turn();
  }
}

void facts::find_uses() {
  const std::size_t count = core.functions.size();
  caller_lists users(count), callers(count);
  std::vector<std::uint32_t> with_globals, loops;
  for (const auto& f : core.functions) {
    if (f->is_loop) loops.push_back(f->number);
    for (const core::binding* b : kernel_of(*f).uses()) {
      if (b->op == core::operation::global) {
        globals.emplace(b->callee, static_cast<std::int64_t>(globals.size()));
        with_globals.push_back(f->number);
        continue;
      }
      users[b->callee->number].push_back(f->number);
      if (b->op == core::operation::call) callers[b->callee->number].push_back(f->number);
    }
  }
  needs_globals_.resize(count);
  has_loop_.resize(count);
  spread(std::move(with_globals), users, needs_globals_);
  spread(std::move(loops), callers, has_loop_);
}

}  // namespace idc::graph
