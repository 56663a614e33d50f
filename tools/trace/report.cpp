// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "tools/trace/timeline.hpp"

namespace traces {
namespace {

using pages::cell;
using pages::duration;
using pages::section;
using pages::table;

constexpr std::size_t kTableRowsMax = 24;
constexpr unsigned kShadedRanksMax = 64;

std::string times(std::uint64_t ns) { return duration(double(ns)); }

std::string share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-" : fmt::format("{:.1f} %", 100.0 * double(part) / double(whole));
}

std::string count(std::uint64_t n, const char* what, const char* plural = "s") {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : plural);
}

// The first rows, and a sentence of how many there are.
template <class Row>
std::size_t shown_of(const std::vector<Row>& rows, const char* what, section& s) {
  if (rows.size() > kTableRowsMax)
    s.sentences.push_back(
        fmt::format("The first {} of {} {} are shown.", kTableRowsMax, rows.size(), what));
  return std::min(rows.size(), kTableRowsMax);
}

void say_what_is_missing(const job_trace& job, const trace_analysis& a, section& s) {
  if (job.sample > 1)
    s.sentences.push_back(fmt::format("Of messages only one of {} is in the file.", job.sample));
  if (job.is_cut)
    s.sentences.emplace_back("The file is cut: everything here is of the part that is there.");
  if (job.is_partial)
    s.sentences.emplace_back(
        "The file has more events than fit into memory: the first ones count.");
  if (const std::uint64_t lost = job.lost(); lost != 0) {
    std::uint64_t told = 0;
    for (const traced_ranks& ring : job.rings) told += ring.told;
    s.sentences.push_back(fmt::format(
        "{} are lost, {} of all: they were overwritten, or over --trace-limit. Where they are "
        "missing, nothing is drawn.",
        count(lost, "event"), share(lost, lost + told)));
  } else if (!job.is_cut && a.duration_ns != 0) {
    s.sentences.emplace_back("No event is lost.");
  }
  s.sentences.push_back(
      job.clock_error_ns == 0
          ? "How well the clocks of ranks agree is not in the file."
          : fmt::format(
                "Clocks of different ranks agree within {}: an arrow may point back by that "
                "much.",
                times(job.clock_error_ns)));
}

void say_what_is_exact(const job_timeline& t, section& s) {
  const pages::timeline& shown = t.shown;
  if (t.rows_in_all > shown.rows.size())
    s.sentences.push_back(
        fmt::format("The first {} of {} endpoints have a row and are in the table of times; "
                    "all count in the other tables.",
                    shown.rows.size(), t.rows_in_all));
  if (shown.slices.size() == shown.slices_in_all) {
    s.sentences.push_back(fmt::format("The timeline has all {} events.", shown.slices_in_all));
    return;
  }
  std::uint64_t exact_ns = 0;
  for (const pages::stretch& e : shown.exact) exact_ns += e.end_ns - e.begin_ns;
  s.sentences.push_back(fmt::format(
      "The timeline has {} of {} events one by one: all of those in {}, {} of the time, which the "
      "line below the axis marks, and elsewhere the longest. The others are in it as shares of "
      "time, {} for each row. The tables count all of them.",
      shown.slices.size(), shown.slices_in_all, count(shown.exact.size(), "stretch", "es"),
      share(exact_ns, shown.duration_ns), shown.bins));
}

std::string title_of(const std::string& path, const job_trace& job) {
  const std::string program = std::filesystem::path(job.program).filename().string();
  return fmt::format("{} on {} ({})", program.empty() ? "A job" : program, count(job.ranks, "rank"),
                     std::filesystem::path(path).filename().string());
}

section timeline_section(const std::string& path, const job_trace& job, const trace_analysis& a,
                         job_timeline& t) {
  section s;
  s.title = title_of(path, job);
  s.sentences.push_back(fmt::format(
      "{} of {}{}: {}, {} handled, {}, {}.", times(a.duration_ns), job.program,
      job.nodes > 1 ? fmt::format(" on {} nodes", job.nodes) : "",
      count(a.sends, "message") + " sent", a.handled, count(a.accesses, "far access", "es"),
      count(a.switches, "switch", "es") + " of threads"));
  say_what_is_missing(job, a, s);
  say_what_is_exact(t, s);
  t.shown.title = fmt::format(
      "What each rank did, over {}: a row for each endpoint, with its handlers, waits and "
      "collectives, arrows from sends to handlers, and the critical path.",
      times(a.duration_ns));
  s.timelines.push_back(std::move(t.shown));
  return s;
}

