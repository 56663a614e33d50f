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
// whose rank is none, which is null, or whose address lies outside the segment may be computed with
// and compared; to access through it ends the process with one line. Threads and handlers: any for
// computing; for access as gas.hpp says (memory of another node needs an endpoint, and to read or
// write it by *p inside a handler ends the process). Cost: an instruction to compute with a global
// pointer, some 6 with a spread pointer; to access, as in gas.hpp.
#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ramjet/detail/gas/global_bits.hpp"
#include "ramjet/detail/gas/reach.hpp"

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

// What both kinds of pointer share: the bits, and taking them apart. Kind is the pointer itself.
template <class T>
class pointer_base {
 public:
  using element_type = T;

  constexpr int rank() const noexcept { return int(rank_of(bits_)); }
  // This rank's own byte at the address; the rank part is dropped without a check.
  T* local() const noexcept {
    return reinterpret_cast<T*>(static_cast<std::uintptr_t>(address_of(bits_)));
  }
  explicit operator T*() const noexcept { return local(); }
  // Null if the address part is 0, whatever the rank.
  constexpr explicit operator bool() const noexcept { return address_of(bits_) != 0; }
  constexpr bool operator==(std::nullptr_t) const noexcept { return address_of(bits_) == 0; }

  // The 64 bits: {rank:16 | address:48}.
  constexpr std::uint64_t bits() const noexcept { return bits_; }

 protected:
  constexpr pointer_base() noexcept = default;
  constexpr explicit pointer_base(std::uint64_t bits) noexcept : bits_(bits) {}
  std::uint64_t bits_ = 0;
};

// Implicit or explicit conversions hand the bits over as they are.
struct from_bits {
  std::uint64_t bits;
};

}  // namespace detail

template <class T>
class global_ptr : public detail::pointer_base<T> {
  using base = detail::pointer_base<T>;
  static constexpr std::size_t element_bytes() noexcept { return sizeof(T); }

 public:
  constexpr global_ptr() noexcept = default;
  constexpr global_ptr(std::nullptr_t) noexcept {}
  // A local pointer, as this rank's; one into another rank's segment, as that rank's.
  explicit global_ptr(T* local) noexcept : base(detail::bits_of(local)) {}
  // The byte of `rank` that corresponds to this rank's byte `local`.
  global_ptr(int rank, T* local) noexcept
      : base(detail::make_bits(detail::rank_part(rank), detail::window_address(local))) {}
  constexpr explicit global_ptr(detail::from_bits b) noexcept : base(b.bits) {}
  // The same place as another type: implicit to const and to void, else with a cast.
  template <class U>
  constexpr explicit(!detail::same_element<U, T>) global_ptr(global_ptr<U> p) noexcept
      : base(p.bits()) {}
  template <class U>
  constexpr explicit(!detail::same_element<U, T>) global_ptr(spread_ptr<U> p) noexcept
      : base(p.bits()) {}

  constexpr global_ptr& operator+=(std::ptrdiff_t n) noexcept
    requires detail::element<T>
  {
    this->bits_ = detail::advance_segmented(this->bits_, n, element_bytes());
    return *this;
  }
  constexpr global_ptr& operator-=(std::ptrdiff_t n) noexcept
    requires detail::element<T>
  {
    return *this += -n;
  }
  constexpr global_ptr& operator++() noexcept { return *this += 1; }
  constexpr global_ptr& operator--() noexcept { return *this -= 1; }
  constexpr global_ptr operator++(int) noexcept { return ++*this - 1; }
  constexpr global_ptr operator--(int) noexcept { return --*this + 1; }
  friend constexpr global_ptr operator+(global_ptr p, std::ptrdiff_t n) noexcept { return p += n; }
  friend constexpr global_ptr operator+(std::ptrdiff_t n, global_ptr p) noexcept { return p += n; }
  friend constexpr global_ptr operator-(global_ptr p, std::ptrdiff_t n) noexcept { return p -= n; }
  // Elements between two addresses; the ranks do not count.
  friend constexpr std::ptrdiff_t operator-(global_ptr to, global_ptr from) noexcept {
    return detail::distance_segmented(to.bits_, from.bits_, element_bytes());
  }

  // Equal if rank and address are; ordered by address alone.
  friend constexpr bool operator==(global_ptr a, global_ptr b) noexcept {
    return a.bits_ == b.bits_;
  }
  friend constexpr std::weak_ordering operator<=>(global_ptr a, global_ptr b) noexcept {
    return detail::address_of(a.bits_) <=> detail::address_of(b.bits_);
  }
  using base::operator==;

  // The element. Of a pointer to an array: the pointer to its first element.
  typename detail::place<T>::type operator*() const noexcept
    requires detail::element<T>
  {
    return typename detail::place<T>::type(detail::from_bits{this->bits_});
  }
  typename detail::place<T>::type operator[](std::ptrdiff_t n) const noexcept
    requires detail::element<T>
  {
    return *(*this + n);
  }
  // The member of the structure pointed to: p.member(&body::mass).
  template <class M, class C>
    requires std::is_base_of_v<C, T>
  constexpr auto member(M C::* which) const noexcept {
    using to = std::conditional_t<std::is_const_v<T>, const M, M>;
    const std::size_t offset = detail::offset_of(static_cast<M T::*>(which));
    return global_ptr<to>(
        detail::from_bits{detail::advance_segmented(this->bits_, std::ptrdiff_t(offset), 1)});
  }
};

