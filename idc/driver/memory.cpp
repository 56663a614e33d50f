// SPDX-License-Identifier: Apache-2.0
// operator new of the compiler, which makes very many small objects and ends soon. Objects come
// from chunks, and a freed one goes to the list of its size: a multiple of 16 bytes, or above
// kSmallMax one of four between two powers of two. Those above kLargeMax are mappings of their own.
// Chunks are in huge pages where the kernel has them, as a page fault costs hundreds of
// instructions, and are never given back. Lists are a thread's own; what another thread frees goes
// to its lists. Only blocks of arenas, which are large and seldom freed, are for all threads. Other
// compilers than GCC, which do not say how much is freed, and sanitizers do without this file.
#include "idc/driver/memory.hpp"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <exception>
#include <mutex>
#include <new>
#include <utility>

namespace {

constexpr std::size_t kUnit = 16;  // sizes are multiples of it, as alignments may be
constexpr std::size_t kSmallMax = 512;
constexpr std::size_t kLargeMax = 1024 * 1024;
constexpr std::size_t kHugePage = 2 * 1024 * 1024;
constexpr std::size_t kChunkBytes = 16 * kHugePage;
constexpr std::size_t kLargeClasses = 4 * (std::bit_width(kLargeMax) - std::bit_width(kSmallMax));
static_assert(kLargeMax <= kHugePage);
static_assert(kUnit >= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

struct free_object {
  free_object* next;
};

struct lists {
  free_object* small[kSmallMax / kUnit + 1];  // by units
  free_object* large[kLargeClasses];
  std::byte* at;
  std::byte* end;
};
constinit thread_local lists mine{};

std::size_t units_of(std::size_t bytes) { return bytes == 0 ? 1 : (bytes + kUnit - 1) / kUnit; }

std::size_t whole_pages(std::size_t bytes) { return (bytes + kHugePage - 1) & ~(kHugePage - 1); }

// Null if it is refused.
std::byte* try_to_map(std::size_t bytes) {
  void* const made =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED) return nullptr;
  madvise(made, bytes, MADV_HUGEPAGE);  // refused: it works with small ones
  return static_cast<std::byte*>(made);
}

[[gnu::noinline]] std::byte* map(std::size_t bytes) {
  std::byte* const made = try_to_map(bytes);
  if (!made) throw std::bad_alloc();
  return made;
}

// Above kSmallMax: bytes <= 2^power, in quarters of 2^(power - 1).
struct large_size {
  constexpr explicit large_size(std::size_t wanted)
      : power(static_cast<std::size_t>(std::bit_width(wanted - 1))),
        quarter(((wanted - 1) >> (power - 3)) & 3) {}
  constexpr std::size_t bytes() const { return (quarter + 5) << (power - 3); }
  constexpr std::size_t number() const { return 4 * (power - std::bit_width(kSmallMax)) + quarter; }

  std::size_t power, quarter;
};

// A block of an arena.
constexpr std::size_t kPieceBytes = 256 * 1024;
constexpr std::size_t kPieceClass = large_size(kPieceBytes).number();
static_assert(large_size(kPieceBytes).bytes() == kPieceBytes);

// The list of free ones.
class piece_list {
 public:
  void add(void* freed) {
    const std::lock_guard lock(mutex_);
    first_ = new (freed) free_object{first_};
  }
  void* take() {  // null: there is none
    const std::lock_guard lock(mutex_);
    return first_ ? std::exchange(first_, first_->next) : nullptr;
  }

 private:
  std::mutex mutex_;
  free_object* first_ = nullptr;
};
constinit piece_list pieces;

// By ulimit -v: then little is mapped that may remain unused.
bool address_space_is_limited() {
  rlimit limit{};
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

// What has been freed in one piece serves before more is mapped: that would have to be cleared.
[[gnu::noinline]] void next_chunk(std::size_t bytes) {
  std::size_t size = kPieceBytes;
  auto* first = bytes <= kPieceBytes ? static_cast<std::byte*>(pieces.take()) : nullptr;
  if (!first) {
    size = address_space_is_limited() ? kHugePage : kChunkBytes;
    first = map(size);
  }
  mine.at = first;
  mine.end = first + size;
}

void* from_chunk(std::size_t bytes) {
  if (static_cast<std::size_t>(mine.end - mine.at) < bytes) next_chunk(bytes);
  void* const made = mine.at;
  mine.at += bytes;
  return made;
}

void* take(free_object*& list, std::size_t bytes) {
  if (!list) return from_chunk(bytes);
  free_object* const reused = list;
  list = reused->next;
  return reused;
}

[[gnu::noinline]] void* allocate_large(std::size_t bytes) {
  if (bytes > kLargeMax) return map(whole_pages(bytes));
  const large_size size(bytes);
  if (size.number() == kPieceClass)
    if (void* const reused = pieces.take()) return reused;
  return take(mine.large[size.number()], size.bytes());
}

[[gnu::noinline]] void free_large(void* object, std::size_t bytes) {
  if (bytes > kLargeMax) {
    munmap(object, whole_pages(bytes));
    return;
  }
  const std::size_t number = large_size(bytes).number();
  if (number == kPieceClass) return pieces.add(object);
  free_object*& list = mine.large[number];
  list = new (object) free_object{list};
}

}  // namespace

void* operator new(std::size_t bytes) {
  if (bytes > kSmallMax) return allocate_large(bytes);
  const std::size_t units = units_of(bytes);
  return take(mine.small[units], units * kUnit);
}

void operator delete(void* object, std::size_t bytes) noexcept {
  if (!object) return;
  if (bytes > kSmallMax) return free_large(object, bytes);
  free_object*& list = mine.small[units_of(bytes)];
  list = new (object) free_object{list};
}

// Of no known size: it stays unused. Nothing of this kind is made often.
void operator delete(void*) noexcept {}

namespace idc::driver {
namespace {

std::size_t bytes_without_comments(std::string_view source) {
  std::size_t bytes = 0;
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t comment = std::min(source.find('%', at), source.size());
    bytes += comment - at;
    at = std::min(source.find('\n', comment), source.size());
  }
  return bytes;
}

}  // namespace

memory_ahead::memory_ahead(std::string_view source, std::size_t threads) {
  // Types, and its part of the trees and of the kernel language; graphs get the trees' memory.
  const std::size_t bytes_of_byte = 16 + 76 / threads;
  constexpr std::size_t kMax = std::size_t{1} << 30;
  const std::size_t wanted = bytes_without_comments(source) * bytes_of_byte;
  const std::size_t bytes = whole_pages(std::min(wanted, kMax));
  if (bytes < kChunkBytes / 4 || address_space_is_limited()) return;
  std::byte* const first = try_to_map(bytes);
  if (!first) return;
  mine.at = first;
  mine.end = first + bytes;
  try {
    thread_ = std::thread([this, first, bytes] { ask(first, bytes); });
  } catch (const std::exception&) {
    // The system makes no more threads: pages are cleared when they are used.
  }
}

memory_ahead::~memory_ahead() {
  is_over_.store(true, std::memory_order_relaxed);
  if (thread_.joinable()) thread_.join();
}

void memory_ahead::ask(std::byte* first, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes && !is_over_.load(std::memory_order_relaxed); at += kHugePage)
    if (madvise(first + at, kHugePage, MADV_POPULATE_WRITE) != 0) return;  // an older kernel
}

}  // namespace idc::driver
