// SPDX-License-Identifier: Apache-2.0
// A vector of which the first kInline elements are in the object itself: lists of a compiler's
// nodes are short.
#ifndef FRONTEND_SMALL_VECTOR_HPP
#define FRONTEND_SMALL_VECTOR_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace frontend {

template <class T, std::uint32_t kInline>
class small_vector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;

  small_vector() {}
  small_vector(std::initializer_list<T> items) { append(items.begin(), items.size()); }
  explicit small_vector(std::size_t count) { resize(count); }
  small_vector(const small_vector& from) {
    if (from.is_inline())
      copy_inline(from);
    else
      append(from.begin(), from.size());
  }
  small_vector(small_vector&& from) noexcept { take(from); }
  small_vector& operator=(const small_vector& from) {
    if (this == &from) return *this;
    if (is_inline() && from.is_inline()) {
      copy_inline(from);
      return *this;
    }
    clear();
    append(from.begin(), from.size());
    return *this;
  }
  small_vector& operator=(small_vector&& from) noexcept {
    if (this == &from) return *this;
    release();
    take(from);
    return *this;
  }
  ~small_vector() { release(); }

  T* begin() { return is_inline() ? kept_.inline_ : kept_.heap_; }
  T* end() { return begin() + size_; }
  const T* begin() const { return is_inline() ? kept_.inline_ : kept_.heap_; }
  const T* end() const { return begin() + size_; }
  const T* data() const { return begin(); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return begin()[i]; }
  const T& operator[](std::size_t i) const { return begin()[i]; }
  T& back() { return begin()[size_ - 1]; }
  const T& back() const { return begin()[size_ - 1]; }
  const T& front() const { return begin()[0]; }

  void push_back(T item) {
    if (size_ == capacity_) grow(size_ + std::size_t{1});
    begin()[size_++] = item;
  }
  void append(const T* items, std::size_t count) {
    if (size_ + count > capacity_) grow(size_ + count);
    std::copy_n(items, count, end());
    size_ += static_cast<std::uint32_t>(count);
  }
  void append(std::initializer_list<T> items) { append(items.begin(), items.size()); }
  void insert_first(T item) {
    push_back(item);
    std::rotate(begin(), end() - 1, end());
  }
  // What is added is T{}.
  void resize(std::size_t count) {
    if (count > capacity_) grow(count);
    if (count > size_) std::fill(end(), begin() + count, T{});
    size_ = static_cast<std::uint32_t>(count);
  }
  void clear() { size_ = 0; }
  void erase(T item) {
    size_ = static_cast<std::uint32_t>(std::remove(begin(), end(), item) - begin());
  }
  bool contains(T item) const {
    for (const T& each : *this)
      if (each == item) return true;
    return false;
  }

  bool operator==(const small_vector& with) const {
    return std::equal(begin(), end(), with.begin(), with.end());
  }

 private:
  bool is_inline() const { return capacity_ == kInline; }

  void grow(std::size_t wanted) {
    const std::size_t capacity = std::max<std::size_t>(wanted, std::size_t{2} * capacity_);
    T* const made = static_cast<T*>(::operator new(capacity * sizeof(T)));
    std::copy_n(begin(), size_, made);
    release();
    kept_.heap_ = made;
    capacity_ = static_cast<std::uint32_t>(capacity);
  }
  void release() {
    if (!is_inline()) ::operator delete(kept_.heap_, capacity_ * sizeof(T));
    capacity_ = kInline;
  }
  // Both are inline. All is copied, as it takes no longer, and needs no test.
  void copy_inline(const small_vector& from) {
    std::memcpy(&kept_, &from.kept_, sizeof kept_);
    size_ = from.size_;
  }
  // `this` holds nothing.
  void take(small_vector& from) {
    std::memcpy(&kept_, &from.kept_, sizeof kept_);
    size_ = std::exchange(from.size_, 0);
    capacity_ = std::exchange(from.capacity_, kInline);
  }

  union storage {
    storage() : inline_{} {}
    T inline_[kInline];
    T* heap_;
  } kept_;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = kInline;  // above kInline: kept_.heap_ holds the elements
};

}  // namespace frontend

#endif
