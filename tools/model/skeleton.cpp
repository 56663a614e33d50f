// SPDX-License-Identifier: Apache-2.0
// Skeletons that run: what a rank does next.
#include "tools/model/skeleton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/cli/command_line.hpp"

namespace loggp {
namespace {

constexpr unsigned kIdleStepsMax = 100'000'000;  // without an operation

class skeleton_program final : public program {
 public:
  skeleton_program(const skeleton& s, const machine& m, unsigned ranks)
      : skeleton_(s), places_(ranks), rounds_(std::size_t(ranks) * s.depth, 0) {
    around_.on = &m;
    around_.ranks = ranks;
    around_.ranks_per_node = m.on_node(ranks);
    around_.cores = m.cores == 0 ? m.on_node(ranks) : m.cores;
    for (const parameter& p : s.parameters) values_.push_back(p.value);
    around_.parameters = values_.data();
    known_.resize(s.nodes.size());
    for (const skeleton_step& step : s.steps)
      for (const std::uint32_t root : {step.first, step.second, step.third}) learn(root);
  }

  operation next(unsigned rank) override;
  std::string place_of(unsigned rank) const override {
    const std::uint32_t behind = places_[rank];
    return behind == 0 ? std::string() : shown_place(skeleton_.steps[behind - 1]);
  }

 private:
  struct known {
    bool is_known = false;
    double value = 0;
  };

  // What is the same for all ranks is computed once.
  void learn(std::uint32_t root) {
    if (root == 0 || known_[root].is_known || varies(skeleton_.nodes, root)) return;
    known_[root] = {true, value_of(skeleton_.nodes, root, around_)};
  }
  double value(std::uint32_t root, double otherwise) const {
    if (root == 0) return otherwise;
    if (known_[root].is_known) return known_[root].value;
    return value_of(skeleton_.nodes, root, around_);
  }
  operation operation_of(const skeleton_step& step) const;
  double count_of(const skeleton_step& step) const;
  std::string shown_place(const skeleton_step& step) const {
    return fmt::format("{}:{}:{}: ", skeleton_.file, step.line, step.column);
  }

  const skeleton& skeleton_;
  std::vector<std::uint32_t> places_;  // by rank: of its next step
  std::vector<double> rounds_;         // by rank and depth
  std::vector<double> values_;         // of parameters
  std::vector<known> known_;           // by root
  surroundings around_;
};

operation skeleton_program::operation_of(const skeleton_step& step) const {
  operation o;
  o.kind = step.op;
  const double amount = value(step.first, 0), whom = value(step.second, 0);
  o.messages = value(step.third, 1);
  if (step.op == op_kind::compute)
    o.ns = amount;
  else
    o.bytes = amount;
  if (step.op == op_kind::exchange || step.op == op_kind::put) {
    o.partners = whom;
  } else if (step.op == op_kind::send || step.op == op_kind::receive) {
    const double peer = std::floor(whom);
    o.peer = peer >= 0 && peer < kRanksMax ? unsigned(peer) : kRanksMax;  // which is refused
    if (step.op == op_kind::receive) o.bytes = 0;
  }
  return o;
}

// Of a loop's rounds.
double skeleton_program::count_of(const skeleton_step& step) const {
  const double count = value(step.first, 0);
  if (count >= 0) return count;
  throw input_error(fmt::format("{}rank {} of {}: a loop of {} rounds cannot be", shown_place(step),
                                around_.rank, around_.ranks, count));
}

operation skeleton_program::next(unsigned rank) {
  around_.rank = rank;
  double* const rounds = rounds_.data() + std::size_t(rank) * skeleton_.depth;
  around_.rounds = rounds;
  std::uint32_t& place = places_[rank];
  for (unsigned idle = 0; idle < kIdleStepsMax; ++idle) {
    const skeleton_step& step = skeleton_.steps[place];
    switch (step.kind) {
      case step_kind::operation:
        if (step.op != op_kind::end) ++place;
        return operation_of(step);
      case step_kind::repeat:
        rounds[step.depth] = 0;
        place = count_of(step) >= 1 ? place + 1 : step.target;
        break;
      case step_kind::again:
        rounds[step.depth] += 1;
        place = rounds[step.depth] + 1 <= count_of(step) ? step.target : place + 1;
        break;
      case step_kind::unless:
        place = value(step.first, 0) != 0 ? place + 1 : step.target;
        break;
      case step_kind::jump:
        place = step.target;
    }
  }
  throw input_error(skeleton_.name + ": a loop goes on and on, and does nothing");
}

}  // namespace

void skeleton::set(const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string what = assignment.substr(0, equals);
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const parameter& p) { return p.name == what; });
  double value = 0;
  if (equals == std::string::npos || !console::read_number(assignment.substr(equals + 1), value) ||
      !std::isfinite(value))
    throw assignment_error(assignment + ": give NAME=VALUE");
  if (found == parameters.end()) {
    std::string names;
    for (const parameter& p : parameters) names += (names.empty() ? "" : ", ") + p.name;
    throw assignment_error(fmt::format("{}: {} has no such parameter: {}", assignment, name,
                                       names.empty() ? "it has none" : "there is " + names));
  }
  found->value = value;
}

std::unique_ptr<program> program_of(const skeleton& s, const machine& m, unsigned ranks) {
  return std::make_unique<skeleton_program>(s, m, ranks);
}

}  // namespace loggp