section times_section(const trace_analysis& a, const job_timeline& t) {
  section s{"Where the time of each rank went", {}, {}, {}};
  s.sentences.emplace_back(
      "A handler that runs in a wait counts as a handler, a wait in a collective as a wait; waits "
      "of user-level threads may overlap with what other threads do. The rest is the program's "
      "own, or the scheduler's of such threads.");
  table of_ranks{"Time by rank",
                 {"rank", "handlers", "waits", "collectives", "the rest", "on the critical path"},
                 {}};
  for (const endpoint_time& e : t.times) {
    std::uint64_t rest = a.duration_ns;
    std::vector<cell> row = {e.endpoint == 0 ? fmt::format("{}", e.rank)
                                             : fmt::format("{}, endpoint {}", e.rank, e.endpoint)};
    for (const std::uint64_t ns : e.ns) {
      rest -= std::min(rest, ns);
      row.emplace_back(share(ns, a.duration_ns));
    }
    row.emplace_back(share(rest, a.duration_ns));
    row.emplace_back(e.endpoint != 0 || e.rank >= a.path_ns.size() ? "" : times(a.path_ns[e.rank]));
    of_ranks.rows.push_back(std::move(row));
  }
  s.tables.push_back(std::move(of_ranks));
  return s;
}

std::string cause_of(const long_wait& w) {
  if (w.cause_rank < 0) return w.for_signal ? "a store to this rank's memory" : "";
  return fmt::format("rank {}, {} late", w.cause_rank, times(w.late_ns));
}

table waits_table(const char* title, const std::vector<wait_row>& rows, section& s) {
  table t{title, {"for", "times", "total", "mean", "longest", "of rank"}, {}};
  for (std::size_t i = 0, shown = shown_of(rows, "names", s); i < shown; ++i) {
    const wait_row& row = rows[i];
    t.rows.push_back({row.name, fmt::format("{}", row.waits), times(row.total_ns),
                      times(row.total_ns / row.waits), times(row.longest_ns),
                      fmt::format("{}", row.longest_rank)});
  }
  return t;
}

section waits_section(const trace_analysis& a) {
  section s{"The waits that cost most", {}, {}, {}};
  if (a.waits.empty() && a.collectives.empty()) {
    s.sentences.emplace_back("No rank waited.");
    return s;
  }
  if (!a.waits.empty())
    s.sentences.push_back(fmt::format("All ranks together waited most for {}: {} in {}.",
                                      a.waits.front().name, times(a.waits.front().total_ns),
                                      count(a.waits.front().waits, "wait")));
  if (!a.longest.empty()) {
    const long_wait& w = a.longest.front();
    s.sentences.push_back(fmt::format(
        "The longest single wait was rank {}'s for {}: {}, from {} on{}.", w.rank, w.name,
        times(w.end_ns - w.begin_ns), times(w.begin_ns - a.first_ns),
        w.cause_rank < 0 ? ""
                         : fmt::format("; rank {} was {} late", w.cause_rank, times(w.late_ns))));
    table longest{"The longest single waits", {"for", "rank", "from", "took", "because of"}, {}};
    for (const long_wait& each : a.longest)
      longest.rows.push_back({each.name, fmt::format("{}", each.rank),
                              times(each.begin_ns - a.first_ns), times(each.end_ns - each.begin_ns),
                              cause_of(each)});
    s.tables.push_back(std::move(longest));
  }
  if (const std::string hint = near_accesses_hint(a); !hint.empty())
    s.sentences.push_back("The file does not say who ended " + hint + ".");
  if (!a.waits.empty()) s.tables.push_back(waits_table("Waits", a.waits, s));
  if (!a.collectives.empty())
    s.tables.push_back(waits_table("Collectives, with the waits in them", a.collectives, s));
  return s;
}

section late_section(const trace_analysis& a) {
  section s{"Late senders", {}, {}, {}};
  s.sentences.emplace_back(
      "How long others waited for a message before this rank sent it, or for this rank to come to "
      "a collective.");
  if (a.late.empty())
    s.sentences.emplace_back("None: no rank waited for what another one had not sent yet.");
  table t{"Late senders", {"rank", "others waited", "in waits"}, {}};
  for (std::size_t i = 0, shown = shown_of(a.late, "ranks", s); i < shown; ++i)
    t.rows.push_back({fmt::format("{}", a.late[i].rank), times(a.late[i].total_ns),
                      fmt::format("{}", a.late[i].waits)});
  if (!a.late.empty()) s.tables.push_back(std::move(t));
  return s;
}

