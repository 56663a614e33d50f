// SPDX-License-Identifier: Apache-2.0
// Objects that stay where they are, in the order in which they were added: in blocks, each twice as
// large as the one before it, so that a few need one block, and many few. Blocks may come from an
// arena, which gets back what the last one does not need.
#ifndef FRONTEND_BLOCK_LIST_HPP
#define FRONTEND_BLOCK_LIST_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "frontend/arena.hpp"
#include "frontend/prefetch.hpp"
#include "frontend/small_vector.hpp"

namespace frontend {

// kFirst: of the first block. What adds an object ends iterators.
template <class T, std::size_t kFirst>
class block_list {
  static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

  struct block {
    T* first = nullptr;
    std::uint32_t capacity = 0;
    bool is_own = false;  // else it is the arena's
  };

  template <class Object>
  class iterator_of {
   public:
    iterator_of(const block* now, std::size_t left) : block_(now), left_(left) { enter(); }
    Object& operator*() const { return *at_; }
    iterator_of& operator++() {
      --left_;
      if (++at_ != end_) return *this;
      ++block_;
      enter();
      return *this;
    }
    bool operator==(const iterator_of& with) const { return left_ == with.left_; }

   private:
    void enter() {
      if (left_ == 0) return;
      at_ = block_->first;
      end_ = at_ + std::min<std::size_t>(block_->capacity, left_);
    }

    const block* block_;
    std::size_t left_;  // from here on
    T* at_ = nullptr;
    T* end_ = nullptr;  // of those that are there
  };

 public:
  block_list() = default;
  block_list(const block_list&) = delete;
  block_list& operator=(const block_list&) = delete;
  ~block_list() {
    for (T& each : *this) each.~T();
    for (const block& each : blocks_)
      if (each.is_own) ::operator delete(each.first, each.capacity * sizeof(T));
  }

  // Further blocks come from the arena, until it is released. Meanwhile nobody else takes from it.
  void take_from(arena& memory) { arena_ = &memory; }
  void release() {
    if (at_ != end_ && !blocks_.back().is_own) {
      arena_->shorten(end_, at_);
      blocks_.back().capacity -= static_cast<std::uint32_t>(end_ - at_);
      end_ = at_;
    }
    arena_ = nullptr;
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
    for (std::size_t i = 0; i < std::min(blocks_.size(), kPrefetched); ++i)
      frontend::prefetch(blocks_[i].first, blocks_[i].capacity * sizeof(T));
  }

  auto begin() { return iterator_of<T>(blocks_.data(), size_); }
  auto end() { return iterator_of<T>(nullptr, 0); }
  auto begin() const { return iterator_of<const T>(blocks_.data(), size_); }
  auto end() const { return iterator_of<const T>(nullptr, 0); }

 private:
  static constexpr std::size_t kPrefetched = 3;  // blocks

  void grow() {
    const std::size_t capacity = kFirst << blocks_.size();
    const std::size_t bytes = capacity * sizeof(T);
    void* const memory = arena_ ? arena_->take(bytes, alignof(T)) : ::operator new(bytes);
    at_ = static_cast<T*>(memory);
    end_ = at_ + capacity;
    // Where it begins at the end of the last block, it is a part of that.
    if (arena_ && !blocks_.empty() && !blocks_.back().is_own &&
        blocks_.back().first + blocks_.back().capacity == at_) {
      blocks_.back().capacity += static_cast<std::uint32_t>(capacity);
      return;
    }
    blocks_.push_back({at_, static_cast<std::uint32_t>(capacity), !arena_});
  }

  small_vector<block, 1> blocks_;
  std::size_t size_ = 0;
  T* at_ = nullptr;  // in the last block: for the next one
  T* end_ = nullptr;
  arena* arena_ = nullptr;
};

}  // namespace frontend

#endif
