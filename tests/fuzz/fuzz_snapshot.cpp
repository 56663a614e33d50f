// SPDX-License-Identifier: Apache-2.0
// A job whose ranks write anything into the shared object, as the launcher sees it: the layout,
// the ports, the counters, and every text that is made of them. The layout may change meanwhile.
//
// The input: how many ranks and nodes, a layout, and for each node what stands in the rank lines,
// ports and counters.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "fuzz_input.hpp"
#include "lane/shared_lane.hpp"
#include "launch/memory.hpp"
#include "report/report.hpp"
#include "report/snapshot.hpp"

namespace {

namespace job = ramjet::job;
namespace detail = ramjet::detail;
namespace launcher = ramjet::launcher;
namespace node = ramjet::node;
namespace report = ramjet::report;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

void write_at(const report::node_memory& object, std::uint64_t offset, const void* from,
              std::size_t bytes) {
  expect(pwrite(object.descriptor(), from, bytes, off_t(offset)) == ssize_t(bytes), "no room");
}

// A layout that could be, but for what the input puts into it.
node::geometry make_layout(unsigned ranks, fuzz::input& in) {
  const std::uint8_t how = in.byte();
  node::geometry g{};
  g.ranks = ranks;
  g.endpoints = 1 + (how & 3);
  g.ports = g.ranks * g.endpoints;
  g.regions = 2;
  node::region_entry &ports = g.table[0], &counters = g.table[1];
  std::strcpy(ports.name, node::ports.name());
  std::strcpy(counters.name, ramjet::lane::counters.name());
  ports.offset = node::board_bytes(ranks);
  ports.bytes = g.ports * sizeof(detail::port_line);
  counters.offset = ports.offset + node::page_up(ports.bytes);
  counters.bytes = std::uint64_t(g.ports) * g.ports * sizeof(detail::pair_counters);
  if (how & 0x04) g.endpoints = in.number<std::uint32_t>();
  if (how & 0x08) g.ports = in.number<std::uint32_t>();
  if (how & 0x10) ports.offset = in.number<std::uint64_t>();
  if (how & 0x20) counters.offset = in.number<std::uint64_t>();
  if (how & 0x40) in.take(&g.table[in.byte() & 1], sizeof ports);
  if (how & 0x80) g.ranks = in.byte();
  return g;
}

void publish(node::board& b, const node::geometry& g, std::uint32_t state) {
  b.layout = g;
  b.layout_state.store(state);
}

// 16-bit words over a part of the object.
void scribble(const report::node_memory& object, std::uint64_t offset, std::size_t bytes,
              fuzz::input& in) {
  for (unsigned n = in.byte() & 31; n != 0 && !in.empty(); --n) {
    const std::size_t at = std::size_t(in.number<std::uint16_t>()) % (bytes / 2) * 2;
    const auto value = in.number<std::uint16_t>();
    write_at(object, offset + at, &value, sizeof value);
  }
}

void tell_everything(const report::job_snapshot& s) {
  std::size_t length = report::hang_report(s, "a headline").size() + report::diagnosis(s).size() +
                       report::who_waited(s).size();
  for (unsigned r = 0; r < s.ranks.size(); ++r) length += report::who_waited_for(s, r).size();
  expect(length > 0, "a report says nothing");
}

void look(const launcher::job_memory& memory, const node::geometry& second, fuzz::input& in) {
  static_cast<void>(report::read_activity(memory.readable()));
  report::job_snapshot s = report::read_waits(memory.readable());
  const std::uint8_t how = in.byte();
  for (report::rank_view& rank : s.ranks) {
    const std::uint8_t process = in.byte();
    rank.exited = process & 1;
    rank.process_state = "RSDTtZ??"[process >> 1 & 7];
  }
  if (how & 1) publish(memory.node(0).the_board(), second, how & 2 ? 2 : how >> 2 & 3);
  report::read_lanes(memory.readable(), s);
  tell_everything(s);
  memory.note_failure(how % memory.ranks(), 9, 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  fuzz::input in(data, bytes);
  const std::uint8_t how = in.byte();
  const unsigned ranks = 1 + (how & 3), nodes = ranks > 1 && (how & 4) != 0 ? 2 : 1;
  launcher::job_memory memory;
  if (memory.create(ranks, nodes, node::failure_policy::abort, 64)) return 0;
  const std::size_t board = node::board_bytes(ranks);
  const std::size_t behind =
      node::page_up(16 * sizeof(detail::port_line)) + 256 * sizeof(detail::pair_counters);
  const node::geometry first = make_layout(ranks, in), second = make_layout(ranks, in);
  for (unsigned node = 0; node < nodes; ++node) {
    const report::node_memory& object = memory.node(node);
    expect(ftruncate(object.descriptor(), off_t(board + behind)) == 0, "no room");
    publish(object.the_board(), first, in.byte() & 1 ? 1 : 2);
    scribble(object, node::kRanksOffset, ranks * sizeof(node::rank_line), in);
    scribble(object, board, behind, in);
  }
  look(memory, second, in);
  return 0;
}
