// SPDX-License-Identifier: Apache-2.0
// Objects that stay where they are. Those of a pool that was cleared are used again, with the
// memory that they have reserved: T::clear() makes one as it was at first.
#ifndef FRONTEND_POOL_HPP
#define FRONTEND_POOL_HPP

#include <cstddef>
#include <memory>
#include <vector>

namespace frontend {

template <class T>
class pool {
  template <class Pool, class Object>
  class iterator_of {
   public:
    iterator_of(Pool& in, std::size_t at) : in_(&in), at_(at) {}
    Object& operator*() const { return (*in_)[at_]; }
    iterator_of& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const iterator_of& with) const { return at_ == with.at_; }

   private:
    Pool* in_;
    std::size_t at_;
  };

 public:
  pool() = default;
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;

  T& add() {
    if (size_ == blocks_.size() * kBlock) blocks_.push_back(std::make_unique<T[]>(kBlock));
    T& made = (*this)[size_++];
    made.clear();
    return made;
  }
  void clear() { size_ = 0; }

  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return blocks_[i / kBlock][i % kBlock]; }
  const T& operator[](std::size_t i) const { return blocks_[i / kBlock][i % kBlock]; }
  auto begin() { return iterator_of<pool, T>(*this, 0); }
  auto end() { return iterator_of<pool, T>(*this, size_); }
  auto begin() const { return iterator_of<const pool, const T>(*this, 0); }
  auto end() const { return iterator_of<const pool, const T>(*this, size_); }

 private:
  static constexpr std::size_t kBlock = 32;

  std::vector<std::unique_ptr<T[]>> blocks_;
  std::size_t size_ = 0;
};

}  // namespace frontend

#endif
