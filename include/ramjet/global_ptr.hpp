// SPDX-License-Identifier: Apache-2.0
// Pointers into the memory of all ranks: a rank and an address, in 64 bits. They are values like
// any other: copied, sent in messages, kept in the memory that they point into.
//
//   global_ptr<T>   segmented: p + n stays on its rank, like a pointer in a segment
//   spread_ptr<T>   wrapped: p + 1 is the same place on the next rank, and after the last rank the
//                   next place on rank 0: blocks laid out over all ranks, one each in turn
//
// The address part is symmetric: the same number names the corresponding byte of every rank's
// segment. `local()` gives it as a plain pointer, which is this rank's own byte, whatever the rank
// part says. (Culler et al. 1993, Parallel Programming in Split-C, sections 2 and 3; Arpaci et al.
// 1995, section 3.3: rank in the top 16 bits, address in the low 48.)
//
// *p and p[n] stand for the element: as a value they read it, assigned to they write it, both
// blocking and sequentially consistent among themselves (gas.hpp: read, write). Errors: a pointer
// that is null, whose rank is outside the job, or whose address lies outside the segment may be
// computed with and compared; an access through it ends the process with one line. Threads and
// handlers: any for computing; for access as gas.hpp says (memory of another node needs an
// endpoint, and to read or write it by *p inside a handler ends the process; if its owner is dead,
// it throws failure). Cost: an instruction to compute with a global pointer, some 6 with a spread
// pointer; to access, as in gas.hpp.
#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ramjet/detail/gas/global_bits.hpp"
#include "ramjet/detail/gas/reach.hpp"

#pragma GCC visibility push(default)

namespace ramjet {

template <class T>
class global_ptr;
template <class T>
class spread_ptr;
template <class T>
class global_ref;

namespace detail {

// What a pointer converts to without a cast: the same element with more const, or void.
template <class From, class To>
inline constexpr bool same_element =
    std::is_convertible_v<From*, To*> &&
    (std::is_void_v<To> || std::is_same_v<std::remove_cv_t<From>, std::remove_cv_t<To>>);

// What *p is: a place to read and write; of an array, as in C, a pointer to its first element.
template <class T>
struct place {
  using type = global_ref<T>;
};
template <class T>
  requires std::is_array_v<T>
struct place<T> {
  using type = global_ptr<std::remove_extent_t<T>>;
};
template <class T>
  requires std::is_void_v<T>
struct place<T> {
  using type = void;
};

template <class T>
concept element = !std::is_void_v<T>;

// Where a data member stands in its class, as compilers for this system represent it.
template <class M, class C>
constexpr std::size_t offset_of(M C::* member) noexcept {
  static_assert(sizeof member == sizeof(std::ptrdiff_t));
  return std::size_t(std::bit_cast<std::ptrdiff_t>(member));
}

// Implicit or explicit conversions hand the bits over as they are.
struct from_bits {
  std::uint64_t bits;
};

// What both kinds of pointer share: all but how far the next element is. Kind is the pointer itself
// and has +=, ++, the difference and the order.
template <class Kind, class T>
class pointer_base {
 public:
  using element_type = T;

  constexpr pointer_base() noexcept = default;
  constexpr pointer_base(std::nullptr_t) noexcept {}
  // A local pointer, as this rank's; one into another rank's segment, as that rank's.
  explicit pointer_base(T* local) noexcept : bits_(bits_of(local)) {}
  // The byte of `rank` that corresponds to this rank's byte `local`.
  pointer_base(int rank, T* local) noexcept
      : bits_(make_bits(rank_part(rank), window_address(local))) {}
  constexpr explicit pointer_base(from_bits b) noexcept : bits_(b.bits) {}

  constexpr int rank() const noexcept { return int(rank_of(bits_)); }
  // This rank's own byte at the address; the rank part is dropped without a check.
  T* local() const noexcept {
    return reinterpret_cast<T*>(static_cast<std::uintptr_t>(address_of(bits_)));
  }
  explicit operator T*() const noexcept { return local(); }
  // Null if the address part is 0, whatever the rank.
  constexpr explicit operator bool() const noexcept { return address_of(bits_) != 0; }
  friend constexpr bool operator==(Kind p, std::nullptr_t) noexcept { return !p; }
  // Equal if rank and address are.
  friend constexpr bool operator==(Kind a, Kind b) noexcept { return a.bits_ == b.bits_; }

  // The 64 bits: {rank:16 | address:48}.
  constexpr std::uint64_t bits() const noexcept { return bits_; }

