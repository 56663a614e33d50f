// SPDX-License-Identifier: Apache-2.0
// Which values may go to another process, as far as a type shows it: addresses may not. The members
// of a program's own classes are not checked.
#pragma once

#include <array>
#include <initializer_list>
#include <span>  // and std::contiguous_iterator, without the streams of <iterator>
#include <string_view>
#include <type_traits>

#pragma GCC visibility push(default)

namespace ramjet {

// For a program to specialise, as true: values of T mean the same in every rank, though an address
// is in them; pointers into segments, say, where all ranks share memory.
template <class T>
inline constexpr bool same_everywhere = false;

namespace detail {

// A lambda with captures: no trait knows one, but its name does.
template <class T>
constexpr bool is_capturing_lambda() {
  if constexpr (!std::is_class_v<T> || std::is_aggregate_v<T> || std::is_empty_v<T>) return false;
  constexpr std::string_view name = __PRETTY_FUNCTION__;
  return name.find("<lambda") != name.npos || name.find("(lambda at") != name.npos;
}

// Whether T is of the standard library; a template of others may say T* of anything.
template <class T>
constexpr bool is_of_std() {
  return std::string_view(__PRETTY_FUNCTION__).find("T = std::") != std::string_view::npos;
}

template <class T>
inline constexpr bool wraps_reference = !std::is_same_v<std::unwrap_reference_t<T>, T>;

// Whether T is an address, or refers to memory of its process: spans and views are borrowed ranges.
template <class T>
inline constexpr bool holds_address =
    !same_everywhere<T> &&
    (std::is_pointer_v<T> || std::is_member_function_pointer_v<T> || std::contiguous_iterator<T> ||
     std::ranges::enable_borrowed_range<T> || wraps_reference<T> || is_capturing_lambda<T>());
template <class T>
inline constexpr bool holds_address<const T> = holds_address<T>;
template <class T, std::size_t N>
inline constexpr bool holds_address<T[N]> = holds_address<T>;
template <class T, std::size_t N>
inline constexpr bool holds_address<std::array<T, N>> = holds_address<T>;
template <class T>
inline constexpr bool holds_address<std::initializer_list<T>> = true;
// Optional, variant, pair, tuple.
template <template <class...> class Of, class... T>
  requires(is_of_std<Of<T...>>() && !std::ranges::enable_borrowed_range<Of<T...>> &&
           !wraps_reference<Of<T...>>)
inline constexpr bool holds_address<Of<T...>> = (holds_address<T> || ...);

}  // namespace detail
}  // namespace ramjet

#pragma GCC visibility pop
