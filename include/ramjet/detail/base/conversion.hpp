// SPDX-License-Identifier: Apache-2.0
// How an argument becomes the parameter that it is sent to: without a change of its value that
// nobody sees.
//
//   from                              to                          rule
//   integer wider than int            narrower integer, bool      does not compile
//   floating point                    integer, bool, narrower     does not compile
//   pointer                           bool                        does not compile
//   integer up to the size of int     narrower integer, bool      the value is checked when it is
//                                                                 sent
//   everything else that converts                                 converts
//
// An integer of the size of int is not refused because constants and sums of short integers are
// ints. A change between signed and unsigned of one size keeps all bits and is allowed, and so is
// an integer as a floating-point number. A constructor or a conversion operator between the two
// types obeys the first three rules, as do the elements of standard pairs, tuples and optionals.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

#include "ramjet/detail/base/check.hpp"
#include "ramjet/detail/base/cpu.hpp"

namespace ramjet::detail {

enum class fit { always, by_value, never };

// An unscoped enumeration converts like the integer that it promotes to.
template <class T>
struct promoted {
  using type = T;
};
template <class T>
  requires(std::is_enum_v<T> && requires(T e) { +e; })
struct promoted<T> {
  using type = decltype(+T{});
};

template <class From, class To>
constexpr fit fit_of_numbers() {
  constexpr bool shrinks = sizeof(To) < sizeof(From) || std::is_same_v<To, bool>;
  if (std::is_same_v<From, To> || std::is_same_v<From, bool>) return fit::always;
  if (std::is_floating_point_v<From>)
    return std::is_floating_point_v<To> && !shrinks ? fit::always : fit::never;
  if (std::is_floating_point_v<To> || !shrinks) return fit::always;
  return sizeof(From) <= sizeof(int) ? fit::by_value : fit::never;
}

// Converts to any number that a From fits.
template <class From>
struct number_probe {
  template <class To>
    requires(std::is_arithmetic_v<To> && fit_of_numbers<From, To>() == fit::always)
  operator To() const;
};

template <class From, class To>
constexpr fit fit_of();

// Between types of the standard library that have elements.
template <class From, class To>
inline constexpr bool elements_fit = true;
template <template <class...> class Of, class... From, class... To>
  requires(sizeof...(From) == sizeof...(To) && !std::is_same_v<Of<From...>, Of<To...>>)
inline constexpr bool elements_fit<Of<From...>, Of<To...>> =
    ((fit_of<From, To>() == fit::always) && ...);

template <class From, class To>
inline constexpr bool elements_fit<From, std::optional<To>> = fit_of<From, To>() == fit::always;
template <class From, class To>
  requires(!std::is_same_v<From, To>)
inline constexpr bool elements_fit<std::optional<From>, std::optional<To>> =
    fit_of<From, To>() == fit::always;

template <class From, class To>
constexpr bool constructor_fits() {
  if constexpr (requires(const From& from) { To{from}; })
    return true;
  else
    return std::is_constructible_v<To, number_probe<From>>;
}

template <class From, class To>
constexpr fit fit_of() {
  using from = typename promoted<From>::type;
  if constexpr (std::is_same_v<From, To>) {
    return fit::always;
  } else if constexpr (std::is_arithmetic_v<To>) {
    if constexpr (std::is_arithmetic_v<from>)
      return fit_of_numbers<from, To>();
    else if constexpr (std::is_class_v<from>)
      return requires(const from& given) { To{given}; } ? fit::always : fit::never;
    else
      return std::is_same_v<To, bool> ? fit::never : fit::always;
  } else if constexpr (std::is_class_v<To> && std::is_arithmetic_v<from>) {
    return constructor_fits<from, To>() && elements_fit<from, To> ? fit::always : fit::never;
  } else {
    return elements_fit<From, To> ? fit::always : fit::never;
  }
}

// An argument that the library adds to a handler's own. It is not counted below.
struct library_number {
  std::uint32_t value;
};

// The compiler names this function, the number of the argument and both types where an argument is
// refused.
template <int argument, class given, class parameter>
void this_argument_may_lose_its_value__cast_it_at_the_call() = delete;

// `from`, given as that argument of a call, as the parameter To that it is for.
template <int Argument, class To, class From>
RAMJET_INLINE constexpr decltype(auto) fit_argument(const From& from) {
  if constexpr (std::is_same_v<From, To>) {
    return (from);
  } else {
    constexpr fit f = fit_of<std::decay_t<const From>, To>();
    if constexpr (f == fit::never)
      this_argument_may_lose_its_value__cast_it_at_the_call<Argument, From, To>();
    if constexpr (f == fit::by_value) {
      const auto value = +from;
      if constexpr (std::is_same_v<To, bool>)
        RAMJET_CHECK(value == 0 || value == 1,
                     "an argument is neither 0 nor 1, and sent as a bool");
      else
        RAMJET_CHECK(static_cast<std::make_signed_t<To>>(value) == value ||
                         static_cast<std::make_unsigned_t<To>>(value) == value,
                     "an argument's value does not fit the narrower integer that it is sent as");
    }
    return static_cast<To>(from);
  }
}

}  // namespace ramjet::detail
