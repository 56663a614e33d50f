// SPDX-License-Identifier: Apache-2.0
#include "splitcc/optimise/optimise.hpp"

#include "splitcc/optimise/passes.hpp"

namespace splitcc {
namespace {

struct known_pass {
  std::string_view name;
  bool optimise_options::* is_on;
  void (*run)(node& function, const pass& p);
};

// In this order: what goes in bulk needs its loop as it was written, and what is one's own no
// pipeline. Each pass leaves loops alone that one before it has made.
constexpr known_pass kPasses[] = {
    {"drop-barriers", &optimise_options::drop_barriers, drop_barriers},
    {"move-sync", &optimise_options::move_sync, move_sync},
    {"coalesce", &optimise_options::coalesce, coalesce},
    {"own-loops", &optimise_options::own_loops, own_loops},
    {"hoist-own-test", &optimise_options::hoist_own_test, hoist_own_test},
    {"pipeline-reads", &optimise_options::pipeline_reads, pipeline_reads},
    {"pipeline-reads", &optimise_options::pipeline_reads, pipeline_expressions},
    {"reduce-addresses", &optimise_options::reduce_addresses, reduce_addresses},
};

}  // namespace

void optimise(node& unit, type_table& types, const token_list&, diagnostics& report,
              const optimise_options& options) {
  int names = 0;
  for (node* external : unit.children) {
    if (!external || external->kind != node_kind::function_definition || !external->translate)
      continue;
    for (const known_pass& p : kPasses)
      if (options.*p.is_on) p.run(*external, {types, report, options, p.name, &names});
  }
}

}  // namespace splitcc