  constexpr Kind& operator-=(std::ptrdiff_t n) noexcept { return self() += -n; }
  constexpr Kind& operator--() noexcept { return self() += -1; }
  constexpr Kind operator++(int) noexcept {
    const Kind before = self();
    ++self();
    return before;
  }
  constexpr Kind operator--(int) noexcept {
    const Kind before = self();
    --self();
    return before;
  }
  friend constexpr Kind operator+(Kind p, std::ptrdiff_t n) noexcept { return p += n; }
  friend constexpr Kind operator+(std::ptrdiff_t n, Kind p) noexcept { return p += n; }
  friend constexpr Kind operator-(Kind p, std::ptrdiff_t n) noexcept { return p += -n; }

  // The element. Of a pointer to an array: the pointer to its first element.
  typename place<T>::type operator*() const noexcept
    requires element<T>
  {
    return typename place<T>::type(from_bits{bits_});
  }
  // Where p stays what it is in a loop, p[n] is read and written faster than *(p + n). Where p is
  // of no rank of the job, that ends the process if n elements are less than 2^47 bytes.
  typename place<T>::type operator[](std::ptrdiff_t n) const noexcept
    requires element<T>
  {
    using named = typename place<T>::type;
    if constexpr (Kind::kOneRank && std::is_same_v<named, global_ref<T>>)
      return named(from_bits{bits_}, n);
    else
      return *(static_cast<const Kind&>(*this) + n);
  }
  // The member of the structure pointed to: p.member(&body::mass).
  template <class M, class C>
    requires std::is_base_of_v<C, T>
  constexpr auto member(M C::* which) const noexcept {
    using to = std::conditional_t<std::is_const_v<T>, const M, M>;
    const std::size_t offset = offset_of(static_cast<M T::*>(which));
    return global_ptr<to>(from_bits{advance_segmented(bits_, std::ptrdiff_t(offset), 1)});
  }

 protected:
  std::uint64_t bits_ = 0;

 private:
  constexpr Kind& self() noexcept { return static_cast<Kind&>(*this); }
};

}  // namespace detail

template <class T>
class global_ptr : public detail::pointer_base<global_ptr<T>, T> {
  using base = detail::pointer_base<global_ptr, T>;
  friend base;
  static constexpr std::size_t element_bytes() noexcept { return sizeof(T); }
  static constexpr bool kOneRank = true;  // where all that it counts is

 public:
  using base::base;
  constexpr global_ptr() noexcept = default;
  // The same place as another type: implicit to const and to void, else with a cast.
  template <class U>
  constexpr explicit(!detail::same_element<U, T>) global_ptr(global_ptr<U> p) noexcept
      : base(detail::from_bits{p.bits()}) {}
  template <class U>
  constexpr explicit(!detail::same_element<U, T>) global_ptr(spread_ptr<U> p) noexcept
      : base(detail::from_bits{p.bits()}) {}

  constexpr global_ptr& operator+=(std::ptrdiff_t n) noexcept
    requires detail::element<T>
  {
    this->bits_ = detail::advance_segmented(this->bits_, n, element_bytes());
    return *this;
  }
  using base::operator++;
  constexpr global_ptr& operator++() noexcept { return *this += 1; }
  // Elements between two addresses; the ranks do not count.
  friend constexpr std::ptrdiff_t operator-(global_ptr to, global_ptr from) noexcept {
    return detail::distance_segmented(to.bits_, from.bits_, element_bytes());
  }
  // Ordered by address alone.
  friend constexpr std::weak_ordering operator<=>(global_ptr a, global_ptr b) noexcept {
    return detail::address_of(a.bits_) <=> detail::address_of(b.bits_);
  }
};

template <class T>
class spread_ptr : public detail::pointer_base<spread_ptr<T>, T> {
  using base = detail::pointer_base<spread_ptr, T>;
  friend base;
  static constexpr std::size_t element_bytes() noexcept { return sizeof(T); }
  static constexpr bool kOneRank = false;

 public:
  using base::base;
  constexpr spread_ptr() noexcept = default;
  template <class U>
  constexpr explicit(!detail::same_element<U, T>) spread_ptr(spread_ptr<U> p) noexcept
      : base(detail::from_bits{p.bits()}) {}
  template <class U>
  constexpr explicit spread_ptr(global_ptr<U> p) noexcept : base(detail::from_bits{p.bits()}) {}

