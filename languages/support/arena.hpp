// SPDX-License-Identifier: Apache-2.0
// Memory of the tree: objects are made and never freed before the arena is cleared or ends.
// Destructors run then for types that have one.
#ifndef FRONTEND_ARENA_HPP
#define FRONTEND_ARENA_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace frontend {

class arena {
 public:
  arena() = default;
  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;
  ~arena() { clear(); }

  // What was made from it is gone.
  void clear() {
    for (auto d = destructors_.rbegin(); d != destructors_.rend(); ++d) d->run(d->object);
    destructors_.clear();
    for (const block& b : blocks_) ::operator delete(b.first, b.bytes);
    blocks_.clear();
    at_ = end_ = 0;
  }

  template <class T, class... Arguments>
  T* make(Arguments&&... arguments) {
    T* object = new (allocate(sizeof(T), alignof(T))) T{std::forward<Arguments>(arguments)...};
    if constexpr (!std::is_trivially_destructible_v<T>)
      destructors_.push_back({[](void* o) { static_cast<T*>(o)->~T(); }, object});
    return object;
  }

  // A copy of a list of pointers, for node::children.
  template <class T>
  std::span<T> list(std::span<const T> items) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (items.empty()) return {};
    T* copy = static_cast<T*>(allocate(items.size() * sizeof(T), alignof(T)));
    std::copy(items.begin(), items.end(), copy);
    return {copy, items.size()};
  }
  template <class T>
  std::span<T> list(std::initializer_list<T> items) {
    return list(std::span<const T>(items.begin(), items.size()));
  }

  // For objects whose destructors somebody else runs.
  void* take(std::size_t bytes, std::size_t alignment) { return allocate(bytes, alignment); }
  // What was taken last, up to `end`, ends at `wanted` already.
  void shorten(const void* end, const void* wanted) {
    if (reinterpret_cast<std::uintptr_t>(end) == at_)
      at_ = reinterpret_cast<std::uintptr_t>(wanted);
  }

 private:
  static constexpr std::size_t kBlockBytes = 256 * 1024;
  struct destructor {
    void (*run)(void*);
    void* object;
  };
  struct block {
    void* first;
    std::size_t bytes;
  };

  void* allocate(std::size_t bytes, std::size_t alignment) {
    at_ = (at_ + alignment - 1) & ~(alignment - 1);
    if (blocks_.empty() || at_ + bytes > end_) {
      const std::size_t size = std::max(kBlockBytes, bytes + alignment);
      blocks_.push_back({::operator new(size), size});
      at_ = reinterpret_cast<std::uintptr_t>(blocks_.back().first);
      end_ = at_ + size;
      at_ = (at_ + alignment - 1) & ~(alignment - 1);
    }
    void* here = reinterpret_cast<void*>(at_);
    at_ += bytes;
    return here;
  }

  std::vector<block> blocks_;
  std::vector<destructor> destructors_;
  std::uintptr_t at_ = 0, end_ = 0;
};

}  // namespace frontend

#endif
