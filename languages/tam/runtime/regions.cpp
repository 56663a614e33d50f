// SPDX-License-Identifier: Apache-2.0
// Regions: arrays of one rank whose storage is given back together. (ADR 20) Storage goes to a free
// list of its size and comes from there; four sizes for each doubling. The main thread's.
#include "languages/tam/runtime/regions.hpp"

#include <sys/mman.h>

#include <array>
#include <bit>
#include <cstring>
#include <new>

#include "languages/tam/runtime/arrays.hpp"
#include "languages/tam/runtime/elements.hpp"
#include "languages/tam/runtime/machine.hpp"
#include "languages/tam/runtime/node_heap.hpp"
#include "languages/tam/runtime/remote.hpp"
#include "languages/tam/runtime/sites.hpp"
#include "languages/tam/runtime/termination.hpp"
#include "ramjet/am.hpp"

namespace ramjet::tam {
namespace {

// A region's name is {rank:16 | how often its place has been used:16 | place:32}.
struct region {
  std::uint16_t uses = 0;
  bool open = false;
  tam_array_head* last = nullptr;  // array; then by next()
};
std::vector<region> regions;
std::vector<std::uint32_t> free_places;
std::array<tam_array_head*, 256> free_arrays;  // by class; linked by next()

// The next array of the region, or of the free list: in front of the head.
tam_array_head*& next(tam_array_head* head) { return reinterpret_cast<tam_array_head**>(head)[-1]; }

// Elements that an array of `length` is given room for: 1.25, 1.5, 1.75 or 2 times a power of two.
struct room {
  unsigned size_class;
  tam_word elements;
};
room room_for(tam_word length) {
  if (length < 8) length = 8;
  const unsigned power = 63 - static_cast<unsigned>(std::countl_zero(length - 1));
  const tam_word step = tam_word{1} << (power - 2);
  const tam_word steps = (length - 1 - (tam_word{1} << power)) / step + 1;
  return {power * 4 + static_cast<unsigned>(steps) - 1,
          std::min<tam_word>((tam_word{1} << power) + steps * step, TAM_LENGTH_MAX)};
}

[[noreturn]] void no_memory() { stop("no memory to keep account of one more region"); }
void keep_place(std::uint32_t place) {
  try {
    free_places.push_back(place);
  } catch (const std::bad_alloc&) {
    no_memory();
  }
}
void add_region() {
  try {
    regions.emplace_back();
  } catch (const std::bad_alloc&) {
    no_memory();
  }
}

region& open_region(tam_region r, const char* site) {
  const auto place = static_cast<std::uint32_t>(r);
  if (place >= regions.size() || !regions[place].open ||
      regions[place].uses != static_cast<std::uint16_t>(r >> 32))
    stop("%s: no such region, or it has ended", site);
  return regions[place];
}

void give_back(tam_array_head* head, const char* site) {
  for (tam_word i = 0; i < head->length; ++i)
    if (tam_tags(head)[i] >= TAM_ONE_READER)
      stop("%s: the region ends while element %llu of the array made at %s is waited for", site,
           static_cast<unsigned long long>(i), site_of(head));
  const room r = room_for(head->length);
  head->length = 0;  // so that a later use of the name is reported
  set_kind(head, array_kind::ended);
  next(head) = free_arrays[r.size_class];
  free_arrays[r.size_class] = head;
}

void end_here(tam_region r, const char* site) {
  region& it = open_region(r, site);
  for (tam_array_head* head = it.last; head != nullptr;) {
    tam_array_head* other = next(head);
    give_back(head, site);
    head = other;
  }
  it.last = nullptr;
  it.open = false;
  // A place whose names have all been used is not used again: an old one would be of a new region.
  if (++it.uses != 0) keep_place(static_cast<std::uint32_t>(r));
}
void on_end_region(tam_region r, std::int32_t site) {
  ++messages.handled;
  end_here(r, decode_site(site));
}

}  // namespace

void open_regions() { close_regions(); }

void close_regions() noexcept {
  regions.clear();
  free_places.clear();
  free_arrays.fill(nullptr);
}

void each_in_regions(void (*f)(tam_array_head*, void*), void* with) {
  for (const region& r : regions)
    for (tam_array_head* head = r.last; head != nullptr; head = next(head)) f(head, with);
}

}  // namespace ramjet::tam

using namespace ramjet::tam;

tam_region tam_region_begin(void) {
  if (free_places.empty()) {
    keep_place(static_cast<std::uint32_t>(regions.size()));
    add_region();
  }
  const std::uint32_t place = free_places.back();
  free_places.pop_back();
  regions[place].open = true;
  return tam_here.own | static_cast<tam_region>(regions[place].uses) << 32 | place;
}

tam_array tam_ialloc_in(tam_region r, tam_word length, const char* site) {
  if ((r ^ tam_here.own) >> 48 != 0) stop("%s: the region is another rank's", site);
  region& in = open_region(r, site);
  if (length > TAM_LENGTH_MAX) return tam_ialloc(length, site);  // which says that it is too long
  const room wanted = room_for(length);
  tam_array_head* head = free_arrays[wanted.size_class];
  if (head == nullptr) {
    head = new_array_behind(sizeof(tam_array_head*), array_kind::region, wanted.elements, site);
    head->length = static_cast<std::uint32_t>(length);  // behind which the tags are
  } else {
    free_arrays[wanted.size_class] = next(head);
    begin_array(head, array_kind::region, length, site);
    std::memset(tam_tags(head), TAM_EMPTY, length);
  }
  next(head) = in.last;
  in.last = head;
  return tam_here.own | reinterpret_cast<tam_array>(head);
}

void tam_region_end(tam_lcv, tam_region r, const char* site) {
  if ((r ^ tam_here.own) >> 48 == 0) return end_here(r, site);
  const int rank = tam_rank_of(r);
  if (rank >= here.ranks) stop("%s: the region is of rank %d of %d", site, rank, here.ranks);
  ++messages.sent;
  if (ramjet::chain<on_end_region>(rank, r, encode_site(site)) != ramjet::status::ok)
    stop("rank %d has died", rank);
}
