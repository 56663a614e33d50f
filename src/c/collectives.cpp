// SPDX-License-Identifier: Apache-2.0
// collectives.h over the C++ core: each function one call of its untyped form.
#include "ramjet/collectives.h"
#include "c/status.hpp"

#include <numeric>

#include "ramjet/ramjet.hpp"

// What ramjet_team_split returns.
struct ramjet_team {
  ramjet::team team;
};

namespace {

using ramjet::status;
using ramjet::team;
using ramjet::detail::array_view;

const team& among_of(const ramjet_team* t) { return t == RAMJET_WORLD ? team::world() : t->team; }

array_view bytes_at(const void* data, std::size_t bytes) {
  return {const_cast<void*>(data), bytes, 1};
}
std::size_t members(const team& among) { return std::size_t(among.size()); }
std::span<const std::size_t> counts_of(const std::size_t* counts, const team& among) {
  RAMJET_CHECK(counts != nullptr || members(among) == 0, "a C collective's counts are null");
  return {counts, members(among)};
}
std::size_t total(std::span<const std::size_t> counts) {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

// What a C operator is called with.
struct operation {
  ramjet_combine combine;
  void* context;
  ramjet::detail::combination view() noexcept {
    RAMJET_CHECK(combine != nullptr, "a C collective's operator is null");
    const auto run = [](void* self, void* into, const void* other, std::size_t count) {
      const operation& o = *static_cast<const operation*>(self);
      o.combine(o.context, into, other, count);
    };
    return {run, this};
  }
};

ramjet_status scan(void* data, std::size_t count, std::size_t element_bytes, operation op,
                   const ramjet_team* among, bool inclusive) {
  return c_status(ramjet::detail::scan_bytes(among_of(among), {data, count, element_bytes},
                                             op.view(), inclusive));
}

}  // namespace

extern "C" {

ramjet_team* ramjet_team_split(const ramjet_team* parent, int color, int key) {
  return new ramjet_team{among_of(parent).split(color, key)};
}
void ramjet_team_free(ramjet_team* t) { delete t; }
int ramjet_team_rank(const ramjet_team* t) { return among_of(t).rank(); }
int ramjet_team_size(const ramjet_team* t) { return among_of(t).size(); }
int ramjet_team_world_rank(const ramjet_team* t, int member) {
  return among_of(t).world_rank(member);
}

ramjet_status ramjet_barrier(const ramjet_team* among) {
  return c_status(ramjet::barrier(among_of(among)));
}
ramjet_status ramjet_barrier_notify(const ramjet_team* among) {
  return c_status(ramjet::barrier_notify(among_of(among)));
}
ramjet_status ramjet_barrier_wait(const ramjet_team* among) {
  return c_status(ramjet::barrier_wait(among_of(among)));
}
ramjet_status ramjet_barrier_try(const ramjet_team* among) {
  return c_status(ramjet::barrier_try(among_of(among)));
}
ramjet_status ramjet_quiesce(void) { return c_status(ramjet::quiesce()); }

ramjet_status ramjet_broadcast(void* data, size_t bytes, int root, const ramjet_team* among) {
  return c_status(ramjet::detail::broadcast_bytes(among_of(among), bytes_at(data, bytes), root));
}
ramjet_status ramjet_reduce(void* data, size_t count, size_t element_bytes, ramjet_combine combine,
                            void* context, int root, const ramjet_team* among) {
  operation op{combine, context};
  return c_status(
      ramjet::detail::reduce_bytes(among_of(among), {data, count, element_bytes}, op.view(), root));
}
ramjet_status ramjet_all_reduce(void* data, size_t count, size_t element_bytes,
                                ramjet_combine combine, void* context, const ramjet_team* among) {
  operation op{combine, context};
  return c_status(
      ramjet::detail::all_reduce_bytes(among_of(among), {data, count, element_bytes}, op.view()));
}
ramjet_status ramjet_inclusive_scan(void* data, size_t count, size_t element_bytes,
                                    ramjet_combine combine, void* context,
                                    const ramjet_team* among) {
  return scan(data, count, element_bytes, {combine, context}, among, true);
}
ramjet_status ramjet_exclusive_scan(void* data, size_t count, size_t element_bytes,
                                    ramjet_combine combine, void* context,
                                    const ramjet_team* among) {
  return scan(data, count, element_bytes, {combine, context}, among, false);
}

ramjet_status ramjet_gather(const void* mine, size_t bytes, void* all, int root,
                            const ramjet_team* among) {
  const team& t = among_of(among);
  const std::size_t all_bytes = t.rank() == root ? bytes * members(t) : 0;
  return c_status(
      ramjet::detail::gather_bytes(t, bytes_at(mine, bytes), bytes_at(all, all_bytes), root));
}
ramjet_status ramjet_gather_v(const void* mine, void* all, const size_t* bytes_of, int root,
                              const ramjet_team* among) {
  const team& t = among_of(among);
  const auto counts = counts_of(bytes_of, t);
  const std::size_t own = t.rank() < 0 ? 0 : counts[std::size_t(t.rank())];
  const std::size_t all_bytes = t.rank() == root ? total(counts) : 0;
  return c_status(
      ramjet::detail::gather_bytes(t, bytes_at(mine, own), bytes_at(all, all_bytes), counts, root));
}
ramjet_status ramjet_all_gather(const void* mine, size_t bytes, void* all,
                                const ramjet_team* among) {
  const team& t = among_of(among);
  return c_status(ramjet::detail::all_gather_bytes(t, bytes_at(mine, bytes),
                                                   bytes_at(all, bytes * members(t))));
}
ramjet_status ramjet_all_gather_v(const void* mine, void* all, const size_t* bytes_of,
                                  const ramjet_team* among) {
  const team& t = among_of(among);
  const auto counts = counts_of(bytes_of, t);
  const std::size_t own = t.rank() < 0 ? 0 : counts[std::size_t(t.rank())];
  return c_status(ramjet::detail::all_gather_bytes(t, bytes_at(mine, own),
                                                   bytes_at(all, total(counts)), counts));
}
ramjet_status ramjet_all_to_all(const void* from, void* into, size_t bytes,
                                const ramjet_team* among) {
  const team& t = among_of(among);
  return c_status(ramjet::detail::all_to_all_bytes(t, bytes_at(from, bytes * members(t)),
                                                   bytes_at(into, bytes * members(t))));
}
ramjet_status ramjet_all_to_all_v(const void* from, const size_t* from_bytes, void* into,
                                  const size_t* into_bytes, const ramjet_team* among) {
  const team& t = among_of(among);
  const auto out = counts_of(from_bytes, t), in = counts_of(into_bytes, t);
  return c_status(ramjet::detail::all_to_all_bytes(t, bytes_at(from, total(out)), out,
                                                   bytes_at(into, total(in)), in));
}

}  // extern "C"
