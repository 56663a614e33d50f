// SPDX-License-Identifier: Apache-2.0
// Scans: what the members up to each one come to, in their order.
#include "am/collectives/choice.hpp"

namespace ramjet::detail {

namespace {

// All send to member 0, which sends to each.
status scan_hub(const operation& o, array_view values, combination op, bool inclusive) {
  const std::size_t bytes = values.bytes();
  auto* data = static_cast<std::byte*>(values.data);
  if (o.rank() != 0) {
    if (status s = o.send(0, data, bytes); s != status::ok) return s;
    return o.receive(0, data, bytes);
  }
  scratch all(place_of(o.size(), bytes));
  expect_all(o, data, all.data(), bytes);
  if (status s = finish_all(o); s != status::ok) return s;
  std::byte* sum = all.data();
  for (int r = 1; r < o.size(); ++r) {
    const std::byte* next = all.data() + place_of(r, bytes);
    if (inclusive) combine(op, sum, next, values.count);
    if (status s = o.send(r, sum, bytes); s != status::ok) return s;
    if (!inclusive) combine(op, sum, next, values.count);
  }
  return status::ok;
}

// Before the round of `step` a member holds what the `step` members up to it come to: it gives that
// to the one `step` after it, and takes as much from the one before it.
status scan_doubling(const operation& o, array_view values, combination op, bool inclusive) {
  const std::size_t bytes = values.bytes();
  auto* data = static_cast<std::byte*>(values.data);
  scratch run(bytes), theirs(bytes), again(inclusive ? 0 : bytes);
  copy_bytes(run.data(), data, bytes);
  for (int step = 1; step < o.size(); step *= 2) {
    const int to = o.rank() + step, from = o.rank() - step;
    if (to < o.size())
      if (status s = o.send(to, run.data(), bytes); s != status::ok) return s;
    if (from < 0) continue;
    if (status s = o.receive(from, theirs.data(), bytes); s != status::ok) return s;
    if (!inclusive) {  // `data` holds what comes before this member; at first, nothing does
      copy_bytes(again.data(), theirs.data(), bytes);
      if (step > 1) combine(op, again.data(), data, values.count);
      copy_bytes(data, again.data(), bytes);
    }
    combine(op, theirs.data(), run.data(), values.count);
    copy_bytes(run.data(), theirs.data(), bytes);
  }
  if (inclusive) copy_bytes(data, run.data(), bytes);
  return status::ok;
}

}  // namespace

status scan_bytes(const team& among, array_view values, combination op, bool inclusive) {
  const operation o(among, inclusive ? "inclusive_scan" : "exclusive_scan",
                    inclusive ? collective_kind::inclusive_scan : collective_kind::exclusive_scan,
                    0, values.bytes());
  if (o.failed()) return status::peer_failed;
  return by_hub(o, values.bytes()) ? scan_hub(o, values, op, inclusive)
                                   : scan_doubling(o, values, op, inclusive);
}

}  // namespace ramjet::detail
