// SPDX-License-Identifier: Apache-2.0
// Reductions, to a root and to all. Every way combines neighbouring runs of members, the lower one
// on the left, so the order of ranks holds for operators that do not commute.
#include <bit>
#include <numeric>

#include "am/collectives/choice.hpp"
#include "am/collectives/counter.hpp"
#include "am/runtime.hpp"

namespace ramjet::detail {

namespace {

struct reduction {
  const operation& o;
  combination op;
  array_view values;

  std::size_t bytes() const { return values.bytes(); }
  std::byte* data() const { return static_cast<std::byte*>(values.data); }

  // mine = mine op theirs, or theirs op mine if they come before; theirs is used up.
  void merge(std::byte* mine, std::byte* theirs, std::size_t count, bool theirs_first) const {
    if (!theirs_first) return combine(op, mine, theirs, count);
    combine(op, theirs, mine, count);
    copy_bytes(mine, theirs, count * values.element_bytes);
  }
  // The values of all members, in their order, into the first.
  void merge_all(std::byte* all) const {
    for (int r = 1; r < o.size(); ++r) combine(op, all, all + place_of(r, bytes()), values.count);
  }
};

// --- Everything to one, or from each to each ----------------------------------------------------

// At the root: the result to `into`.
status reduce_flat(const reduction& r, int root, std::byte* into) {
  if (r.o.rank() != root) return r.o.send(root, r.data(), r.bytes());
  scratch all(place_of(r.o.size(), r.bytes()));
  expect_all(r.o, r.data(), all.data(), r.bytes());
  if (status s = finish_all(r.o); s != status::ok) return s;
  r.merge_all(all.data());
  copy_bytes(into, all.data(), r.bytes());
  return status::ok;
}

status all_reduce_flat(const reduction& r) {
  scratch all(place_of(r.o.size(), r.bytes()));
  if (status s = send_to_all(r.o, r.data(), r.bytes()); s != status::ok) return s;
  expect_all(r.o, r.data(), all.data(), r.bytes());  // later: the others wait for what is sent
  if (status s = finish_all(r.o); s != status::ok) return s;
  r.merge_all(all.data());
  copy_bytes(r.data(), all.data(), r.bytes());
  return status::ok;
}

status all_reduce_hub(const reduction& r) {
  if (status s = reduce_flat(r, 0, r.data()); s != status::ok) return s;
  return r.o.rank() == 0 ? send_to_all(r.o, r.data(), r.bytes())
                         : r.o.receive(0, r.data(), r.bytes());
}

// --- A tree -------------------------------------------------------------------------------------

// A binomial tree towards member 0; each holds what the members from itself on come to. From there
// one more message to the root, whose number would break the order.
status reduce_tree(const reduction& r, int root) {
  const int n = r.o.size(), me = r.o.rank();
  const bool in_place = me == 0 && root == 0;
  const bool has_child = me % 2 == 0 && me + 1 < n;
  scratch other(has_child ? r.bytes() : 0), copy(has_child && !in_place ? r.bytes() : 0);
  std::byte* sum = has_child && !in_place ? copy.data() : r.data();
  if (sum != r.data()) copy_bytes(sum, r.data(), r.bytes());
  for (int step = 1; step < n; step *= 2) {
    if (me & step) {
      if (status s = r.o.send(me - step, sum, r.bytes()); s != status::ok) return s;
      break;
    }
    if (me + step >= n) continue;
    if (status s = r.o.receive(me + step, other.data(), r.bytes()); s != status::ok) return s;
    r.merge(sum, other.data(), r.values.count, false);
  }
  if (root == 0) return status::ok;
  if (me == 0) return r.o.send(root, sum, r.bytes());
  return me == root ? r.o.receive(0, r.data(), r.bytes()) : status::ok;
}

// --- Doubling: pairs, pairs of pairs, ... -------------------------------------------------------

// A power of two of the members, numbered anew. If there are more, neighbours have merged into the
// even one of them, and the odd one waits for the result.
struct half_cube {
  explicit half_cube(const operation& o)
      : count(int(std::bit_floor(unsigned(o.size())))), extra(o.size() - count) {
    const int r = o.rank();
    me = r >= 2 * extra ? r - extra : r % 2 == 0 ? r / 2 : -1;
  }
  int member(int id) const { return id < extra ? 2 * id : id + extra; }
  bool has_partner(const operation& o) const { return o.rank() < 2 * extra; }

