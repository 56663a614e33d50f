// SPDX-License-Identifier: Apache-2.0
// One program, by one discipline: what it counted, what it printed, how its caches did.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "papers/study/experiment/cache_sink.hpp"
#include "papers/study/machine/machine.hpp"

namespace study {

// The source is wrong, or the program ends badly: lines for people.
class program_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// From TL0. `file` is what messages call it. Throws program_error.
tl0::program program_of(const std::string& text, const std::string& file);

// The words of the command line that the program takes. Throws program_error.
std::vector<word> words_of(const tl0::program& p, const std::vector<std::string>& arguments);

struct experiment_options {
  bool first_ready_first = false;
  std::optional<sweep_range> sweep = sweep_range{};
  std::optional<cache_levels> levels = {};
  std::optional<cache_shape> by_region = {};  // with a sweep: of these caches, misses by region
};

struct outcome {
  discipline how = discipline::am;
  machine_counts counts;
  std::string output;
  std::uint32_t queue_bytes = 0;
  double seconds = 0;  // that it took here
  std::shared_ptr<const cache_sink> caches;  // if they were wanted

  // Of a code and a data cache of this shape, which the sweep has.
  std::uint64_t misses(const cache_shape& shape) const;
  // Cycles with a code and a data cache of this shape: one an instruction, and the misses.
  double cycles(const cache_shape& shape, double miss_cycles) const;
};

// The queues are as large as the program needs, in powers of two. Throws program_error.
outcome execute(const tl0::program& p, const std::vector<word>& arguments, discipline how,
                const experiment_options& options);

}  // namespace study
