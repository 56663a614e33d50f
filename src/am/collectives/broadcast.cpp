// SPDX-License-Identifier: Apache-2.0
// Broadcast, along a tree over members numbered from the root. A member that is not a leaf sends
// data on as it arrives, so that long arrays fill the whole tree.
#include <bit>

#include "am/collectives/choice.hpp"

namespace ramjet::detail {

namespace {

// To the members in the subtree, farthest first: they have the longest way to go.
template <class Send>
status to_children(int me, int n, int reach, const Send& send) {
  for (int step = reach / 2; step > 0; step /= 2) {
    if (me + step >= n) continue;
    if (status s = send(me + step); s != status::ok) return s;
  }
  return status::ok;
}

status broadcast_tree(const operation& o, std::byte* data, std::size_t bytes, int root) {
  const int n = o.size();
  const int me = (o.rank() - root + n) % n;
  const int reach = me == 0 ? int(std::bit_ceil(unsigned(n))) : me & -me;
  const auto member = [&](int numbered) { return (numbered + root) % n; };
  if (me == 0)
    return to_children(me, n, reach, [&](int to) { return o.send(member(to), data, bytes); });
  const int parent = member(me - reach);
  o.expect(parent, data, bytes);
  std::size_t passed = 0;
  do {
    std::size_t there = 0;
    if (status s = o.finish_part(parent, passed, there); s != status::ok) return s;
    const status s = to_children(me, n, reach, [&](int to) {
      if (passed == 0)
        if (status room = o.begin_message(member(to), bytes); room != status::ok) return room;
      return o.send_part(member(to), data + passed, there - passed, bytes);
    });
    if (s != status::ok) return s;
    passed = there;
  } while (passed < bytes);
  return status::ok;
}

status broadcast_flat(const operation& o, std::byte* data, std::size_t bytes, int root) {
  if (o.rank() != root) return o.receive(root, data, bytes);
  return send_to_all(o, data, bytes);
}

}  // namespace

status broadcast_within(const operation& o, std::byte* data, std::size_t bytes, int root) {
  return by_hub(o, bytes) || by_all(o, bytes) ? broadcast_flat(o, data, bytes, root)
                                              : broadcast_tree(o, data, bytes, root);
}

status broadcast_bytes(const team& among, array_view values, int root) {
  const operation o(among, "broadcast", collective_kind::broadcast, root, values.bytes());
  if (o.failed()) return status::peer_failed;
  RAMJET_CHECK(o.is_member(root), "broadcast: the root is not a member");
  return broadcast_within(o, static_cast<std::byte*>(values.data), values.bytes(), root);
}

}  // namespace ramjet::detail
