// SPDX-License-Identifier: Apache-2.0
// Pointers that own, for headers that users include: those of <memory> cost a program's compiler
// more than all of ours.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#pragma GCC visibility push(default)

namespace ramjet::detail {

template <class T>
struct deletes {
  void operator()(std::remove_extent_t<T>* object) const noexcept {
    static_assert(sizeof(std::remove_extent_t<T>) > 0, "it is deleted where it is complete");
    if constexpr (std::is_array_v<T>) {
      delete[] object;
    } else {
      delete object;
    }
  }
};

// The only owner of an object, or of an array (T[]). As std::unique_ptr; movable.
template <class T, class End = deletes<T>>
class owned {
 public:
  using element = std::remove_extent_t<T>;

  constexpr owned() noexcept = default;
  constexpr explicit owned(element* object) noexcept : object_(object) {}
  constexpr owned(owned&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  constexpr owned& operator=(owned&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  constexpr ~owned() {
    if (object_ != nullptr) End{}(object_);
  }

  element* get() const noexcept { return object_; }
  element& operator*() const noexcept { return *object_; }
  element* operator->() const noexcept { return object_; }
  element& operator[](std::size_t i) const noexcept { return object_[i]; }
  explicit operator bool() const noexcept { return object_ != nullptr; }

 private:
  element* object_ = nullptr;
};

// One of several owners of an object, which counts them: retain(T*) adds one, release(T*) takes one
// away, and with the last the object. As std::shared_ptr.
template <class T>
class shared {
 public:
  shared() noexcept = default;
  explicit shared(T* object) noexcept : object_(object) {
    if (object_ != nullptr) retain(object_);
  }
  shared(const shared& other) noexcept : shared(other.object_) {}
  shared(shared&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  shared& operator=(shared other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~shared() {
    if (object_ != nullptr) release(object_);
  }

  T* get() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  T* operator->() const noexcept { return object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  friend bool operator==(const shared&, const shared&) noexcept = default;

 private:
  T* object_ = nullptr;
};

}  // namespace ramjet::detail

#pragma GCC visibility pop
