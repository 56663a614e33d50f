// SPDX-License-Identifier: Apache-2.0
// Frame memory: one range of addresses, of which chunks are given to classes of frames one after
// the other. Frames go from their class's free list and back to it, so chunks are never given back
// before the end. A frame is free if its block is null.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

#include "languages/tam/runtime/elements.hpp"
#include "languages/tam/runtime/frames.hpp"
#include "languages/tam/runtime/machine.hpp"

tam_state tam_here;
tam_frame tam_no_frame = {nullptr, nullptr, 0, TAM_CLASSES};

namespace ramjet::tam {

machine here;

namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 16;
// The entries, addresses without memory, and the spare frames of the lowest entries.
constexpr std::size_t kVectorBytes = (1 + TAM_SPARES + TAM_CALLS_MAX) * sizeof(tam_entry);
static_assert(kLcvEntries * sizeof(tam_entry) + kChunkBytes <= TAM_SPARES * sizeof(tam_entry));
constexpr std::size_t kFrameBytesMax = std::size_t{1} << TAM_OFFSET_BITS;

struct chunk {
  std::size_t offset, bytes;  // a multiple of kChunkBytes each
  std::size_t frame_bytes;
};
std::vector<chunk> chunks;
std::size_t reserved_bytes = 0;

constexpr std::size_t bytes_of_class(unsigned c) {
  return c < TAM_SMALL_CLASSES
             ? (c + 1) * std::size_t{TAM_FRAME_UNIT}
             : std::size_t{TAM_FRAME_UNIT * TAM_SMALL_CLASSES * 2} << (c - TAM_SMALL_CLASSES);
}
static_assert(bytes_of_class(TAM_SMALL_CLASSES - 1) == 4096);
static_assert(bytes_of_class(TAM_SMALL_CLASSES) == 8192);

void* map(std::size_t bytes, void* hint = nullptr) noexcept {
  return mmap(hint, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
              0);
}

// Arrays are named by 47 bits of their addresses. Systems that have more of them, such as ARM's,
// map above that unless they are asked.
void* map_below_47_bits(std::size_t bytes) noexcept {
  const auto is_below = [bytes](void* p) {
    return (reinterpret_cast<std::uintptr_t>(p) + bytes - 1) >> 47 == 0;
  };
  void* p = map(bytes);
  if (p == MAP_FAILED || is_below(p)) return p;
  munmap(p, bytes);
  p = map(bytes, reinterpret_cast<void*>(0x4000'0000'0000));
  if (p == MAP_FAILED || is_below(p)) return p;
  munmap(p, bytes);
  return MAP_FAILED;
}

void give_spare(tam_frame* f) {
  if (f == &tam_no_frame) return;
  f->block = nullptr;
  f->link = tam_here.free[f->frame_class];
  tam_here.free[f->frame_class] = f;
}

}  // namespace

void stop(const char* format, ...) noexcept {
  std::va_list arguments;
  va_start(arguments, format);
  std::fprintf(stderr, "ramjet: rank %d: ", tam_rank_of(tam_here.own));
  std::vfprintf(stderr, format, arguments);
  std::fputc('\n', stderr);
  va_end(arguments);
  std::exit(70);
}