  // Over the ranks of the job, so inside a job only.
  spread_ptr& operator+=(std::ptrdiff_t n) noexcept
    requires detail::element<T>
  {
    this->bits_ = detail::advance_wrapped(this->bits_, n, element_bytes(), detail::space.ranks,
                                          detail::space.ranks_log);
    return *this;
  }
  // A walk needs no division: after the last rank comes the next row.
  using base::operator++;
  spread_ptr& operator++() noexcept
    requires detail::element<T>
  {
    const std::uint64_t next = detail::rank_of(this->bits_) + 1;
    if (next > detail::space.ranks) [[unlikely]]
      return *this += 1;
    this->bits_ = next < detail::space.ranks ? detail::make_bits(next, this->bits_)
                                             : detail::make_bits(0, this->bits_ + sizeof(T));
    return *this;
  }
  friend std::ptrdiff_t operator-(spread_ptr to, spread_ptr from) noexcept {
    return detail::distance_wrapped(to.bits_, from.bits_, element_bytes(),
                                    detail::live_space.ranks);
  }
  // Ordered by address, then rank: the order in which ++ comes by.
  friend constexpr std::strong_ordering operator<=>(spread_ptr a, spread_ptr b) noexcept {
    return detail::spread_order(a.bits_) <=> detail::spread_order(b.bits_);
  }
};

static_assert(sizeof(global_ptr<int>) == 8 && std::is_trivially_copyable_v<global_ptr<int>>);
static_assert(sizeof(spread_ptr<int>) == 8 && std::is_trivially_copyable_v<spread_ptr<int>>);

// The element that a pointer points to, named but not accessed yet: converted to T it is read,
// assigned to it is written. Compound assignment reads, then writes, and is not atomic. `auto x =
// *p` is another name for the element; `T x = *p` is its value.
template <class T>
class global_ref {
  static_assert(std::is_trivially_copyable_v<T>, "what ranks share is trivially copyable");
  using value_type = std::remove_cv_t<T>;

 public:
  // Element n after the one that `base` names.
  constexpr explicit global_ref(detail::from_bits base, std::ptrdiff_t n = 0) noexcept
      : base_(base.bits), n_(n) {}
  global_ref(const global_ref&) noexcept = default;
  ~global_ref() = default;

  operator value_type() const { return detail::load_element<value_type>(base_, n_, "read"); }
  const global_ref& operator=(const value_type& value) const
    requires(!std::is_const_v<T>)
  {
    detail::store_element<value_type>(base_, n_, value, "write");
    return *this;
  }
  // Both sides far: a read, then a write.
  const global_ref& operator=(const global_ref& other) const
    requires(!std::is_const_v<T>)
  {
    return *this = value_type(other);
  }
  global_ref& operator=(const global_ref& other) {
    static_assert(!std::is_const_v<T>, "the element is const");
    detail::store_element<value_type>(base_, n_, value_type(other), "write");
    return *this;
  }

  template <class U>
  const global_ref& operator+=(const U& by) const {
    return *this = value_type(value_type(*this) + by);
  }
  template <class U>
  const global_ref& operator-=(const U& by) const {
    return *this = value_type(value_type(*this) - by);
  }
  template <class U>
  const global_ref& operator*=(const U& by) const {
    return *this = value_type(value_type(*this) * by);
  }
  template <class U>
  const global_ref& operator/=(const U& by) const {
    return *this = value_type(value_type(*this) / by);
  }
  template <class U>
  const global_ref& operator%=(const U& by) const {
    return *this = value_type(value_type(*this) % by);
  }
  template <class U>
  const global_ref& operator&=(const U& by) const {
    return *this = value_type(value_type(*this) & by);
  }
  template <class U>
  const global_ref& operator|=(const U& by) const {
    return *this = value_type(value_type(*this) | by);
  }
  template <class U>
  const global_ref& operator^=(const U& by) const {
    return *this = value_type(value_type(*this) ^ by);
  }
  template <class U>
  const global_ref& operator<<=(const U& by) const {
    return *this = value_type(value_type(*this) << by);
  }
  template <class U>
  const global_ref& operator>>=(const U& by) const {
    return *this = value_type(value_type(*this) >> by);
  }
  const global_ref& operator++() const { return *this += 1; }
  const global_ref& operator--() const { return *this -= 1; }
  value_type operator++(int) const {
    const value_type before = *this;
    *this = value_type(before + 1);
    return before;
  }
  value_type operator--(int) const {
    const value_type before = *this;
    *this = value_type(before - 1);
    return before;
  }

  // The pointer to the element.
  constexpr global_ptr<T> address() const noexcept {
    return global_ptr<T>(detail::from_bits{detail::element_bits(base_, n_, sizeof(T))});
  }

 private:
  std::uint64_t base_;
  std::ptrdiff_t n_;
};

}  // namespace ramjet

#pragma GCC visibility pop
