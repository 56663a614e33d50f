// SPDX-License-Identifier: Apache-2.0
#include "papers/study/report/claims.hpp"
#include "papers/study/report/output.hpp"

namespace study {
namespace {

using console::json;

json counts_of(const machine_counts& c) {
  json accesses = json::object();
  for (const access a : {access::fetch, access::read, access::write}) {
    json by_region = json::object();
    for (unsigned r = 0; r < kRegions; ++r)
      by_region[name_of(static_cast<region>(r))] = c.accesses[static_cast<unsigned>(a)][r];
    accesses[a == access::fetch ? "fetches" : a == access::read ? "reads" : "writes"] = by_region;
  }
  json messages = json::object();
  for (unsigned k = 0; k < kMessageKinds; ++k)
    messages[name_of(static_cast<message_kind>(k))] = c.messages[k];
  return {{"instructions", c.instructions()},
          {"tl0_instructions", c.tl0_instructions},
          {"threads", c.threads},
          {"quanta", c.quanta},
          {"activations", c.activations},
          {"deferred_fetches", c.deferred_fetches},
          {"accesses", accesses},
          {"messages", messages},
          {"code_bytes", c.code_bytes},
          {"memory_bytes", c.memory_bytes},
          {"queue_bytes_max", c.queue_bytes_max}};
}

json misses_of(const outcome& o) {
  json list = json::array();
  for (const cache_shape& shape : o.caches->data().shapes()) {
    const access_counts code = o.caches->code().of(shape), data = o.caches->data().of(shape);
    list.push_back({{"bytes", shape.bytes},
                    {"ways", shape.ways},
                    {"block_bytes", shape.block_bytes},
                    {"code_misses", code.misses()},
                    {"data_misses", data.misses()},
                    {"write_backs", data.write_backs}});
  }
  return list;
}

json misses_by_region_of(const outcome& o) {
  json by_region = json::object();
  for (unsigned r = 0; r < kRegions; ++r)
    by_region[name_of(static_cast<region>(r))] = o.caches->by_region().of(static_cast<region>(r));
  return by_region;
}

json outcome_of(const outcome& o) {
  json made = {{"counts", counts_of(o.counts)},
               {"threads_a_quantum", threads_a_quantum(o)},
               {"instructions_a_thread", instructions_a_thread(o)},
               {"instructions_a_quantum", instructions_a_quantum(o)},
               {"queue_bytes", o.queue_bytes},
               {"seconds", o.seconds}};
  if (!o.caches) return made;
  made["caches"] = misses_of(o);
  made["table_2_misses"] = misses_by_region_of(o);
  return made;
}

json shown(const program_result& p) {
  return {
      {"name", p.name},         {"arguments", json::array(p.arguments)}, {"prints", p.am.output},
      {"AM", outcome_of(p.am)}, {"AM enabled", outcome_of(p.enabled)},   {"MD", outcome_of(p.md)}};
}

json point(const std::string& name, std::uint32_t ways, double miss, std::uint32_t bytes,
           double value) {
  return {
      {"name", name}, {"ways", ways}, {"miss_cycles", miss}, {"bytes", bytes}, {"ratio", value}};
}

json ratios_of(const study_result& s) {
  json list = json::array();
  for (const std::uint32_t ways : cache_sweep::kWays)
    for (const double miss : kMissCycles)
      for (const std::uint32_t bytes : sizes()) {
        const cache_shape shape{bytes, ways, kBlockBytes};
        for (const program_result& p : s.programs)
          list.push_back(point(p.name, ways, miss, bytes, ratio(p, shape, miss)));
        list.push_back(point("mean", ways, miss, bytes, mean_ratio(s, shape, miss)));
        list.push_back(
            point("mean without SS", ways, miss, bytes, mean_ratio(s, shape, miss, "SS")));
        list.push_back(point("mean without code misses", ways, miss, bytes,
                             mean_ratio(s, shape, miss, {}, ratio_without_code_misses)));
      }
  return list;
}

json seconds_of(const times_by_scheduler& times) {
  json all = json::object();
  for (std::size_t by = 0; by < kSchedulers.size(); ++by) {
    json& runs = all[kSchedulers[by]] = json::array();
    for (const double each : times[by].seconds) runs.push_back(each);
  }
  return all;
}

json medians_of(const times_by_scheduler& times) {
  json all = json::object();
  for (std::size_t by = 0; by < kSchedulers.size(); ++by) all[kSchedulers[by]] = times[by].median();
  return all;
}

// What the kernel does not count is missing.
json hardware_of(const native_result& n) {
  json all = json::object();
  for (std::size_t by = 0; by < kSchedulers.size(); ++by) {
    json& counts = all[kSchedulers[by]] = json::object();
    for (std::size_t e = 0; e < kHardwareEvents; ++e)
      if (n.counts[by][e]) counts[kHardware[e].name] = *n.counts[by][e];
  }
  return all;
}

json native_of(const study_result& s) {
  json list = json::array();
  for (std::size_t i = 0; i < s.native.alone.size(); ++i) {
    const native_result& n = s.native.alone[i];
    json counted = json::array();
    for (const double miss : kMissCyclesNow)
      counted.push_back(
          {{"miss_cycles", miss}, {"ratio", ratio(s.programs[i], kTableShape, miss)}});
    list.push_back({{"name", n.name},
                    {"arguments", json::array(n.arguments)},
                    {"prints", n.output},
                    {"seconds", seconds_of(n.by)},
                    {"medians", medians_of(n.by)},
                    {"ratio", n.ratio(kNativeMd)},
                    {"counts", hardware_of(n)},
                    {"counted", counted},
                    {"counted_today", ratio_of_levels(s.programs[i])}});
  }
  return list;
}

json on_ranks_of(const native_study& s) {
  json list = json::array();
  for (const ranks_result& n : s.on_ranks) {
    json runs = json::array();
    for (std::size_t at = 0; at < s.ranks.size(); ++at)
      runs.push_back({{"ranks", s.ranks[at]},
                      {"seconds", seconds_of(n.by_ranks[at])},
                      {"medians", medians_of(n.by_ranks[at])}});
    list.push_back({{"name", n.name},
                    {"arguments", json::array(n.arguments)},
                    {"prints", n.output},
                    {"runs", runs}});
  }
  return list;
}

}  // namespace

json json_of(const study_result& s) {
  json programs = json::array(), claims = json::array();
  for (const program_result& p : s.programs) programs.push_back(shown(p));
  for (const claim& c : claims_of(s))
    claims.push_back(
        {{"place", c.place}, {"text", c.text}, {"reproduced", c.holds}, {"evidence", c.evidence}});
  const comparison c = compare(s);
  json means = json::array();
  for (std::size_t i = 0; i < std::size(kMissCycles); ++i)
    means.push_back(
        {{"miss_cycles", kMissCycles[i]}, {"ours", c.ours[i]}, {"theirs", c.theirs[i]}});
  json all = {{"papers", papers()},
              {"table_2_means", means},
              {"table_2_same_sides", c.same_sides},
              {"mean_ratios",
               {{"reads", mean_accesses(s, access::read)},
                {"writes", mean_accesses(s, access::write)},
                {"fetches", mean_accesses(s, access::fetch)}}},
              {"programs", programs},
              {"ratios", ratios_of(s)},
              {"claims", claims}};
  if (s.native.alone.empty()) return all;
  all["native"] = native_of(s);
  all["native_counts_missing"] = s.native.counts_missing;
  if (!s.native.on_ranks.empty()) all["native_on_ranks"] = on_ranks_of(s.native);
  return all;
}

}  // namespace study
