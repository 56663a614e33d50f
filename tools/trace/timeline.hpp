// SPDX-License-Identifier: Apache-2.0
// What of a trace a page shows slice by slice, and what as shares of time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/pages/timeline.hpp"
#include "tools/trace/analysis.hpp"
#include "tools/trace/file.hpp"

namespace traces {

// How one endpoint's time divides. A handler that runs in a wait counts as a handler, a wait in a
// collective as a wait.
struct endpoint_time {
  std::uint32_t rank = 0, endpoint = 0;
  std::array<std::uint64_t, pages::kShares> ns{};  // by pages::slice_kind
};

struct job_timeline {
  pages::timeline shown;
  std::vector<endpoint_time> times;  // of each row
  std::size_t rows_in_all = 0;
};

inline constexpr std::size_t kSlicesMax = 120'000;

// All slices if they are no more than `slices_max`. Else all of those in some stretches: the job's
// beginning, its end, where the longest waits began and ended, and where the longest parts of the
// critical path ended; with what sent to them that is not much more than `slices_max`. If it is
// less, the longest ones of the others.
job_timeline timeline_of(const job_trace& job, const trace_analysis& analysis,
                         std::size_t slices_max = kSlicesMax);

}  // namespace traces
