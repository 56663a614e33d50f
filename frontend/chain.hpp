// SPDX-License-Identifier: Apache-2.0
// A list of objects that stay where they are, for very many short lists: each object is allocated
// by itself, and knows the next one.
#ifndef FRONTEND_CHAIN_HPP
#define FRONTEND_CHAIN_HPP

#include <cstddef>
#include <cstdint>
#include <utility>

namespace frontend {

template <class T>
class chain {
  struct link {
    T object{};
    link* next = nullptr;
  };
  template <class Object>
  class iterator_of {
   public:
    using value_type = T;
    using difference_type = std::ptrdiff_t;

    explicit iterator_of(link* at = nullptr) : at_(at) {}
    Object& operator*() const { return at_->object; }
    Object* operator->() const { return &at_->object; }
    iterator_of& operator++() {
      at_ = at_->next;
      return *this;
    }
    bool operator==(const iterator_of&) const = default;

   private:
    link* at_;
  };

 public:
  chain() = default;
  chain(chain&& from) noexcept
      : first_(std::exchange(from.first_, nullptr)),
        last_(std::exchange(from.last_, nullptr)),
        size_(std::exchange(from.size_, 0)) {}
  chain& operator=(chain&&) = delete;
  ~chain() {
    while (first_) delete std::exchange(first_, first_->next);
  }

  T& add() {
    link* const made = new link;
    (last_ ? last_->next : first_) = made;
    last_ = made;
    ++size_;
    return made->object;
  }

  std::size_t size() const { return size_; }
  auto begin() { return iterator_of<T>(first_); }
  auto end() { return iterator_of<T>(); }
  auto begin() const { return iterator_of<const T>(first_); }
  auto end() const { return iterator_of<const T>(); }

 private:
  link* first_ = nullptr;
  link* last_ = nullptr;
  std::uint32_t size_ = 0;
};

}  // namespace frontend

#endif
