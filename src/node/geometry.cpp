// SPDX-License-Identifier: Apache-2.0
#include "node/geometry.hpp"

#include <cstring>

#include "node/board.hpp"
#include "node/program_part.hpp"
#include "node/segments.hpp"

namespace ramjet::node {

geometry make_geometry(unsigned ranks, unsigned endpoints, std::uint64_t segment_bytes) {
  return make_geometry(ranks, endpoints, segment_bytes, {});
}

geometry make_geometry(unsigned ranks, unsigned endpoints, std::uint64_t segment_bytes,
                       const program_part& program) {
  geometry g{};
  g.ranks = ranks;
  g.endpoints = endpoints;
  g.ports = ranks * endpoints;
  std::uint64_t at = board_bytes(ranks);
  for (const region* r : registered_regions()) {
    region_entry& entry = g.table[g.regions++];
    std::memcpy(entry.name, r->name(), std::strlen(r->name()));
    entry.offset = at;
    entry.bytes = r->bytes_for({ranks, endpoints});
    at += page_up(entry.bytes);
  }
  g.segments_offset = at;
  const std::uint64_t all = segment_bytes + program.bytes();
  g.segment_bytes = program.bytes() == 0 ? all : (all + kSegmentGrain - 1) & -kSegmentGrain;
  g.program_bytes = program.bytes();
  g.program_hash = program.hash;
  g.segment_base = addresses().segment_base;
  g.window_base = addresses().window_base;
  g.total_bytes = at + std::uint64_t(ranks) * g.segment_bytes;
  return g;
}

bool same_layout(const geometry& a, const geometry& b) noexcept {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

namespace {

std::string text_of(const geometry& g, unsigned index) {
  if (index >= g.regions || index >= kRegionsMax) return "none";
  const region_entry& e = g.table[index];
  return "region " + std::string(e.name, ::strnlen(e.name, sizeof e.name)) + " (" +
         std::to_string(e.bytes) + " bytes)";
}

}  // namespace

std::string region_difference(const geometry& here, const geometry& there) {
  for (unsigned i = 0; i < kRegionsMax; ++i) {
    if (std::memcmp(&here.table[i], &there.table[i], sizeof here.table[i]) == 0) continue;
    return text_of(here, i) + " is " + text_of(there, i) + " there";
  }
  return {};
}

std::uint64_t regions_hash(const geometry& g) noexcept {
  std::uint64_t h = 0xcbf29ce484222325;
  const auto* bytes = reinterpret_cast<const unsigned char*>(&g.table);
  for (std::size_t i = 0; i < sizeof g.table; ++i) h = (h ^ bytes[i]) * 0x100000001b3;
  return h;
}

const char* layout_defect(const geometry& g, unsigned ranks, std::uint64_t object_bytes) noexcept {
  if (g.ranks != ranks) return "it is for another number of ranks";
  if (g.endpoints == 0 || g.endpoints > kEndpointsMax) return "impossible endpoints";
  if (g.ports != g.ranks * g.endpoints || g.ports > detail::kPortsMax) return "impossible ports";
  if (g.regions == 0 || g.regions > kRegionsMax) return "impossible number of regions";
  std::uint64_t end = board_bytes(ranks);
  for (unsigned i = 0; i < g.regions; ++i) {
    const region_entry& e = g.table[i];
    if (e.name[kRegionNameBytes - 1] != '\0') return "a region's name has no end";
    if (e.offset % kPageBytes != 0 || e.offset < end) return "a region overlaps what is before it";
    if (e.offset > object_bytes || e.bytes > object_bytes - e.offset)
      return "a region lies outside the object";
    end = e.offset + e.bytes;
  }
  return nullptr;
}

const region_entry* find_region(const geometry& g, const char* name,
                                std::uint64_t bytes_min) noexcept {
  for (unsigned i = 0; i < g.regions; ++i) {
    if (std::strcmp(g.table[i].name, name) != 0) continue;
    return g.table[i].bytes >= bytes_min ? &g.table[i] : nullptr;
  }
  return nullptr;
}

}  // namespace ramjet::node
