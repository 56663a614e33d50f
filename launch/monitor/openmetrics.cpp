// SPDX-License-Identifier: Apache-2.0
#include "launch/monitor/openmetrics.hpp"

#include "report/text.hpp"

namespace ramjet::monitor {
namespace {

using report::text;

unsigned long long wide(std::uint64_t n) { return n; }

// A family: its name, type, unit and meaning; the name ends in the unit, where there is one.
std::string head(const char* name, const char* type, const char* unit, const char* help) {
  std::string out = text("# TYPE %s %s\n", name, type);
  if (unit[0] != '\0') out += text("# UNIT %s %s\n", name, unit);
  return out + text("# HELP %s %s\n", name, help);
}

// A counter of each rank that is seen.
template <class Value>
std::string counter(const job_sample& s, const char* name, const char* unit, const char* help,
                    Value&& value) {
  std::string out = head(name, "counter", unit, help);
  for (unsigned r = 0; r < s.ranks.size(); ++r)
    if (s.ranks[r].seen)
      out += text("%s_total{rank=\"%u\"} %llu\n", name, r, wide(value(s.ranks[r])));
  return out;
}

template <class Value>
std::string gauge(const job_sample& s, const char* name, const char* unit, const char* help,
                  Value&& value) {
  std::string out = head(name, "gauge", unit, help);
  for (unsigned r = 0; r < s.ranks.size(); ++r)
    if (s.ranks[r].seen) out += text("%s{rank=\"%u\"} %llu\n", name, r, wide(value(s.ranks[r])));
  return out;
}

std::string counters(const job_sample& s) {
  using rank = rank_sample;
  return counter(s, "ramjet_messages_sent", "", "Requests and replies that the rank has sent.",
                 [](const rank& r) { return r.out.sent; }) +
         counter(s, "ramjet_messages_handled", "",
                 "Requests and replies whose handler has run on the rank.",
                 [](const rank& r) { return r.in.handled; }) +
         counter(s, "ramjet_far_messages_sent", "", "Those of them sent to other nodes.",
                 [](const rank& r) { return r.far_sent; }) +
         counter(s, "ramjet_far_messages_handled", "", "Those of them from other nodes.",
                 [](const rank& r) { return r.far_handled; }) +
         counter(s, "ramjet_sent_bytes", "bytes",
                 "Records and payload of messages within the node, as receivers give them back; "
                 "not records that replies give back.",
                 [](const rank& r) { return r.out.bytes; });
}

std::string gauges(const job_sample& s) {
  using rank = rank_sample;
  return gauge(s, "ramjet_messages_queued", "", "Messages sent to the rank and not yet taken.",
               [](const rank& r) { return r.queued; }) +
         gauge(s, "ramjet_messages_chained", "",
               "Messages that wait in the rank's own queues for room at their receivers.",
               [](const rank& r) { return r.chained; }) +
         gauge(s, "ramjet_full_lanes", "", "Lanes on which the rank sleeps until credit comes.",
               [](const rank& r) { return r.full_lanes; }) +
         gauge(s, "ramjet_resident_memory_bytes", "bytes",
               "Resident memory of the rank's process, what it shares included.",
               [](const rank& r) { return r.resident_bytes; }) +
         gauge(s, "ramjet_threads", "", "Threads of the rank's process.",
               [](const rank& r) { return std::uint64_t{r.threads}; });
}

std::string times(const job_sample& s) {
  std::string out = head("ramjet_cpu_seconds", "counter", "seconds",
                         "Processor time of the rank's process, in user and system mode.");
  for (unsigned r = 0; r < s.ranks.size(); ++r)
    if (s.ranks[r].seen)
      out +=
          text("ramjet_cpu_seconds_total{rank=\"%u\"} %.2f\n", r, double(s.ranks[r].cpu_ns) * 1e-9);
  out += head("ramjet_waiting_seconds", "gauge", "seconds",
              "How long the rank has been in the wait that it is in; 0 if it is in none.");
  for (unsigned r = 0; r < s.ranks.size(); ++r)
    if (s.ranks[r].seen)
      out += text("ramjet_waiting_seconds{rank=\"%u\"} %.6f\n", r,
                  double(s.ranks[r].waited_ns) * 1e-9);
  return out;
}

// One of the states is 1.
std::string states(const job_sample& s) {
  std::string out = head("ramjet_rank_state", "stateset", "", "What the rank does.");
  for (unsigned r = 0; r < s.ranks.size(); ++r) {
    for (unsigned a = 0; a < kActivities; ++a)
      out += text("ramjet_rank_state{rank=\"%u\",ramjet_rank_state=\"%s\"} %d\n", r,
                  name_of(activity(a)), s.ranks[r].does == activity(a) ? 1 : 0);
  }
  return out;
}

std::string pairs(const job_sample& s) {
  if (s.ranks.size() > kPairRanksMax) return {};
  std::string out = head("ramjet_pair_messages_sent", "counter", "",
                         "Requests and replies from one rank to another.");
  for (const auto& [key, pair] : s.pairs)
    out += text("ramjet_pair_messages_sent_total{from=\"%u\",to=\"%u\"} %llu\n", key.first,
                key.second, wide(pair.moved.sent));
  return out;
}

}  // namespace

std::string openmetrics_text(const job_sample& s) {
  std::string out = head("ramjet_job_ranks", "gauge", "", "Ranks of the job.") +
                    text("ramjet_job_ranks %zu\n", s.ranks.size()) +
                    head("ramjet_job_nodes", "gauge", "", "Nodes of the job.") +
                    text("ramjet_job_nodes %u\n", s.nodes);
  return out + counters(s) + gauges(s) + times(s) + states(s) + pairs(s) + "# EOF\n";
}

}  // namespace ramjet::monitor
