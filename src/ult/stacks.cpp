// SPDX-License-Identifier: Apache-2.0
#include "ult/stacks.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <new>

#include "ult/parts.hpp"

extern "C" void ramjet_ult_entry();  // context.cpp

namespace ramjet::ult::detail {

namespace {

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102  // Linux 6.13: a guard that takes no mapping of its own
#endif

constexpr std::size_t kColours = 16, kColourBytes = 2 * kCacheLineBytes;
constexpr std::size_t kSlabBytes = 4 * 1024 * 1024;

// Stacks that no worker keeps.
struct depot {
  std::mutex lock;
  linked* first[kStackClasses] = {};
};
depot& shared() {
  static depot& d = *new depot;  // workers may outlive the end of main
  return d;
}

std::size_t bytes_of(std::uint32_t stack_class) { return kStackBytesMin << stack_class; }

// A frame that is no larger does not reach over it. It takes address space alone.
std::size_t guard_bytes_of(std::uint32_t stack_class) {
  constexpr std::size_t kGuardBytesMax = 64 * 1024;
  return std::min(bytes_of(stack_class) / 4, kGuardBytesMax);
}
static_assert(kStackBytesMin / 4 == kPageBytes);

// From one stack of a slab to the next: the first page of the guard is a part of the class's bytes.
std::size_t stride_of(std::uint32_t stack_class) {
  return bytes_of(stack_class) - kPageBytes + guard_bytes_of(stack_class);
}

// Read by a system call, which tells what a load would end by.
bool is_forbidden(const std::byte* at) {
  return ::access(reinterpret_cast<const char*>(at), F_OK) != 0 && errno == EFAULT;
}

// Whether there are light guards: emulators answer 0 to advice that they do not know. Tools that
// read a process's memory by its mappings, as valgrind and the leak sanitizer do, would fault.
bool has_light_guards(std::byte* low, std::size_t bytes) {
  if (base::found_tools != 0) return false;
  return madvise(low, bytes, MADV_GUARD_INSTALL) == 0 && is_forbidden(low);
}

// Where the kernel has no light guards, each costs two mappings of which a process has some 65530;
// false once half of these are used up.
bool guard(std::byte* low, std::size_t bytes) {
  static std::atomic<unsigned> heavy{0};
  static std::atomic<bool> light{has_light_guards(low, bytes)};
  if (light.load(std::memory_order_relaxed)) {
    if (madvise(low, bytes, MADV_GUARD_INSTALL) == 0) return true;
    light.store(false, std::memory_order_relaxed);
  }
  constexpr unsigned kHeavyMax = 16000;
  return heavy.fetch_add(1, std::memory_order_relaxed) < kHeavyMax &&
         mprotect(low, bytes, PROT_NONE) == 0;
}

control* build(std::byte* low, std::uint32_t stack_class, std::size_t colour) {
  const std::size_t guard_bytes = guard_bytes_of(stack_class);
  guard(low, guard_bytes);
  std::byte* top = low + stride_of(stack_class) - colour % kColours * kColourBytes;
  auto* c = ::new (top - sizeof(control)) control;
  c->low = low + guard_bytes;
  c->stack_class = stack_class;
  c->stack_bytes = std::size_t(reinterpret_cast<std::byte*>(c) - c->low);
  c->sp = c;
  c->pc = reinterpret_cast<void*>(&ramjet_ult_entry);
  announce_stack(c);
  return c;
}

}  // namespace

std::uint32_t stack_class_of(std::size_t bytes) {
  const std::size_t whole = bytes < kStackBytesMin ? kStackBytesMin : std::bit_ceil(bytes);
  const auto c = std::uint32_t(std::countr_zero(whole) - std::countr_zero(kStackBytesMin));
  RAMJET_CHECK(c < kStackClasses, "a thread's stack is at most 1 GiB");
  return c;
}

// What the others gave back, or a new slab.
void refill_stacks(worker* w, free_list& list, std::uint32_t stack_class) {
  depot& d = shared();
  const std::lock_guard hold(d.lock);
  linked*& pile = d.first[stack_class];
  for (unsigned i = 0; i < kStacksMax / 2 && pile != nullptr; ++i) {
    auto* c = static_cast<control*>(pile);
    pile = c->next;
    c->home.store(w->index, std::memory_order_relaxed);
    c->next = list.first;
    list.first = c;
    ++list.count;
  }
  if (list.first != nullptr) return;
  const std::size_t bytes = bytes_of(stack_class), stride = stride_of(stack_class);
  const std::size_t count = bytes >= kSlabBytes ? 1 : kSlabBytes / bytes;
  void* slab = mmap(nullptr, stride * count, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (slab == MAP_FAILED) {
    std::fprintf(stderr,
                 "ramjet: no address space for %zu more stacks of %zu KiB: %s; take smaller ones "
                 "(ult::options::stack_bytes) or fewer threads at a time\n",
                 count, bytes / 1024, std::strerror(errno));
    std::abort();
  }
  madvise(slab, stride * count, MADV_NOHUGEPAGE);  // a page each is what most threads need
  for (std::size_t i = 0; i < count; ++i) {
    control* c = build(static_cast<std::byte*>(slab) + i * stride, stack_class, i);
    c->home.store(w->index, std::memory_order_relaxed);
    c->next = list.first;
    list.first = c;
    ++list.count;
  }
}

// Gives half of the list to all; of their memory only the page of the control block is kept.
void shrink_stacks(free_list& list, std::uint32_t stack_class) {
  depot& d = shared();
  const std::lock_guard hold(d.lock);
  while (list.count > kStacksMax / 2) {
    auto* c = static_cast<control*>(list.first);
    list.first = c->next;
    --list.count;
    const auto page = reinterpret_cast<std::uintptr_t>(c) & ~std::uintptr_t{kPageBytes - 1};
    const auto low = reinterpret_cast<std::uintptr_t>(c->low);
    if (page > low) madvise(c->low, page - low, MADV_DONTNEED);
    c->next = d.first[stack_class];
    d.first[stack_class] = c;
  }
}

free_list& other_stacks(worker* w, std::uint32_t stack_class) {
  return w->parts->stacks[stack_class];
}

void adopt_system_stack(control* c) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    void* low = nullptr;
    pthread_attr_getstack(&attributes, &low, &c->stack_bytes);
    c->low = static_cast<std::byte*>(low);
    pthread_attr_destroy(&attributes);
  }
  announce_system_stack(c);
}

bool is_overflow(const control* c, const void* address, std::uintptr_t stack_pointer) noexcept {
  constexpr std::uintptr_t kRedZoneBytes = 256;  // below a frame, which a function may use
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const auto low = reinterpret_cast<std::uintptr_t>(c->low);
  if (low == 0 || at >= low) return false;
  if (low - at <= guard_bytes_of(c->stack_class)) return true;
  return at >= stack_pointer - kRedZoneBytes && low - at <= kSlabBytes;
}

}  // namespace ramjet::ult::detail
