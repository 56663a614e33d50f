// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/optimise/optimise.hpp"

#include "languages/splitc/compiler/optimise/passes.hpp"

namespace splitcc {
namespace {

struct known_pass {
  std::string_view name;
  bool optimise_options::* is_on;
  void (*run)(node& function, const pass& p);
};

// In this order: a loop that waits stays as it is but for its polls; what goes in bulk needs its
// loop as it was written, and what is one's own no pipeline. Each pass leaves loops alone that one
// before it has made.
constexpr known_pass kPasses[] = {
    {"poll-loops", &optimise_options::poll_loops, poll_loops},
    {"drop-barriers", &optimise_options::drop_barriers, drop_barriers},
    {"move-sync", &optimise_options::move_sync, move_sync},
    {"coalesce", &optimise_options::coalesce, coalesce},
    {"own-loops", &optimise_options::own_loops, own_loops},
    {"hoist-own-test", &optimise_options::hoist_own_test, hoist_own_test},
    {"pipeline-reads", &optimise_options::pipeline_reads, pipeline_reads},
    {"pipeline-reads", &optimise_options::pipeline_reads, pipeline_expressions},
    {"reduce-addresses", &optimise_options::reduce_addresses, reduce_addresses},
    {"try-own", &optimise_options::try_own, try_own},
};

bool is_in_system_header(const node& n, const token_list& tokens) {
  return tokens.files[tokens.tokens[n.first].file].is_system;
}

}  // namespace

void optimise(node& unit, type_table& types, const token_list& tokens, diagnostics& report,
              const optimise_options& options) {
  int names = 0;
  std::set<const entity*> computing;
  for (node* external : unit.children) {
    if (!external || external->kind != node_kind::function_definition) continue;
    // Plain C comes through as it is written, but for loops that wait.
    const bool is_plain = !external->translate;
    if (is_plain && is_in_system_header(*external, tokens)) continue;
    for (const known_pass& p : kPasses) {
      if (options.*p.is_on && (!is_plain || p.run == poll_loops))
        p.run(*external, {types, tokens, report, options, p.name, &names, computing});
    }
    if (options.try_own && only_computes(*external))
      computing.insert(external->declared->declarators[0].declared);
  }
}

}  // namespace splitcc
