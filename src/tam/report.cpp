// SPDX-License-Identifier: Apache-2.0
// What a program that can go no further waits for: its frames, the threads in them that lack
// something, and the elements at which fetches are deferred. Written by each rank for itself.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <string>

#include "tam/machine.hpp"
#include "tam/node_heap.hpp"
#include "tam/spread.hpp"

namespace ramjet::tam {
namespace {

constexpr std::size_t kFramesMax = 20, kFetchesMax = 20;

[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...) {
  char line[512];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  return line;
}

unsigned long long number_of(tam_name frame) {
  return (frame & (TAM_INLET_UNIT - 1)) / TAM_FRAME_UNIT;
}

std::string frame_text(const tam_frame* f) {
  return text("frame %llu of %s (%s)", number_of(tam_name_of(f, 0)), f->block->name,
              f->block->site);
}

std::string reply_text(tam_name reply) {
  if (!tam_is_own(reply))
    return text("frame %llu of rank %d, inlet %u", number_of(reply), tam_rank_of(reply),
                tam_inlet_of(reply));
  const tam_frame* f = checked_frame(reply);
  const tam_inlet_info& inlet = f->block->inlets[tam_inlet_of(reply)];
  return frame_text(f) + text(", inlet %s (%s)", inlet.name, inlet.site);
}

std::string threads_text(const tam_frame* f) {
  std::string all;
  for (std::uint32_t i = 0; i < f->block->thread_count; ++i) {
    const tam_thread_info& t = f->block->threads[i];
    if (t.count_offset == 0) continue;
    const auto* bytes = reinterpret_cast<const char*>(f) + t.count_offset;
    const std::uint32_t count = *reinterpret_cast<const std::uint32_t*>(bytes);
    if (count != 0)
      all += text("%s thread %s (%s) lacks %u", all.empty() ? ":" : ",", t.name, t.site, count);
  }
  return all;
}

struct frame_list {
  std::vector<std::string> lines;
  std::size_t count = 0;
};

void write_list(const std::vector<std::string>& lines, std::size_t count, const char* what) {
  for (const std::string& line : lines) std::fprintf(stderr, "  %s\n", line.c_str());
  if (count > lines.size()) std::fprintf(stderr, "  and %zu more %s\n", count - lines.size(), what);
}

}  // namespace
}  // namespace ramjet::tam

using namespace ramjet::tam;

void tam_report(void) {
  frame_list frames;
  each_frame(
      [](const tam_frame* f, void* into) {
        auto& list = *static_cast<frame_list*>(into);
        if (f->block == root_block || ++list.count > kFramesMax) return;
        list.lines.push_back(frame_text(f) + threads_text(f));
      },
      &frames);
  const std::vector<waiting_fetch> fetches = waiting_fetches();
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::min(fetches.size(), kFetchesMax); ++i) {
    const waiting_fetch& w = fetches[i];
    lines.push_back(text("%s of the array of %llu made at %s: %s by ",
                         element_text(w.array, w.index).c_str(),
                         static_cast<unsigned long long>(whole_length(w.array)), site_of(w.array),
                         w.takes ? "a take" : "a fetch") +
                    reply_text(w.reply));
  }
  std::fprintf(stderr,
               "ramjet: rank %d: deadlock: no thread is enabled, no message is under way, and the "
               "program has no result; %zu frames and %zu fetches wait here\n",
               tam_rank_of(tam_here.own), frames.count, fetches.size());
  write_list(frames.lines, frames.count, "frames");
  write_list(lines, fetches.size(), "fetches");
}
