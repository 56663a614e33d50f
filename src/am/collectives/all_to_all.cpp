// SPDX-License-Identifier: Apache-2.0
// Exchange of parts among all members: each pair's two messages, all under way at once. A member
// begins with its right-hand neighbour, so at any time they send to different ones.
#include <algorithm>
#include <numeric>
#include <vector>

#include "am/collectives/choice.hpp"

namespace ramjet::detail {

namespace {

std::vector<std::size_t> begins_of(counts_view counts, std::size_t element_bytes) {
  std::vector<std::size_t> begins(counts.size() + 1, 0);
  for (std::size_t i = 0; i < counts.size(); ++i)
    begins[i + 1] = begins[i] + counts[i] * element_bytes;
  return begins;
}

status exchange_parts(const operation& o, array_view from, counts_view from_counts, array_view into,
                      counts_view into_counts) {
  const std::vector<std::size_t> out = begins_of(from_counts, from.element_bytes);
  const std::vector<std::size_t> in = begins_of(into_counts, into.element_bytes);
  RAMJET_CHECK(out.back() == from.bytes() && in.back() == into.bytes(),
               "all_to_all: the counts are not those of the arrays");
  const auto* source = static_cast<const std::byte*>(from.data);
  auto* target = static_cast<std::byte*>(into.data);
  const auto me = std::size_t(o.rank());
  RAMJET_CHECK(from_counts[me] == into_counts[me], "ranks disagree about a collective's length");
  for (int r = 0; r < o.size(); ++r) {
    const auto i = std::size_t(r);
    if (i != me) {
      o.expect(r, target + in[i], in[i + 1] - in[i]);
    } else {
      copy_bytes(target + in[i], source + out[i], out[i + 1] - out[i]);
    }
  }
  const status sent = each_other(o, [&](int r) {
    const auto i = std::size_t(r);
    return o.send(r, source + out[i], out[i + 1] - out[i]);
  });
  return sent == status::ok ? finish_all(o) : sent;
}

}  // namespace

status all_to_all_bytes(const team& among, array_view from, array_view into) {
  const operation o(among, "all_to_all", collective_kind::all_to_all, 0, from.bytes());
  if (o.failed()) return status::peer_failed;
  const auto n = std::size_t(o.size());
  RAMJET_CHECK(from.count == into.count && from.count % n == 0,
               "all_to_all: both arrays have as many parts of one length as the team has members");
  const std::vector<std::size_t> counts(n, from.count / n);
  return exchange_parts(o, from, counts, into, counts);
}

status all_to_all_bytes(const team& among, array_view from, counts_view from_counts,
                        array_view into, counts_view into_counts) {
  const operation o(among, "all_to_all", collective_kind::all_to_all, 0, kAnyLength);
  if (o.failed()) return status::peer_failed;
  const auto n = std::size_t(o.size());
  RAMJET_CHECK(from_counts.size() == n && into_counts.size() == n,
               "all_to_all: as many counts as members");
  return exchange_parts(o, from, from_counts, into, into_counts);
}

}  // namespace ramjet::detail
