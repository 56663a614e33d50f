// SPDX-License-Identifier: Apache-2.0
// The six versions of EM3D (Arpaci et al. 1995, section 8), a file each. They differ in how the
// values of other ranks come to where they are needed; the fields that they leave are the same to
// the last bit. An iteration is two half steps: all E nodes from the H nodes, then all H nodes from
// the E nodes.
//
// One barrier a half step is enough. Where the consumer fetches, the barrier ends the half step:
// what was fetched is not written before, and what was computed is not fetched before. Where the
// owner sends, the barrier stands between sending and computing: a ghost is not read before it has
// come, and the owner sends again only after the barrier of the other half step, which the consumer
// entered when it had done with the ghost.
#pragma once

#include <cstdint>
#include <span>

#include "part.hpp"

namespace em3d {

// Collective. Other ranks may still be at work in the last half step on return: a barrier must come
// before anybody touches their values.
void run_simple(part& p, unsigned iterations);
void run_bundle(part& p, unsigned iterations);
void run_unroll(part& p, unsigned iterations);
void run_get(part& p, unsigned iterations);
void run_put(part& p, unsigned iterations);
void run_bulk(part& p, unsigned iterations);

struct version {
  const char* name;
  void (*run)(part& p, unsigned iterations);
};

// In the order of the paper, each an improvement of the one before.
inline constexpr version kVersions[] = {
    {"simple", run_simple}, {"bundle", run_bundle}, {"unroll", run_unroll},
    {"get", run_get},       {"put", run_put},       {"bulk", run_bulk},
};

// Calls half_step(to, from) for the field to be updated and the one that it depends on.
template <class HalfStep>
void leapfrog(part& p, unsigned iterations, HalfStep&& half_step) {
  for (unsigned i = 0; i < iterations; ++i) {
    half_step(p.of(kind::e), p.of(kind::h));
    half_step(p.of(kind::h), p.of(kind::e));
  }
}

}  // namespace em3d
