// SPDX-License-Identifier: Apache-2.0
#include "tools/characterize/report/sentences.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tools/characterize/drift.hpp"
#include "tools/characterize/report/quantities.hpp"

namespace characterize {
namespace {

using console::json;
using verdict = finding::verdict;

// A capacity is where misses begin to be felt, which is near the cache's size.
constexpr double kCapacityTolerance = 0.3;

finding compare(std::string text, double found, double said, double tolerance, std::string words) {
  if (said == 0) return {std::move(text), verdict::not_said, ""};
  const bool agrees = std::abs(found - said) <= tolerance * said;
  return {std::move(text), agrees ? verdict::agrees : verdict::differs, std::move(words)};
}

const char* ordinal(std::size_t i) {
  constexpr const char* kWords[] = {"first", "second", "third", "fourth", "fifth"};
  return i < std::size(kWords) ? kWords[i] : "next";
}

finding level_finding(const memory_results& r, const description& said, std::size_t i) {
  const level& l = r.levels[i];
  if (!l.capacity)
    return {fmt::format("Beyond that a read takes {}.", ns_text(l.ns)), verdict::not_said, ""};
  const double bytes = i < said.data_caches.size() ? double(said.data_caches[i].bytes) : 0;
  return compare(fmt::format("The {} level serves up to {} in {} a read.", ordinal(i),
                             bytes_text(*l.capacity), ns_text(l.ns)),
                 *l.capacity, bytes, kCapacityTolerance, bytes_text(bytes));
}

std::string verdict_text(const finding& f) {
  if (f.compared == verdict::not_said) return "";
  return fmt::format("   (the system says {}: {})", f.said,
                     f.compared == verdict::agrees ? "agrees" : "differs");
}

std::string row(const std::string& title, const curve& c, const char* unit) {
  std::string heads, values;
  for (const point& p : c) {
    heads += fmt::format(" {:>8}", *unit == 'B' ? bytes_text(p.x) : fmt::format("{:.0f}", p.x));
    values += fmt::format(" {:>8}", ns_text(p.ns));
  }
  return fmt::format("  {:<22}{}\n  {:<22}{}\n", title, heads, "", values);
}

std::string bulk_text(const char* what, const std::vector<mechanism>& ways) {
  std::string text = fmt::format("  {}:", what);
  const std::vector<choice> choices = fastest_by_size(ways);
  for (std::size_t i = 0; i < choices.size(); ++i)
    text += i == 0
                ? fmt::format(" {}", choices[i].name)
                : fmt::format(", from {} {}", bytes_text(choices[i].from_bytes), choices[i].name);
  text += "\n";
  for (const mechanism& m : ways) {
    std::string line;
    for (const double bytes : {8.0, 64.0, 1024.0, 16384.0, 262144.0, 4194304.0})
      for (const point& p : m.transfers)
        if (p.x == bytes) line += fmt::format("  {} {}", bytes_text(bytes), ns_text(p.ns));
    text += fmt::format("    {:<10}{}\n", m.name, line);
  }
  return text;
}

}  // namespace

std::vector<finding> findings_of(const memory_results& r, const description& said) {
  const described_cache first = said.data_caches.empty() ? described_cache{} : said.data_caches[0];
  std::vector<finding> all;
  for (std::size_t i = 0; i < r.levels.size(); ++i) all.push_back(level_finding(r, said, i));
  if (r.line_bytes)
    all.push_back(compare(
        fmt::format("A read brings {} with it.", bytes_text(double(*r.line_bytes))),
        double(*r.line_bytes), double(first.line_bytes), 0, bytes_text(double(first.line_bytes))));
  if (r.ways)
    all.push_back(compare(fmt::format("A set of the first level holds {} lines.", *r.ways), *r.ways,
                          first.ways, 0, fmt::format("{}", first.ways)));
  if (r.page_bytes)
    all.push_back(compare(fmt::format("A page has {}.", bytes_text(double(*r.page_bytes))),
                          double(*r.page_bytes), double(said.page_bytes), 0,
                          bytes_text(double(said.page_bytes))));
  if (r.tlb_pages)
    all.push_back({fmt::format("The addresses of {} pages are known at once; beyond that a read "
                               "takes {} more.",
                               *r.tlb_pages, ns_text(r.tlb_miss_ns)),
                   verdict::not_said, ""});
  all.push_back({fmt::format("The first write to a page takes {}.", ns_text(r.first_touch_ns)),
                 verdict::not_said, ""});
  return all;
}

std::string text_of(const memory_results& r, const description& said) {
  std::string text = "Memory, as one core sees it\n";
  for (const finding& f : findings_of(r, said))
    text += fmt::format("  {}{}\n", f.text, verdict_text(f));
  if (!r.huge_pages)
    text +=
        "  Large pages were not granted: the figures beyond the first levels hold misses of "
        "the TLB.\n";
  return text + drift_text(r.drift, kCoreDrift);
}

std::string drift_text(double drift, double worth_saying) {
  if (drift <= worth_saying) return "";
  return fmt::format(
      "  The machine's pace changed by {:.0f} % meanwhile: run again on a quieter machine.\n",
      (drift - 1) * 100);
}

std::string text_of(const remote_results& r, const std::string& between) {
  const message_costs& m = r.messages;
  return fmt::format(
             "Between {}\n"
             "  A short message takes {} there and back: o_s {}, o_r {}, L {}; a row of them has "
             "g {}; G {:.3f} ns a byte.\n"
             "  A put takes {}, a fetch-and-add {}, a barrier {}.\n",
             between, ns_text(m.round_trip_ns), ns_text(m.send_ns), ns_text(m.receive_ns),
             ns_text(m.latency_ns()), ns_text(m.gap_ns), m.byte_ns, ns_text(r.put_ns),
             ns_text(r.fetch_add_ns), ns_text(r.barrier_ns)) +
         row("Reads by stride", r.reads, "B") + row("Writes by stride", r.writes, "B") +
         row("Gets by group", r.gets, "") + row("Puts by group", r.puts, "") +
         row("Puts by stride", r.puts_by_stride, "B") +
         bulk_text("Reading many bytes", r.bulk_reads) +
         bulk_text("Writing many bytes", r.bulk_writes) + drift_text(r.drift, kRankDrift);
}

json as_json(const memory_results& r, const description& said) {
  json j = {{"huge_pages", r.huge_pages},
            {"drift", r.drift},
            {"steady", r.drift <= kCoreDrift},
            {"reads_by_size", as_json(r.by_size)},
            {"gathers_by_size", as_json(r.gathers)},
            {"reads_in_pairs_by_distance", as_json(r.second_reads)},
            {"reads_of_one_set", as_json(r.one_set)},
            {"reads_by_pages", as_json(r.by_pages)},
            {"reads_by_page_stride", as_json(r.by_page_stride)},
            {"first_touch_ns", r.first_touch_ns}};
  json strides = json::array();
  for (const stride_row& s : r.strides)
    strides.push_back(
        {{"bytes", s.bytes}, {"reads", as_json(s.reads)}, {"writes", as_json(s.writes)}});
  j["by_stride"] = strides;
  json sentences = json::array();
  for (const finding& f : findings_of(r, said)) {
    json each = {{"text", f.text}};
    if (f.compared != verdict::not_said) {
      each["system_says"] = f.said;
      each["agrees"] = f.compared == verdict::agrees;
    }
    sentences.push_back(each);
  }
  j["findings"] = sentences;
  return j;
}

}  // namespace characterize