  int count, extra;
  int me;  // -1: merged into a neighbour
};

status fold_in(const reduction& r, const half_cube& c, std::byte* sum, std::byte* other) {
  if (!c.has_partner(r.o)) return status::ok;
  if (c.me < 0) return r.o.send(r.o.rank() - 1, sum, r.bytes());
  if (status s = r.o.receive(r.o.rank() + 1, other, r.bytes()); s != status::ok) return s;
  r.merge(sum, other, r.values.count, false);
  return status::ok;
}
status fold_out(const reduction& r, const half_cube& c) {
  if (!c.has_partner(r.o)) return status::ok;
  return c.me < 0 ? r.o.receive(r.o.rank() - 1, r.data(), r.bytes())
                  : r.o.send(r.o.rank() + 1, r.data(), r.bytes());
}

status all_reduce_doubling(const reduction& r) {
  const half_cube c(r.o);
  scratch other(r.bytes());
  if (status s = fold_in(r, c, r.data(), other.data()); s != status::ok) return s;
  for (int step = 1; c.me >= 0 && step < c.count; step *= 2) {
    const status s = r.o.exchange(c.member(c.me ^ step), r.data(), other.data(), r.bytes());
    if (s != status::ok) return s;
    r.merge(r.data(), other.data(), r.values.count, (c.me & step) != 0);
  }
  return fold_out(r, c);
}

// --- In parts: each round halves what a member has to do with -----------------------------------

// Elements that come to a multiple of 16 bytes: parts begin where these do, so they are aligned to
// 16 if the whole is.
std::size_t unit_of(const reduction& r) {
  constexpr std::size_t kAlignment = 16;
  return kAlignment / std::gcd(kAlignment, r.values.element_bytes);
}

struct part {
  std::size_t begin, end;  // elements
  std::size_t unit;
  part half(bool upper) const {
    const std::size_t middle = begin + (end - begin) / 2 / unit * unit;
    return upper ? part{middle, end, unit} : part{begin, middle, unit};
  }
};
part whole(const reduction& r) { return {0, r.values.count, unit_of(r)}; }

part part_of(int id, const half_cube& c, const reduction& r) {
  part p = whole(r);
  for (int step = 1; step < c.count; step *= 2) p = p.half((id & step) != 0);
  return p;
}

// Leaves this member's part of the result in `sum`.
status scatter_parts(const reduction& r, const half_cube& c, std::byte* sum) {
  const std::size_t element = r.values.element_bytes;
  scratch other(r.bytes());
  if (status s = fold_in(r, c, sum, other.data()); s != status::ok) return s;
  part p = whole(r);
  for (int step = 1; c.me >= 0 && step < c.count; step *= 2) {
    const bool upper = (c.me & step) != 0;
    const part mine = p.half(upper), theirs = p.half(!upper);
    const int with = c.member(c.me ^ step);
    const std::size_t mine_count = mine.end - mine.begin;
    r.o.expect(with, other.data(), mine_count * element);
    if (status s =
            r.o.send(with, sum + theirs.begin * element, (theirs.end - theirs.begin) * element);
        s != status::ok)
      return s;
    if (status s = r.o.finish(with); s != status::ok) return s;
    r.merge(sum + mine.begin * element, other.data(), mine_count, upper);
    p = mine;
  }
  return status::ok;
}

// The rounds of scatter_parts backwards.
status all_reduce_parts(const reduction& r) {
  const half_cube c(r.o);
  const std::size_t element = r.values.element_bytes;
  if (status s = scatter_parts(r, c, r.data()); s != status::ok) return s;
  for (int step = c.count / 2; c.me >= 0 && step > 0; step /= 2) {
    part both = whole(r);
    for (int before = 1; before < step; before *= 2) both = both.half((c.me & before) != 0);
    const bool upper = (c.me & step) != 0;
    const part mine = both.half(upper), theirs = both.half(!upper);
    const int with = c.member(c.me ^ step);
    r.o.expect(with, r.data() + theirs.begin * element, (theirs.end - theirs.begin) * element);
    if (status s =
            r.o.send(with, r.data() + mine.begin * element, (mine.end - mine.begin) * element);
        s != status::ok)
      return s;
    if (status s = r.o.finish(with); s != status::ok) return s;
  }
  return fold_out(r, c);
}

status reduce_parts(const reduction& r, int root) {
  const half_cube c(r.o);
  const std::size_t element = r.values.element_bytes;
  scratch copy(r.bytes());
  copy_bytes(copy.data(), r.data(), r.bytes());
  if (status s = scatter_parts(r, c, copy.data()); s != status::ok) return s;
  const part mine = c.me >= 0 ? part_of(c.me, c, r) : part{};
  const std::size_t mine_bytes = (mine.end - mine.begin) * element;
  if (r.o.rank() != root)
    return c.me < 0 ? status::ok : r.o.send(root, copy.data() + mine.begin * element, mine_bytes);
  copy_bytes(r.data() + mine.begin * element, copy.data() + mine.begin * element, mine_bytes);
  for (int id = 0; id < c.count; ++id) {
    const part p = part_of(id, c, r);
    if (id != c.me)
      r.o.expect(c.member(id), r.data() + p.begin * element, (p.end - p.begin) * element);
  }
  for (int id = 0; id < c.count; ++id) {
    if (id == c.me) continue;
    if (status s = r.o.finish(c.member(id)); s != status::ok) return s;
  }
  return status::ok;
}

// By all members at once, none of which has an empty part.
bool in_parts(const reduction& r) {
  return r.bytes() >= base::machine(base::figure::parts_bytes) &&
         r.values.count / unit_of(r) >= unsigned(r.o.size()) && r.o.size() > 2;
}

}  // namespace

status reduce_bytes(const team& among, array_view values, combination op, int root) {
  const operation o(among, "reduce", collective_kind::reduce, root, values.bytes());
  if (o.failed()) return status::peer_failed;
  RAMJET_CHECK(o.is_member(root), "reduce: the root is not a member");
  const reduction r{o, op, values};
  if (o.size() == 1) return status::ok;
  if (by_hub(o, r.bytes()) || by_all(o, r.bytes())) return reduce_flat(r, root, r.data());
  return in_parts(r) ? reduce_parts(r, root) : reduce_tree(r, root);
}

status all_reduce_as(collective_kind kind, const team& among, array_view values, combination op) {
  const operation o(among, "all_reduce", kind, 0, values.bytes());
  if (o.failed()) return status::peer_failed;
  const reduction r{o, op, values};
  if (o.size() == 1) return status::ok;
  if (o.at_counter() && r.bytes() <= kShortBytes) return all_reduce_at_counter(o, values, op);
  if (by_all(o, r.bytes())) return all_reduce_flat(r);
  if (by_hub(o, r.bytes())) return all_reduce_hub(r);
  return in_parts(r) ? all_reduce_parts(r) : all_reduce_doubling(r);
}

status all_reduce_bytes(const team& among, array_view values, combination op) {
  const bool is_short = values.bytes() <= kShortBytes;
  return all_reduce_as(is_short ? collective_kind::all_reduce : collective_kind::long_all_reduce,
                       among, values, op);
}

// An exception would leave this rank without the collective that the others are in.
void combine(const combination& op, void* into, const void* other, std::size_t count) noexcept {
  try {
    op.run(op.context, into, other, count);
  } catch (...) {
    die_of_exception("the operator of a collective");
  }
}

}  // namespace ramjet::detail
