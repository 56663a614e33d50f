// SPDX-License-Identifier: Apache-2.0
#include "languages/tam/runtime/polled_elements.hpp"

#include <algorithm>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "languages/tam/runtime/arrays.hpp"
#include "languages/tam/runtime/messages.hpp"
#include "languages/tam/runtime/node_heap.hpp"
#include "languages/tam/runtime/remote.hpp"
#include "languages/tam/runtime/termination.hpp"
#include "languages/tam/runtime/waiting.hpp"

namespace ramjet::tam {
namespace {

constexpr unsigned kWatchedMax = 16;
constexpr unsigned kStartsMax = 1u << 20;

// A rank that reads elements as they are written takes the lines of values and tags from the
// writer's cache once for each element; so a rank that has come up to another one lets it go ahead
// for some lines of tags. Rows that are short for the number of ranks allow less.
constexpr tam_word kTagsOfLine = 64, kAheadMin = kTagsOfLine, kAheadMax = 8 * kTagsOfLine;
// Where elements take long, that would take too long.
constexpr std::uint64_t kAheadNsMax = 100'000;
// Ranks that wait for longer may sleep, and look at memory less and less often.
constexpr std::uint64_t kWatchNsMax = 1'000'000;

struct watched {
  tam_array array;
  tam_array_head* head;
  tam_word index;
  tam_word probe_index;  // the element of the same row that is looked for: index <= probe_index
  tam_name reply;
  const char* site;
};

struct held {
  tam_frame* frame;
  tam_thread thread;
};

// The main thread's.
struct {
  watched elements[kWatchedMax];
  unsigned count = 0;  // of them
  std::uint64_t since_ns = 0;  // nothing has come, though this rank looks; 0: not looked yet
  unsigned halvings = 0;  // of how far others are let go ahead
  unsigned starts = 1, starts_left = 0;  // allowed after resume_loops
  std::vector<held> loops;
  std::uint64_t handled_when_asked = 0;  // messages; the answers are among those since
} state;

bool is_there(const tam_array_head* head, tam_word index) noexcept {
  const unsigned char* tags = tam_tags(const_cast<tam_array_head*>(head));
  return __atomic_load_n(tags + index, __ATOMIC_ACQUIRE) == TAM_PRESENT;  // pairs: tam.element
}

// The element whose presence says that the writer is far enough ahead: the first of a line of tags,
// whose line the writer needs back once; or the row's last one.
tam_word probe_index(tam_array_head* head, tam_word index) noexcept {
  const row_place row = row_of(head, index);
  const tam_word wanted = row.count / static_cast<tam_word>(2 * here.ranks);
  const tam_word ahead = std::clamp(wanted, kAheadMin, kAheadMax) >> state.halvings;
  const tam_word last = row.first + row.count - 1;
  if (ahead >= last - index) return last;
  const auto at = reinterpret_cast<tam_word>(tam_tags(head) + index + ahead);
  return index + ahead - std::min(ahead, at % kTagsOfLine);
}

void deliver(const watched& w) {
  // Counted as a message that has come: the token sees that something has been done.
  ++messages.sent;
  ++messages.handled;
  deliver_word(w.reply, tam_values(w.head)[w.index]);
}

// Delivers the watched elements that are there and for which `is_wanted`; returns whether there
// were any. Inlets may watch others.
template <class Wanted>
bool deliver_those(Wanted&& is_wanted) {
  watched* const end = state.elements + state.count;
  watched* const kept = std::partition(
      state.elements, end, [&](watched& w) { return !is_wanted(w) || !is_there(w.head, w.index); });
  watched come[kWatchedMax];
  const watched* const last = std::copy(kept, end, come);
  state.count = static_cast<unsigned>(kept - state.elements);
  for (const watched* w = come; w < last; ++w) deliver(*w);
  if (last == come) return false;
  state.since_ns = 0;
  tam_here.awaits = 0;
  return true;
}

void ask_for_all() {
  state.handled_when_asked = messages.handled;
  const unsigned count = std::exchange(state.count, 0);
  for (const watched* w = state.elements; w < state.elements + count; ++w)
    fetch_shared_at(keeper_of(w->head, w->index), w->array, w->index, w->reply, w->site,
                    caller::thread);
}

void go_on_with_loops() {
  std::vector<held> loops;
  loops.swap(state.loops);
  for (const held& l : loops) tam_go_on_after(l.frame, nullptr, l.thread);
}

std::span<watched> all_watched() noexcept { return {state.elements, state.count}; }

bool some_have_come() noexcept {
  return std::ranges::any_of(all_watched(),
                             [](const watched& w) { return is_there(w.head, w.probe_index); });
}

bool waits_since(std::uint64_t ns) noexcept {
  return state.since_ns != 0 && base::now_ns() - state.since_ns > ns;
}

}  // namespace

void open_watch() { state = {}; }

bool has_watched() noexcept { return state.count != 0; }

bool poll_element(tam_array a, const element_place& e, tam_word index, tam_name reply,
                  const char* site) {
  if (here.scheduler == TAM_MD || state.count == kWatchedMax || state.starts_left != 0 ||
      !tam_is_own(reply))
    return false;
  if (state.count == 0) state.since_ns = 0;
  state.elements[state.count++] = {a, e.head, index, probe_index(e.head, index), reply, site};
  tam_here.awaits = 1;
  return true;
}

bool watched_are_due() noexcept {
  if (state.count == 0) return false;
  if (some_have_come()) return true;
  if (state.since_ns == 0) state.since_ns = base::now_ns();
  if (waits_since(kAheadNsMax))
    for (watched& w : all_watched()) w.probe_index = w.index;
  return waits_since(kWatchNsMax);
}

bool deliver_watched() {
  if (!some_have_come()) return false;
  const bool any = deliver_those([](watched& w) {
    if (!is_there(w.head, w.probe_index)) return false;
    w.probe_index = w.index;  // the row may be filled in any order
    return true;
  });
  if (!any) return false;
  state.starts = std::max(state.starts / 2, 1u);
  go_on_with_loops();
  return true;
}

void tend_watched() {
  if (state.count == 0) {
    if (!state.loops.empty() && messages.handled != state.handled_when_asked) go_on_with_loops();
  } else if (!deliver_watched() && waits_since(kWatchNsMax)) {
    ask_for_all();
    tam_here.awaits = 0;  // this rank has waited
  }
}

void suspend_loop(tam_frame* frame, tam_thread thread) {
  try {
    state.loops.push_back({frame, thread});
  } catch (const std::bad_alloc&) {
    stop("%s: no memory to hold a loop of %s", frame->block->site, frame->block->name);
  }
}

bool holds_loops() noexcept { return !state.loops.empty(); }

unsigned held_count() noexcept { return state.count + static_cast<unsigned>(state.loops.size()); }

void resume_loops() {
  if (held_count() == 0) return;
  constexpr unsigned kHalvingsMax = 16;
  if (deliver_those([](const watched&) { return true; })) {
    // The writer cannot go as far ahead as that.
    state.halvings = std::min(state.halvings + 1, kHalvingsMax);
  } else {
    state.starts_left = state.starts;
    state.starts = std::min(2 * state.starts, kStartsMax);
    ask_for_all();
  }
  go_on_with_loops();
}

bool use_allowed_start() noexcept {
  if (state.starts_left == 0) return false;
  --state.starts_left;
  return true;
}

}  // namespace ramjet::tam
