// SPDX-License-Identifier: Apache-2.0
// Arrays spread over the ranks. The rank that makes one asks each rank for its part, learns where
// they lie, and tells all ranks; the name is given out when all know. So every rank finds an
// element by arithmetic, and checks indices, without a message. All of it is the main thread's.
//
//   block   0        1        2      ...      block b lies on rank b % ranks
//   rank    0        1        2  0  1  2 ...  as its block b / ranks
#include "languages/tam/runtime/spread.hpp"

#include <deque>
#include <new>
#include <span>

#include "languages/tam/runtime/arrays.hpp"
#include "languages/tam/runtime/machine.hpp"
#include "languages/tam/runtime/messages.hpp"
#include "languages/tam/runtime/node_heap.hpp"
#include "languages/tam/runtime/remote.hpp"
#include "languages/tam/runtime/sites.hpp"
#include "languages/tam/runtime/termination.hpp"
#include "ramjet/am.hpp"
#include "ramjet/job.hpp"

struct tam_spread {
  tam_word length, block;
  const char* site;
  std::vector<tam_array> parts;  // of each rank; 0: not known yet
  // On the rank that made it.
  tam_name reply;
  int missing;  // ranks that have not answered yet
};

namespace ramjet::tam {
namespace {

// By the rank that made it and its number there. Addresses stay: heads of parts refer to them.
std::vector<std::deque<tam_spread>> arrays;

constexpr unsigned kNumberBits = 32;
tam_array name_of(int maker, std::uint32_t number) {
  return tam_word{TAM_SPREAD} << 48 | static_cast<tam_word>(maker) << kNumberBits | number;
}
int maker_of(tam_array a) { return static_cast<int>(a >> kNumberBits & 0xffff); }
std::uint32_t number_of(tam_array a) { return static_cast<std::uint32_t>(a); }

// What grows an account of spread arrays.
template <class F>
decltype(auto) with_memory(const char* site, F&& grow) {
  try {
    return grow();
  } catch (const std::bad_alloc&) {
    stop("%s: no memory to keep account of a spread array", site);
  }
}

// Of a peer's message: all arrays of the rank that made this one.
std::deque<tam_spread>& arrays_of_maker(tam_array a) {
  if (!is_spread(a) || maker_of(a) >= here.ranks) stop("a message for a spread array of no rank");
  return arrays[static_cast<std::size_t>(maker_of(a))];
}
tam_spread& known(tam_array a) {
  auto& of_maker = arrays_of_maker(a);
  if (number_of(a) >= of_maker.size()) stop("a message for a spread array that nobody made");
  return of_maker[number_of(a)];
}
// A maker's messages come in their order.
tam_spread& made(tam_array a, const char* site) {
  auto& of_maker = arrays_of_maker(a);
  if (number_of(a) != of_maker.size()) stop("a spread array is made out of turn");
  return with_memory(site, [&]() -> tam_spread& { return of_maker.emplace_back(); });
}
tam_spread& checked(tam_array a, const char* site) {
  const auto maker = static_cast<std::size_t>(maker_of(a));
  if (maker >= arrays.size() || number_of(a) >= arrays[maker].size() ||
      arrays[maker][number_of(a)].parts.empty())
    stop("%s: %#llx is not an array", site, static_cast<unsigned long long>(a));
  return arrays[maker][number_of(a)];
}

// How many elements the rank has.
tam_word part_length(const tam_spread& s, int rank) {
  const auto ranks = static_cast<tam_word>(here.ranks), r = static_cast<tam_word>(rank);
  const tam_word full = s.length / s.block, rest = s.length % s.block;
  return (full / ranks + (r < full % ranks)) * s.block + (r == full % ranks ? rest : 0);
}

template <auto F, class... A>
void tell(int rank, const A&... a) {
  ++messages.sent;
  if (chain<F>(rank, a...) != status::ok) stop("rank %d has died", rank);
}
int own_rank() { return tam_rank_of(tam_here.own); }

// What a rank's part is of: in front of its head.
const tam_spread* whole(const tam_array_head* part) {
  return reinterpret_cast<const tam_spread* const*>(part)[-1];
}

tam_array make_part(tam_spread& s, tam_word length, tam_word block, const char* site) {
  s.length = length;
  s.block = block;
  s.site = site;
  tam_array_head* head =
      new_array_behind(sizeof(tam_spread*), array_kind::part, part_length(s, own_rank()), site);
  reinterpret_cast<const tam_spread**>(head)[-1] = &s;
  return tam_here.own | reinterpret_cast<tam_array>(head);
}

// At the maker, of one rank after the other: it has its part; then, it knows all parts.
void note_known(tam_array a) {
  tam_spread& s = known(a);
  if (--s.missing == 0) send(s.reply, {&a, 1}, caller::handler);
}
void on_known(tam_array a) {
  ++messages.handled;
  note_known(a);
}
void on_parts(tam_array a, payload parts) {
  ++messages.handled;
  const std::span<tam_array> all = parts.as<tam_array>();
  if (all.size() != static_cast<std::size_t>(here.ranks))
    stop("%zu parts of a spread array on %d ranks", all.size(), here.ranks);
  tam_spread& s = known(a);
  with_memory(s.site, [&] { s.parts.assign(all.begin(), all.end()); });
  tell<on_known>(maker_of(a), a);
}
void note_part(tam_array a, int rank, tam_array part) {
  tam_spread& s = known(a);
  if (s.parts.empty() || rank >= here.ranks) stop("a part of a spread array that nobody asked for");
  s.parts[static_cast<std::size_t>(rank)] = part;
  if (--s.missing > 0) return;
  s.missing = here.ranks;
  for (int r = 0; r < here.ranks; ++r) {
    if (r == own_rank()) continue;
    ++messages.sent;
    if (chain_medium<on_parts>(r, s.parts.data(), s.parts.size() * sizeof(tam_array), a) !=
        status::ok)
      stop("rank %d has died", r);
  }
  note_known(a);
}
void on_part(request_token t, tam_array a, tam_array part) {
  ++messages.handled;
  note_part(a, t.rank(), part);
}
void on_make(tam_array a, tam_word length, tam_word block, std::int32_t site) {
  ++messages.handled;
  const char* const place = decode_site(site);
  tell<on_part>(maker_of(a), a, make_part(made(a, place), length, block, place));
}

}  // namespace

void open_spread() {
  if (here.ranks > TAM_SPREAD) stop("%d ranks: TAM has at most %d", here.ranks, TAM_SPREAD);
  arrays.clear();
  arrays.resize(static_cast<std::size_t>(here.ranks));
}

element element_of(tam_array a, tam_word index, const char* site) {
  const tam_spread& s = checked(a, site);
  if (index >= s.length)
    stop("%s: element %lld is outside of the spread array of %llu elements made at %s", site,
         static_cast<long long>(index), static_cast<unsigned long long>(s.length), s.site);
  const auto ranks = static_cast<tam_word>(here.ranks);
  const tam_word block = index / s.block;
  return {s.parts[block % ranks], block / ranks * s.block + index % s.block};
}

tam_word spread_length(tam_array a, const char* site) { return checked(a, site).length; }

void each_part(void (*f)(tam_array_head*, void*), void* with) {
  const auto own = static_cast<std::size_t>(own_rank());
  for (const auto& of_maker : arrays)
    for (const tam_spread& s : of_maker)
      if (!s.parts.empty() && s.parts[own] != 0) f(checked_array(s.parts[own], s.site), with);
}

tam_word whole_length(const tam_array_head* head) noexcept {
  return kind_of(head) == array_kind::part ? whole(head)->length : head->length;
}

tam_word whole_index(const tam_array_head* head, tam_word index) noexcept {
  if (kind_of(head) != array_kind::part) return index;
  const tam_word block = whole(head)->block, ranks = static_cast<tam_word>(here.ranks),
                 rank = static_cast<tam_word>(tam_rank_of(tam_here.own));
  return (index / block * ranks + rank) * block + index % block;
}

}  // namespace ramjet::tam

using namespace ramjet::tam;

void tam_ialloc_spread(tam_lcv, tam_word length, tam_word block, tam_name reply, const char* site) {
  const auto ranks = static_cast<tam_word>(here.ranks);
  if (block == 0) block = length == 0 ? 1 : length / ranks + (length % ranks != 0);
  const std::size_t number = arrays[static_cast<std::size_t>(own_rank())].size();
  const tam_array a = name_of(own_rank(), static_cast<std::uint32_t>(number));
  tam_spread& s = made(a, site);
  s.reply = reply;
  s.missing = here.ranks;
  with_memory(site, [&] { s.parts.resize(static_cast<std::size_t>(here.ranks)); });
  for (int r = 0; r < here.ranks; ++r)
    if (r != own_rank()) tell<on_make>(r, a, length, block, encode_site(site));
  note_part(a, own_rank(), make_part(s, length, block, site));
}

int tam_rank_of_element(tam_array a, tam_word index, const char* site) {
  if (is_spread(a)) return tam_rank_of(element_of(a, index, site).part);
  const tam_array_head* head = is_shared(a) ? near_array(a) : nullptr;
  return head == nullptr ? tam_rank_of(a) : keeper_of(head, index);
}
