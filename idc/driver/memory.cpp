// SPDX-License-Identifier: Apache-2.0
// operator new of the compiler, which makes very many small objects and ends soon: those of up to
// kSmallMax bytes come from chunks, and a freed one goes to the list of its size. Chunks are never
// given back. All lists are a thread's own; what another thread frees goes to its lists. Other
// compilers than GCC, which do not say how much is freed, and sanitizers do without this file.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t kUnit = 16;  // sizes are multiples of it, as alignments may be
constexpr std::size_t kSmallMax = 512;
constexpr std::size_t kChunkBytes = 1024 * 1024;
static_assert(kUnit >= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

struct free_object {
  free_object* next;
};

// Ahead of a chunk's objects. Every thread adds chunks; `first` publishes them.
struct alignas(kUnit) chunk {
  chunk* next;
};
constinit std::atomic<chunk*> first{nullptr};  // pairs: idc.chunk

struct lists {
  free_object* of[kSmallMax / kUnit + 1];  // by units
  std::byte* at;
  std::byte* end;
};
constinit thread_local lists mine{};

std::size_t units_of(std::size_t bytes) { return bytes == 0 ? 1 : (bytes + kUnit - 1) / kUnit; }

[[gnu::noinline]] void* allocate_large(std::size_t bytes) {
  if (void* const made = std::malloc(bytes)) return made;
  throw std::bad_alloc();
}

[[gnu::noinline]] void add_chunk() {
  chunk* const added =
      new (allocate_large(kChunkBytes)) chunk{first.load(std::memory_order_relaxed)};
  // pairs: idc.chunk
  while (!first.compare_exchange_weak(added->next, added, std::memory_order_release,
                                      std::memory_order_relaxed)) {
  }
  mine.at = reinterpret_cast<std::byte*>(added + 1);
  mine.end = reinterpret_cast<std::byte*>(added) + kChunkBytes;
}

bool is_in_chunk(const void* object) {
  const auto at = reinterpret_cast<std::uintptr_t>(object);
  // pairs: idc.chunk
  for (const chunk* c = first.load(std::memory_order_acquire); c; c = c->next)
    if (at - reinterpret_cast<std::uintptr_t>(c) < kChunkBytes) return true;
  return false;
}

}  // namespace

void* operator new(std::size_t bytes) {
  if (bytes > kSmallMax) return allocate_large(bytes);
  const std::size_t units = units_of(bytes);
  if (free_object* const reused = mine.of[units]) {
    mine.of[units] = reused->next;
    return reused;
  }
  if (static_cast<std::size_t>(mine.end - mine.at) < units * kUnit) add_chunk();
  void* const made = mine.at;
  mine.at += units * kUnit;
  return made;
}

void operator delete(void* object, std::size_t bytes) noexcept {
  if (bytes > kSmallMax) return std::free(object);
  if (!object) return;
  free_object*& list = mine.of[units_of(bytes)];
  list = new (object) free_object{list};
}

// Of no known size: what is in a chunk stays there unused. Nothing of this kind is made often.
void operator delete(void* object) noexcept {
  if (object && !is_in_chunk(object)) std::free(object);
}