table handlers_table(const trace_analysis& a, section& s) {
  table t{"Messages by handler",
          {"handler", "messages", "bytes", "in the handler", "under way, mean", "longest"},
          {}};
  for (std::size_t i = 0, shown = shown_of(a.handlers, "handlers", s); i < shown; ++i) {
    const handler_row& row = a.handlers[i];
    t.rows.push_back({row.name, fmt::format("{}", row.messages),
                      pages::size_text(double(row.bytes)), times(row.busy_ns),
                      row.joined == 0 ? "" : times(row.flight_ns / row.joined),
                      row.joined == 0 ? "" : times(row.flight_ns_max)});
  }
  return t;
}

table matrix_of(const job_trace& job, const trace_analysis& a) {
  table t{
      "Bytes from the rank of the row to that of the column; the darker, the more", {"from"}, {}};
  std::uint64_t most = 1;
  for (const auto& [ranks, pair] : a.pairs) most = std::max(most, pair.bytes);
  for (unsigned to = 0; to < job.ranks; ++to) t.head.push_back(fmt::format("to {}", to));
  for (unsigned from = 0; from < job.ranks; ++from) {
    std::vector<cell> row = {fmt::format("{}", from)};
    for (unsigned to = 0; to < job.ranks; ++to) {
      const auto pair = a.pairs.find({from, to});
      cell c = pair == a.pairs.end() ? "-" : pages::size_text(double(pair->second.bytes)).c_str();
      if (pair != a.pairs.end()) c.shade = double(pair->second.bytes) / double(most);
      row.push_back(std::move(c));
    }
    t.rows.push_back(std::move(row));
  }
  return t;
}

table pairs_table(const trace_analysis& a, section& s) {
  using pair = std::pair<std::pair<std::uint32_t, std::uint32_t>, pair_row>;
  std::vector<pair> rows(a.pairs.begin(), a.pairs.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const pair& x, const pair& y) { return x.second.bytes > y.second.bytes; });
  table t{"Bytes, of the pairs with most", {"from", "to", "bytes", "messages"}, {}};
  for (std::size_t i = 0, shown = shown_of(rows, "pairs", s); i < shown; ++i)
    t.rows.push_back({fmt::format("{}", rows[i].first.first),
                      fmt::format("{}", rows[i].first.second),
                      pages::size_text(double(rows[i].second.bytes)),
                      fmt::format("{}", rows[i].second.messages)});
  return t;
}

section messages_section(const job_trace& job, const trace_analysis& a) {
  section s{"Messages", {}, {}, {}};
  if (a.handlers.empty() && a.pairs.empty()) s.sentences.emplace_back("No message was handled.");
  if (!a.handlers.empty()) s.tables.push_back(handlers_table(a, s));
  if (!a.pairs.empty())
    s.tables.push_back(job.ranks <= kShadedRanksMax ? matrix_of(job, a) : pairs_table(a, s));
  return s;
}

section path_section(const trace_analysis& a) {
  section s{"The critical path", {}, {}, {}};
  if (a.path.empty()) {
    s.sentences.emplace_back("The file has no events.");
    return s;
  }
  s.sentences.emplace_back(
      "Backwards from the last event, through what the rank did since the last wait that another "
      "one ended, then on with that one, from when it sent. Who makes a part of this chain "
      "shorter makes the job shorter.");
  s.sentences.push_back(fmt::format("It has {}, and is between ranks for {} of {}.",
                                    count(a.path.size(), "part"), times(a.path_flight_ns),
                                    times(a.duration_ns)));
  std::vector<path_row> parts = a.path;
  std::stable_sort(parts.begin(), parts.end(), [](const path_row& x, const path_row& y) {
    return x.end_ns - x.begin_ns > y.end_ns - y.begin_ns;
  });
  table t{"Its longest parts", {"until", "rank", "from", "took"}, {}};
  for (std::size_t i = 0, shown = shown_of(parts, "parts", s); i < shown; ++i)
    t.rows.push_back({parts[i].sent, fmt::format("{}", parts[i].rank),
                      times(parts[i].begin_ns - a.first_ns),
                      times(parts[i].end_ns - parts[i].begin_ns)});
  s.tables.push_back(std::move(t));
  return s;
}

}  // namespace

std::vector<section> sections_of(const std::string& path, std::size_t traces_on_page) {
  const job_trace job = read_trace(path);
  const trace_analysis a = analyse(job);
  job_timeline t = timeline_of(job, a, kSlicesMax / std::max<std::size_t>(1, traces_on_page));
  std::vector<section> sections;
  sections.push_back(timeline_section(path, job, a, t));
  sections.push_back(times_section(a, t));
  sections.push_back(waits_section(a));
  sections.push_back(late_section(a));
  sections.push_back(messages_section(job, a));
  sections.push_back(path_section(a));
  return sections;
}

}  // namespace traces