template <class T>
class spread_ptr : public detail::pointer_base<T> {
  using base = detail::pointer_base<T>;
  static constexpr std::size_t element_bytes() noexcept { return sizeof(T); }

 public:
  constexpr spread_ptr() noexcept = default;
  constexpr spread_ptr(std::nullptr_t) noexcept {}
  explicit spread_ptr(T* local) noexcept : base(detail::bits_of(local)) {}
  spread_ptr(int rank, T* local) noexcept
      : base(detail::make_bits(detail::rank_part(rank), detail::window_address(local))) {}
  constexpr explicit spread_ptr(detail::from_bits b) noexcept : base(b.bits) {}
  template <class U>
  constexpr explicit(!detail::same_element<U, T>) spread_ptr(spread_ptr<U> p) noexcept
      : base(p.bits()) {}
  template <class U>
  constexpr explicit spread_ptr(global_ptr<U> p) noexcept : base(p.bits()) {}

  // Over the ranks of the job, so inside a job only.
  spread_ptr& operator+=(std::ptrdiff_t n) noexcept
    requires detail::element<T>
  {
    this->bits_ = detail::advance_wrapped(this->bits_, n, element_bytes(), detail::space.ranks,
                                          detail::space.ranks_log);
    return *this;
  }
  spread_ptr& operator-=(std::ptrdiff_t n) noexcept
    requires detail::element<T>
  {
    return *this += -n;
  }
  // A walk needs no division: after the last rank comes the next row.
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
  spread_ptr& operator--() noexcept { return *this -= 1; }
  spread_ptr operator++(int) noexcept {
    const spread_ptr before = *this;
    ++*this;
    return before;
  }
  spread_ptr operator--(int) noexcept {
    const spread_ptr before = *this;
    --*this;
    return before;
  }
  friend spread_ptr operator+(spread_ptr p, std::ptrdiff_t n) noexcept { return p += n; }
  friend spread_ptr operator+(std::ptrdiff_t n, spread_ptr p) noexcept { return p += n; }
  friend spread_ptr operator-(spread_ptr p, std::ptrdiff_t n) noexcept { return p -= n; }
  friend std::ptrdiff_t operator-(spread_ptr to, spread_ptr from) noexcept {
    return detail::distance_wrapped(to.bits_, from.bits_, element_bytes(),
                                    detail::live_space.ranks);
  }

  // Ordered by address, then rank: the order in which ++ comes by.
  friend constexpr bool operator==(spread_ptr a, spread_ptr b) noexcept {
    return a.bits_ == b.bits_;
  }
  friend constexpr std::strong_ordering operator<=>(spread_ptr a, spread_ptr b) noexcept {
    return detail::spread_order(a.bits_) <=> detail::spread_order(b.bits_);
  }
  using base::operator==;

  typename detail::place<T>::type operator*() const noexcept
    requires detail::element<T>
  {
    return *global_ptr<T>(*this);
  }
  typename detail::place<T>::type operator[](std::ptrdiff_t n) const noexcept
    requires detail::element<T>
  {
    return *(*this + n);
  }
  template <class M, class C>
    requires std::is_base_of_v<C, T>
  constexpr auto member(M C::* which) const noexcept {
    return global_ptr<T>(*this).member(which);
  }
};

static_assert(sizeof(global_ptr<int>) == 8 && std::is_trivially_copyable_v<global_ptr<int>>);
static_assert(sizeof(spread_ptr<int>) == 8 && std::is_trivially_copyable_v<spread_ptr<int>>);

// The element that a pointer points to, named but not yet looked at: converted to T it is read,
// assigned to it is written. Compound assignment reads, then writes, and is not atomic. `auto x =
// *p` is another name for the element; `T x = *p` is its value.
template <class T>
class global_ref {
  static_assert(std::is_trivially_copyable_v<T>, "what ranks share is trivially copyable");
  using value_type = std::remove_cv_t<T>;

 public:
  constexpr explicit global_ref(detail::from_bits b) noexcept : bits_(b.bits) {}
  global_ref(const global_ref&) noexcept = default;
  ~global_ref() = default;

  operator value_type() const noexcept {
    return detail::load<value_type, detail::likely::own>(bits_, "read");
  }
  const global_ref& operator=(const value_type& value) const noexcept
    requires(!std::is_const_v<T>)
  {
    detail::store<value_type, detail::likely::own>(bits_, value, detail::completes::now, "write");
    return *this;
  }
  // Both sides far: a read, then a write.
  const global_ref& operator=(const global_ref& other) const noexcept
    requires(!std::is_const_v<T>)
  {
    return *this = value_type(other);
  }
  global_ref& operator=(const global_ref& other) noexcept {
    static_assert(!std::is_const_v<T>, "the element is const");
    detail::store<value_type, detail::likely::own>(bits_, value_type(other), detail::completes::now,
                                                   "write");
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
    return global_ptr<T>(detail::from_bits{bits_});
  }

 private:
  std::uint64_t bits_;
};

}  // namespace ramjet
