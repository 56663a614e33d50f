// SPDX-License-Identifier: Apache-2.0
// Where the parts of a node's memory object lie. The first rank of a node computes it and writes it
// on the board; every other rank checks that it would compute the same. Hang reports find a region
// by its name.
//
//   0          table[0].offset    table[1].offset         segments_offset          total_bytes
//   +----------+------------------+-----------------+-----+------------------------+
//   | board    | node.ports       | am.barriers     | ... | segment[ranks]         |
//   +----------+------------------+-----------------+-----+------------------------+
//
// Threads: any. A geometry that was copied from the board may hold anything: layout_defect says
// whether it can be used.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "node/region.hpp"
#include "ramjet/detail/node/port_line.hpp"

namespace ramjet::node {

inline constexpr unsigned kEndpointsMax = 64;
inline constexpr unsigned kRegionsMax = 16;
inline constexpr unsigned kRegionNameBytes = 24;

struct region_entry {
  char name[kRegionNameBytes];  // NUL-padded, and ends in one
  std::uint64_t offset;  // from the start of the object, of a page
  std::uint64_t bytes;  // offset + page_up(bytes) == the next one's offset, or segments_offset
};

struct geometry {
  std::uint32_t ranks;
  std::uint32_t endpoints;  // per rank
  std::uint32_t ports;  // ranks * endpoints; port = rank * endpoints + endpoint
  std::uint32_t regions;  // of table; table[0] is node.ports
  region_entry table[kRegionsMax];
  std::uint64_t segments_offset;  // [rank][segment_bytes]
  std::uint64_t segment_bytes;
  std::uint64_t program_bytes;  // of each segment, from its start: program_part::bytes()
  std::uint64_t program_hash;  // program_part::hash
  std::uint64_t segment_base;  // virtual address of rank 0's segment in every rank
  std::uint64_t window_base;  // virtual address at which every rank sees its own segment once more
  std::uint64_t total_bytes;
};
static_assert(std::has_unique_object_representations_v<geometry>);

struct program_part;

// What the segments' size is a multiple of, where the program has a part of them: so that memory is
// aligned alike in the window and among the segments.
inline constexpr std::uint64_t kSegmentGrain = std::uint64_t{2} << 20;

// The geometry for `ranks` and `endpoints`, of the regions that are registered here. A segment has
// `segment_bytes`, and what the program has in it besides.
// ranks * endpoints <= kPortsMax.
geometry make_geometry(unsigned ranks, unsigned endpoints, std::uint64_t segment_bytes);
geometry make_geometry(unsigned ranks, unsigned endpoints, std::uint64_t segment_bytes,
                       const program_part& program);

bool same_layout(const geometry& a, const geometry& b) noexcept;
// The first region that is not alike in both, as the end of a sentence: "region gas.stores (64
// bytes) is region lane.bells (64 bytes) there"; empty if all are.
std::string region_difference(const geometry& here, const geometry& there);
// Equal for regions that are laid out alike, however large the segments are.
std::uint64_t regions_hash(const geometry& g) noexcept;

// Why this geometry cannot be that of an object of `object_bytes` for `ranks` ranks; nullptr if it
// can.
const char* layout_defect(const geometry& g, unsigned ranks, std::uint64_t object_bytes) noexcept;

// The region of that name if it has at least `bytes_min` bytes, else nullptr. The geometry has no
// defect.
const region_entry* find_region(const geometry& g, const char* name,
                                std::uint64_t bytes_min) noexcept;

// Tells all regions of this program where they are, and runs their hooks. `layout` is of
// make_geometry; `object` is mapped up to layout.segments_offset.
void bind_regions(const geometry& layout, std::byte* object);
// Before the object is unmapped. Nothing if they are not bound.
void release_regions() noexcept;

}  // namespace ramjet::node
