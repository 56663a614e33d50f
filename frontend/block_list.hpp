// SPDX-License-Identifier: Apache-2.0
// Objects that stay where they are, in the order in which they were added: in blocks, each twice as
// large as the one before it, so that a few need one block, and many few.
#ifndef FRONTEND_BLOCK_LIST_HPP
#define FRONTEND_BLOCK_LIST_HPP

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

#include "frontend/prefetch.hpp"
#include "frontend/small_vector.hpp"

namespace frontend {

// kFirst: of the first block. What adds an object ends iterators.
template <class T, std::size_t kFirst>
class block_list {
  static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

  template <class Object>
  class iterator_of {
   public:
    iterator_of(T* const* block, std::size_t left) : block_(block), left_(left) { enter(); }
    Object& operator*() const { return *at_; }
    iterator_of& operator++() {
      --left_;
      if (++at_ != end_) return *this;
      ++block_;
      capacity_ *= 2;
      enter();
      return *this;
    }
    bool operator==(const iterator_of& with) const { return left_ == with.left_; }

   private:
    void enter() {
      if (left_ == 0) return;
      at_ = *block_;
      end_ = at_ + std::min(capacity_, left_);
    }

    T* const* block_;
    std::size_t left_;  // from here on
    std::size_t capacity_ = kFirst;
    T* at_ = nullptr;
    T* end_ = nullptr;  // of those that are there
  };

 public:
  block_list() = default;
  block_list(const block_list&) = delete;
  block_list& operator=(const block_list&) = delete;
  ~block_list() {
    for (T& each : *this) each.~T();
    std::size_t capacity = kFirst;
    for (T* const block : blocks_) {
      ::operator delete(block, capacity * sizeof(T));
      capacity *= 2;
    }
  }

  template <class... Arguments>
  T& emplace_back(Arguments&&... arguments) {
    if (at_ == end_) grow();
    T* const made = new (at_) T(std::forward<Arguments>(arguments)...);
    ++at_;
    ++size_;
    return *made;
  }
  std::size_t size() const { return size_; }
  // What is in the first blocks is looked at soon.
  void prefetch() const {
    std::size_t capacity = kFirst;
    std::size_t left = size_;
    for (std::size_t i = 0; left != 0 && i < kPrefetched; ++i) {
      const std::size_t count = std::min(capacity, left);
      frontend::prefetch(blocks_[i], count * sizeof(T));
      left -= count;
      capacity *= 2;
    }
  }

  auto begin() { return iterator_of<T>(blocks_.data(), size_); }
  auto end() { return iterator_of<T>(nullptr, 0); }
  auto begin() const { return iterator_of<const T>(blocks_.data(), size_); }
  auto end() const { return iterator_of<const T>(nullptr, 0); }

 private:
  static constexpr std::size_t kPrefetched = 3;  // blocks

  void grow() {
    const std::size_t capacity = kFirst << blocks_.size();
    at_ = static_cast<T*>(::operator new(capacity * sizeof(T)));
    end_ = at_ + capacity;
    blocks_.push_back(at_);
  }

  small_vector<T*, 2> blocks_;
  std::size_t size_ = 0;
  T* at_ = nullptr;  // in the last block: for the next one
  T* end_ = nullptr;
};

}  // namespace frontend

#endif
