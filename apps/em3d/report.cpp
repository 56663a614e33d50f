// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <fstream>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "tools/cli/json.hpp"

namespace em3d {
namespace {

using console::json;

constexpr const char* kAlone = "one rank: no edge can be remote, so the percentage is 0";

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

// Of the machine: this rank itself may be bound to one.
long cores_online() { return ::sysconf(_SC_NPROCESSORS_ONLN); }

json as_json(const timings& t) {
  return {{"median", t.median()}, {"min", t.least()}, {"max", t.most()}};
}

json as_json(const result& r) {
  return {{"version", r.version},
          {"remote_percent", r.remote_percent},
          {"remote_edges", r.remote_edges},
          {"ghosts", r.ghosts},
          {"ns_per_edge", as_json(r.ns_per_edge)},
          {"checksum", fmt::format("{:016x}", r.checksum)},
          {"check", r.correct ? "ok" : "wrong"}};
}

std::string json_of(const options& o, int ranks, const measurement& m) {
  json results = json::array();
  for (const result& r : m.results) results.push_back(as_json(r));
  const json all = {
      {"machine", {{"processor", processor_name()}, {"cores", cores_online()}}},
      {"ranks", ranks},
      {"nodes_per_rank", o.nodes},
      {"degree", o.degree},
      {"edges_per_rank", o.nodes * o.degree},
      {"iterations", o.iterations},
      {"repeats", o.repeats},
      {"seed", o.seed},
      {"note", ranks == 1 ? json(kAlone) : json()},
      {"serial_ns_per_edge", as_json(m.serial)},
      {"results", results},
  };
  return all.dump() + "\n";
}

// The end of a plural.
const char* s_of(auto count) { return count == 1 ? "" : "s"; }

std::string number(double ns) { return fmt::format("{:.{}f}", ns, ns >= 99.995 ? 0 : 2); }

std::string text_of(const options& o, int ranks, const measurement& m) {
  std::string text = fmt::format(
      "EM3D on {} rank{}, {} E and {} H node{} each, degree {}, {} iteration{}, seed {}\n"
      "ns per edge of a rank, median of {} run{}, by the percentage of remote edges\n\n{:>8}",
      ranks, s_of(ranks), o.nodes / 2, o.nodes / 2, s_of(o.nodes / 2), o.degree, o.iterations,
      s_of(o.iterations), o.seed, o.repeats, s_of(o.repeats), "remote");
  for (const unsigned percent : o.remote_percents) text += fmt::format(" {:>5}%", percent);
  for (std::size_t v = 0; v < o.versions.size(); ++v) {
    text += fmt::format("\n{:>8}", o.versions[v].name);
    for (std::size_t i = v; i < m.results.size(); i += o.versions.size())
      text += fmt::format(" {:>6}", number(m.results[i].ns_per_edge.median()));
  }
  text += fmt::format("\n\n  serial {:>6}   a plain loop without ranks, all edges local\n",
                      number(m.serial.median()));
  if (ranks == 1) text += fmt::format("  {}\n", kAlone);
  if (!m.wrong) text += "  All fields are those of the serial computation, bit for bit.\n";
  return text;
}

}  // namespace

std::string report(const options& o, int ranks, const measurement& m) {
  return o.json ? json_of(o, ranks, m) : text_of(o, ranks, m);
}

}  // namespace em3d
