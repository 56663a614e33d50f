// SPDX-License-Identifier: Apache-2.0
// What a program that can go no further waits for: its frames, the threads in them that lack
// something, and the elements at which fetches are deferred. Written by each rank for itself; whose
// fetch of another rank it is, that rank tells.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>

#include "languages/tam/runtime/arrays.hpp"
#include "languages/tam/runtime/elements.hpp"
#include "languages/tam/runtime/frames.hpp"
#include "languages/tam/runtime/machine.hpp"
#include "languages/tam/runtime/node_heap.hpp"
#include "languages/tam/runtime/program.hpp"
#include "languages/tam/runtime/remote.hpp"
#include "languages/tam/runtime/sites.hpp"
#include "languages/tam/runtime/spread.hpp"
#include "ramjet/am.hpp"
#include "ramjet/collectives.hpp"
#include "ramjet/job.hpp"

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

std::string frame_text(tam_name frame, const tam_block* block) {
  const std::string rank = tam_is_own(frame) ? "" : text("of rank %d, ", tam_rank_of(frame));
  return text("frame %llu %sof %s (%s)", number_of(frame), rank.c_str(), block->name, block->site);
}

std::string frame_text(const tam_frame* f) { return frame_text(tam_name_of(f, 0), f->block); }

// What a frame's rank says of it: where its code block lies (carried), if it is one of the
// program's.
struct frame_block {
  std::int64_t carried = 0;
  std::uint32_t is_known = 0, has_come = 0;
};
frame_block answer;

void on_block(reply_token, frame_block found) {
  answer = found;
  answer.has_come = 1;
}

void on_ask_block(request_token t, tam_name frame) {
  frame_block found;
  const tam_name offset = frame & (TAM_INLET_UNIT - 1);
  if (tam_is_own(frame) && offset < here.frame_bytes && offset % TAM_FRAME_UNIT == 0) {
    const tam_block* block = tam_frame_of(frame)->block;
    found.is_known = std::find(here.blocks.begin(), here.blocks.end(), block) != here.blocks.end();
    if (found.is_known != 0) found.carried = encode_site(block);
  }
  reply<on_block>(std::move(t), found);
}

// Of a frame of another rank; null: that rank says nothing of it.
const tam_block* ask_block(tam_name frame) {
  answer = {};
  if (request<on_ask_block>(tam_rank_of(frame), frame) != status::ok) return nullptr;
  const auto has_come = [] { return answer.has_come != 0; };
  if (wait_until(has_come, "tam: whose frames wait here") != status::ok) return nullptr;
  return answer.is_known != 0 ? block_of(answer.carried) : nullptr;
}

std::string reply_text(tam_name reply) {
  const unsigned inlet = tam_inlet_of(reply);
  const tam_block* block = tam_is_own(reply) ? checked_frame(reply)->block : ask_block(reply);
  if (block == nullptr || inlet >= block->inlet_count)
    return text("frame %llu of rank %d, inlet %u", number_of(reply), tam_rank_of(reply), inlet);
  return frame_text(reply, block) +
         text(", inlet %s (%s)", block->inlets[inlet].name, block->inlets[inlet].site);
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

// Collective. Where a rank has died, each speaks for itself.
bool waits_somewhere(bool here_too) {
  int count = here_too ? 1 : 0;
  return here.ranks > 1 && ramjet::all_reduce(count, std::plus<>{}) == status::ok && count != 0;
}

const char* plural(std::size_t count) { return count == 1 ? "" : "s"; }

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
  const bool waits_here = frames.count + fetches.size() != 0;
  if (waits_somewhere(waits_here) && !waits_here) return;
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
               "program has no result; %zu frame%s and %zu fetch%s wait here\n",
               tam_rank_of(tam_here.own), frames.count, plural(frames.count), fetches.size(),
               fetches.size() == 1 ? "" : "es");
  write_list(frames.lines, frames.count, "frames");
  write_list(lines, fetches.size(), "fetches");
}
