// SPDX-License-Identifier: Apache-2.0
// Gathers, to a root and to all, of arrays of one length or of any.
#include <algorithm>
#include <vector>

#include "am/collectives/choice.hpp"

namespace ramjet::detail {

namespace {

// Where each member's part stands in an array that holds them all in order.
class parts {
 public:
  parts(int members, std::size_t bytes_each)
      : members_(std::size_t(members)), bytes_each_(bytes_each) {}
  parts(counts_view counts, std::size_t element_bytes) : members_(counts.size()) {
    begins_.reserve(members_ + 1);
    std::size_t at = 0;
    begins_.push_back(0);
    for (std::size_t c : counts) begins_.push_back(at += c * element_bytes);
  }
  std::size_t begin(int r) const {
    return begins_.empty() ? std::size_t(r) * bytes_each_ : begins_[std::size_t(r)];
  }
  std::size_t bytes(int r) const { return begin(r + 1) - begin(r); }
  std::size_t total() const { return begin(int(members_)); }

 private:
  std::size_t members_;
  std::size_t bytes_each_ = 0;
  std::vector<std::size_t> begins_;
};

struct gathering {
  const operation& o;
  const std::byte* mine;
  std::size_t mine_bytes;
  std::byte* all;

  std::byte* at(const parts& p, int r) const { return all + p.begin(r); }
};

void put_mine(const gathering& g, const parts& p) {
  if (g.mine_bytes != 0) std::memmove(g.at(p, g.o.rank()), g.mine, g.mine_bytes);
}
void expect_parts(const gathering& g, const parts& p) {
  for (int r = 0; r < g.o.size(); ++r)
    if (r != g.o.rank()) g.o.expect(r, g.at(p, r), p.bytes(r));
}

status gather_flat(const gathering& g, const parts& p, int root) {
  if (g.o.rank() != root) return g.o.send(root, g.mine, g.mine_bytes);
  expect_parts(g, p);
  put_mine(g, p);
  return finish_all(g.o);
}

// From each to each.
status all_gather_flat(const gathering& g, const parts& p) {
  expect_parts(g, p);
  put_mine(g, p);
  if (status s = send_to_all(g.o, g.at(p, g.o.rank()), g.mine_bytes); s != status::ok) return s;
  return finish_all(g.o);
}

// Bruck's: before round k a member has the parts of the 2^k members from itself on, and gives them
// to the one 2^k before it.
status all_gather_rounds(const gathering& g, const parts& p) {
  const int n = g.o.size(), me = g.o.rank();
  const std::size_t turn = p.begin(me), total = p.total();
  // Where the part of member me + i begins, if the array begins with this member's own.
  const auto place = [&](int i) {
    return me + i <= n ? p.begin(me + i) - turn : total - turn + p.begin(me + i - n);
  };
  scratch turned(total);
  copy_bytes(turned.data(), g.mine, g.mine_bytes);
  for (int step = 1; step < n; step *= 2) {
    const int count = std::min(step, n - step);
    const int to = (me - step + n) % n, from = (me + step) % n;
    g.o.expect(from, turned.data() + place(step), place(step + count) - place(step));
    if (status s = g.o.send(to, turned.data(), place(count)); s != status::ok) return s;
    if (status s = g.o.finish(from); s != status::ok) return s;
  }
  copy_bytes(g.all + turn, turned.data(), total - turn);
  copy_bytes(g.all, turned.data() + (total - turn), turn);
  return status::ok;
}

status gather_parts(const operation& o, const gathering& g, const parts& p, int root) {
  RAMJET_CHECK(o.rank() != root || p.bytes(root) == g.mine_bytes,
               "gather: the root's own count is not its array's length");
  return gather_flat(g, p, root);
}

status all_gather_parts(const gathering& g, const parts& p) {
  const operation& o = g.o;
  if (!few(o) && by_hub(o, p.total())) {
    if (status s = gather_flat(g, p, 0); s != status::ok) return s;
    return broadcast_within(o, g.all, p.total(), 0);
  }
  const bool rounds = o.size() >= kRoundsRanksMin && p.total() <= kRoundsBytesMax;
  return rounds ? all_gather_rounds(g, p) : all_gather_flat(g, p);
}

gathering make_gathering(const operation& o, array_view mine, array_view all) {
  return {o, static_cast<const std::byte*>(mine.data), mine.bytes(),
          static_cast<std::byte*>(all.data)};
}

}  // namespace

status gather_bytes(const team& among, array_view mine, array_view all, int root) {
  const operation o(among, "gather", collective_kind::gather, root, mine.bytes());
  if (o.failed()) return status::peer_failed;
  RAMJET_CHECK(o.is_member(root), "gather: the root is not a member");
  RAMJET_CHECK(o.rank() != root || all.count == mine.count * unsigned(o.size()),
               "gather: the result's length is not that of all members' arrays");
  return gather_parts(o, make_gathering(o, mine, all), parts(o.size(), mine.bytes()), root);
}

status gather_bytes(const team& among, array_view mine, array_view all, counts_view counts,
                    int root) {
  const operation o(among, "gather", collective_kind::gather, root, kAnyLength);
  if (o.failed()) return status::peer_failed;
  RAMJET_CHECK(o.is_member(root), "gather: the root is not a member");
  if (o.rank() != root) counts = {};
  const parts p(counts, all.element_bytes);
  RAMJET_CHECK(
      o.rank() != root || (counts.size() == unsigned(o.size()) && p.total() == all.bytes()),
      "gather: the counts are not those of the result");
  return gather_parts(o, make_gathering(o, mine, all), p, root);
}

status all_gather_as(collective_kind kind, const team& among, array_view mine, array_view all) {
  const operation o(among, "all_gather", kind, 0, mine.bytes());
  if (o.failed()) return status::peer_failed;
  RAMJET_CHECK(all.count == mine.count * unsigned(o.size()),
               "all_gather: the result's length is not that of all members' arrays");
  return all_gather_parts(make_gathering(o, mine, all), parts(o.size(), mine.bytes()));
}

status all_gather_bytes(const team& among, array_view mine, array_view all) {
  return all_gather_as(collective_kind::all_gather, among, mine, all);
}

status all_gather_bytes(const team& among, array_view mine, array_view all, counts_view counts) {
  const operation o(among, "all_gather", collective_kind::all_gather, 0, kAnyLength);
  if (o.failed()) return status::peer_failed;
  RAMJET_CHECK(counts.size() == unsigned(o.size()), "all_gather: as many counts as members");
  const parts p(counts, all.element_bytes);
  RAMJET_CHECK(p.total() == all.bytes() && p.bytes(o.rank()) == mine.bytes(),
               "all_gather: the counts are not those of the arrays");
  return all_gather_parts(make_gathering(o, mine, all), p);
}

}  // namespace ramjet::detail
