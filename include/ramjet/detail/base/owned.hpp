// SPDX-License-Identifier: Apache-2.0
// Pointers and arrays that own, for headers that users include: <memory> costs a program's compiler
// more than all of ours, <vector> half as much as they.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>

#pragma GCC visibility push(default)

namespace ramjet::detail {

template <class T>
struct deletes {
  void operator()(std::remove_extent_t<T>* object) const noexcept {
    // NOLINTNEXTLINE(bugprone-sizeof-expression): a complete type has a size, whatever it is
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

// As many elements as it was made with, and their only owner; a copy has elements of its own. Made
// with a number, they are value-initialised.
template <class T>
class owned_array {
 public:
  owned_array() noexcept = default;
  explicit owned_array(std::size_t size) : first_(new T[size]()), size_(size) {}
  owned_array(std::initializer_list<T> values) : owned_array(values.begin(), values.size()) {}
  owned_array(const owned_array& other) : owned_array(other.begin(), other.size_) {}
  owned_array(owned_array&& other) noexcept
      : first_(std::move(other.first_)), size_(std::exchange(other.size_, 0)) {}
  owned_array& operator=(owned_array other) noexcept {
    std::swap(first_, other.first_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~owned_array() = default;

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  T* begin() noexcept { return first_.get(); }
  T* end() noexcept { return begin() + size_; }
  const T* begin() const noexcept { return first_.get(); }
  const T* end() const noexcept { return begin() + size_; }
  T& operator[](std::size_t i) noexcept { return first_[i]; }
  const T& operator[](std::size_t i) const noexcept { return first_[i]; }

 private:
  owned_array(const T* from, std::size_t size) : owned_array(size) {
    for (std::size_t i = 0; i < size; ++i) first_[i] = from[i];
  }

  owned<T[]> first_;
  std::size_t size_ = 0;
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