std::size_t physical_bytes() noexcept {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Where addresses are rationed (ulimit -v, valgrind), fewer of them serve most programs as well.
char* reserve(std::size_t& bytes, const char* what) {
  constexpr std::size_t kLeastBytes = std::size_t{1} << 20;
  const std::size_t wanted = bytes;
  for (; bytes >= kLeastBytes; bytes /= 2) {
    bytes = bytes / kChunkBytes * kChunkBytes;
    void* p = map_below_47_bits(bytes);
    if (p != MAP_FAILED) return static_cast<char*>(p);
  }
  stop("no addresses for TAM's %s: not %zu bytes, and not %zu (ulimit -v?)", what, wanted,
       kLeastBytes);
}

void open_frames() {
  reserved_bytes = std::min(kFrameBytesMax, physical_bytes() / 2);
  tam_here.frames = reserve(reserved_bytes, "frames");
  tam_here.name_bias = tam_here.own - reinterpret_cast<std::uintptr_t>(tam_here.frames);
  // Past the last entry there is nothing: a vector that grows too far ends in a fault.
  void* vector = map(kVectorBytes);
  if (vector == MAP_FAILED) stop("no addresses for TAM's continuation vector (ulimit -v?)");
  here.lcv = static_cast<tam_lcv>(vector) + 1;  // there is always one under the top
  for (tam_lcv lcv = here.lcv; lcv < here.lcv + TAM_CALLS_MAX; ++lcv)
    *tam_spare(lcv) = &tam_no_frame;
  tam_here.next_ready = &tam_here.ready;
  tam_here.calls_left = 1;
  tam_here.calls_end = reinterpret_cast<std::uintptr_t>(here.lcv + TAM_CALLS_MAX);
  mprotect(static_cast<tam_lcv>(vector) + kLcvEntries, kChunkBytes, PROT_NONE);
}

void close_frames() noexcept {
  munmap(tam_here.frames, reserved_bytes);
  munmap(here.lcv - 1, kVectorBytes);
  chunks.clear();
  here.frame_bytes = 0;
  std::fill(std::begin(tam_here.free), std::end(tam_here.free), nullptr);
  tam_here.ready = nullptr;
}

void each_frame(void (*f)(const tam_frame*, void*), void* with) {
  for (tam_lcv lcv = here.lcv; lcv < here.lcv + TAM_CALLS_MAX; ++lcv)
    give_spare(std::exchange(*tam_spare(lcv), &tam_no_frame));
  for (const chunk& c : chunks)
    for (std::size_t at = 0; at + c.frame_bytes <= c.bytes; at += c.frame_bytes) {
      const auto* frame = reinterpret_cast<const tam_frame*>(tam_here.frames + c.offset + at);
      if (frame->block != nullptr) f(frame, with);
    }
}

void refuse_destination(tam_name to) noexcept {
  const auto word = static_cast<unsigned long long>(to);
  const tam_name offset = to & (TAM_INLET_UNIT - 1);
  if (!tam_is_own(to) || offset >= here.frame_bytes || offset % TAM_FRAME_UNIT != 0)
    stop("a message for a frame that does not exist (%#llx)", word);
  const tam_frame* frame = tam_frame_of(to);
  if (frame->block == nullptr) stop("a message for a frame that is free (%#llx)", word);
  stop("a message for inlet %u of %s, which has %u", tam_inlet_of(to), frame->block->name,
       frame->block->inlet_count);
}

}  // namespace ramjet::tam

using namespace ramjet::tam;

tam_frame* tam_more_frames(unsigned frame_class, const tam_block* block) {
  const std::size_t frame_bytes = bytes_of_class(frame_class);
  const std::size_t bytes =
      std::max(kChunkBytes, (frame_bytes + kChunkBytes - 1) / kChunkBytes * kChunkBytes);
  if (bytes > reserved_bytes - here.frame_bytes)
    stop("%s: frame memory is exhausted: %zu bytes in frames, and %zu more for one of %s",
         block->site, here.frame_bytes, frame_bytes, block->name);
  try {
    chunks.push_back({here.frame_bytes, bytes, frame_bytes});
  } catch (const std::bad_alloc&) {
    stop("%s: no memory to note a frame of %s", block->site, block->name);
  }
  tam_frame* first = nullptr;
  for (std::size_t at = bytes / frame_bytes; at-- > 0;) {  // so that they come out in order
    auto* f = reinterpret_cast<tam_frame*>(tam_here.frames + here.frame_bytes + at * frame_bytes);
    f->frame_class = frame_class;
    f->link = first;
    first = f;
  }
  here.frame_bytes += bytes;
  return first;
}

tam_frame* tam_take_spare_slow(tam_lcv lcv, const tam_block* block) {
  tam_frame*& spare = *tam_spare(lcv);
  if (spare->frame_class == tam_class(block->frame_bytes)) {
    spare->block = block;
  } else {
    give_spare(spare);
    spare = tam_take_frame(block, block->frame_bytes);
  }
  spare->posted = 1;  // also where a late message has posted into what had ended
  return spare;
}

void tam_ffree(tam_frame* frame) {
  if (frame->block == nullptr) stop("a frame is freed twice");
  if (frame->posted != 0)
    stop("a frame of %s is freed while threads of it are enabled", frame->block->name);
  tam_give_frame(frame, frame->block->frame_bytes);
}

void tam_rcv_full(const tam_frame* frame) {
  stop("%s: more threads of a frame of %s are enabled than its continuation vector has entries",
       frame->block->site, frame->block->name);
}
