// SPDX-License-Identifier: Apache-2.0
// A cluster for each code block: inlets as boxes, threads as ellipses with their entry counts.
#include "languages/tam/tl0/print/print.hpp"
#include "languages/tam/tl0/verify/graph.hpp"

namespace tl0 {
namespace {

std::string style(edge_kind is) {
  switch (is) {
    case edge_kind::post:
      return "";
    case edge_kind::fork:
      return "";
    case edge_kind::again:
      return "label=\"again\", style=bold, constraint=false";
    case edge_kind::yes:
      return "label=\"yes\"";
    case edge_kind::no:
      return "label=\"no\"";
    case edge_kind::request:
      return "style=dashed";
  }
  return "";
}

std::string node_id(index block, index node) {
  return "b" + std::to_string(block) + "_" + std::to_string(node);
}

std::string nodes(const program& p, const graph& g) {
  const code_block& b = p.blocks[g.block];
  std::string text;
  for (index n = 0; n < g.node_count(); ++n) {
    text += "    " + node_id(g.block, n) + " [";
    if (g.is_inlet(n)) {
      text += "shape=box, label=\"" + p.name(p.inlets[b.inlets.first + n].name) + "\"";
    } else {
      const thread& t = p.threads[b.threads.first + n - g.inlets];
      text += "label=\"" + p.name(t.name) +
              (t.entry_count == 1 ? "" : "\\n" + std::to_string(t.entry_count)) + "\"";
    }
    text += "];\n";
  }
  return text;
}

// Who activates whom, by the threads that do.
std::string activations(const program& p, index block) {
  const code_block& b = p.blocks[block];
  std::string text;
  for (index t = b.threads.first; t < b.threads.end(); ++t) {
    const range code = p.threads[t].code.instructions;
    for (index i = code.first; i < code.end(); ++i) {
      const instruction& it = p.instructions[i];
      const bool activates =
          it.op == opcode::falloc || it.op == opcode::falloc_at || it.op == opcode::spawn;
      if (!activates || it.target == kNone) continue;
      text += "  " + node_id(block, t - b.threads.first + b.inlets.count) + " -> " +
              node_id(it.target, 0) + " [color=gray, arrowhead=empty, lhead=cluster_" +
              std::to_string(it.target) + "];\n";
    }
  }
  return text;
}

}  // namespace

std::string dot(const program& p) {
  std::string text = "digraph program {\n  compound=true;\n  node [shape=ellipse];\n";
  for (index b = 0; b < p.blocks.size(); ++b) {
    const graph g = graph_of(p, b);
    text += "  subgraph cluster_" + std::to_string(b) + " {\n    label=\"" +
            p.name(p.blocks[b].name) + "\";\n" + nodes(p, g);
    for (const edge& e : g.edges) {
      const std::string look = style(e.is);
      text += "    " + node_id(b, e.from) + " -> " + node_id(b, e.to) +
              (look.empty() ? "" : " [" + look + "]") + ";\n";
    }
    text += "  }\n";
  }
  for (index b = 0; b < p.blocks.size(); ++b) text += activations(p, b);
  return text + "}\n";
}

}  // namespace tl0
