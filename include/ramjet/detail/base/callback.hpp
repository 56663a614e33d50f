// SPDX-License-Identifier: Apache-2.0
// What is called later, without its type; for headers that users include, where <functional> would
// cost a program's compiler more than all of ours.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#pragma GCC visibility push(default)

namespace ramjet::detail {

// A copy of something that is called with A... and returns nothing; or empty, which may not be
// called. Two words that can be copied as bytes stand inside, all else is allocated.
template <class... A>
class callback {
 public:
  callback() noexcept = default;
  callback(std::nullptr_t) noexcept {}
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, callback> &&
             std::is_invocable_v<std::decay_t<F>&, A...>)
  callback(F&& f) {
    using object = std::decay_t<F>;
    if constexpr (!std::is_function_v<std::remove_reference_t<F>> && requires { f == nullptr; })
      if (f == nullptr) return;
    if constexpr (kInside<object>) {
      new (place_) object(std::forward<F>(f));
    } else {
      keep(new object(std::forward<F>(f)));
    }
    kind_ = &kKindOf<object>;
  }
  callback(const callback& other) { copy(other); }
  callback(callback&& other) noexcept { take(other); }
  callback& operator=(const callback& other) {
    if (this != &other) *this = callback(other);
    return *this;
  }
  callback& operator=(callback&& other) noexcept {
    if (this == &other) return *this;
    drop();
    take(other);
    return *this;
  }
  ~callback() { drop(); }

  explicit operator bool() const noexcept { return kind_ != nullptr; }
  void operator()(A... a) const { kind_->call(place_, std::forward<A>(a)...); }

 private:
  struct kind {
    void (*call)(std::byte* place, A... a);
    void (*copy)(std::byte* to, const std::byte* from);  // nullptr: the bytes are the object
    void (*drop)(std::byte* place);
  };
  static constexpr std::size_t kBytes = 2 * sizeof(void*);

  template <class F>
  static constexpr bool kInside =
      sizeof(F) <= kBytes && alignof(F) <= alignof(void*) && std::is_trivially_copyable_v<F>;

  template <class F>
  static F& object_at(std::byte* place) noexcept {
    if constexpr (kInside<F>) {
      return *std::launder(reinterpret_cast<F*>(place));
    } else {
      return **std::launder(reinterpret_cast<F**>(place));
    }
  }
  template <class F>
  static void call_it(std::byte* place, A... a) {
    static_cast<void>(object_at<F>(place)(std::forward<A>(a)...));
  }
  template <class F>
  static void copy_it(std::byte* to, const std::byte* from) {
    new (to) F*(new F(object_at<F>(const_cast<std::byte*>(from))));
  }
  template <class F>
  static void drop_it(std::byte* place) {
    delete &object_at<F>(place);
  }
  template <class F>
  static constexpr kind kKindOf{call_it<F>, kInside<F> ? nullptr : copy_it<F>,
                                kInside<F> ? nullptr : drop_it<F>};

  template <class F>
  void keep(F* object) noexcept {
    new (place_) F*(object);
  }
  void copy(const callback& other) {
    if (other.kind_ != nullptr && other.kind_->copy != nullptr) {
      other.kind_->copy(place_, other.place_);
    } else {
      std::memcpy(place_, other.place_, kBytes);
    }
    kind_ = other.kind_;
  }
  void take(callback& other) noexcept {
    std::memcpy(place_, other.place_, kBytes);
    kind_ = std::exchange(other.kind_, nullptr);
  }
  void drop() noexcept {
    if (kind_ != nullptr && kind_->drop != nullptr) kind_->drop(place_);
    kind_ = nullptr;
  }

  const kind* kind_ = nullptr;  // nullptr: empty
  alignas(void*) mutable std::byte place_[kBytes]{};
};

}  // namespace ramjet::detail

#pragma GCC visibility pop
