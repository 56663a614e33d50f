// SPDX-License-Identifier: Apache-2.0
// The queue of messages: in a chunk the oldest is served first. Messages that the chunk has no room
// for begin another one, which is served before the rest of the older: so a tree of calls is walked
// in the breadth of a chunk and otherwise in depth, in memory that the caches hold, where one long
// queue would hold all of its widest level.
#include <new>

#include "languages/tam/runtime/machine.hpp"
#include "languages/tam/runtime/queue.hpp"

namespace ramjet::tam {
namespace {

constexpr std::size_t kWords = 1024;

struct chunk {
  tam_word words[kWords];
  chunk* older;  // or among the free ones
  tam_word *head, *tail;  // of what waits in it, while a newer one is served: head < tail
};
chunk* newest = nullptr;  // where queue_head and queue_tail are
chunk* free_chunks = nullptr;
std::vector<chunk*> all;

void serve_first(chunk* c) noexcept {
  newest = c;
  here.queue_head = c->head;
  tam_here.queue_tail = c->tail;
  tam_here.queue_limit = c->words + kWords - TAM_MESSAGE_WORDS_MAX;
}

void add_chunk() {
  if (free_chunks == nullptr) {
    try {
      all.push_back(nullptr);
      all.back() = new chunk;
    } catch (const std::bad_alloc&) {
      stop("no memory for the messages that wait");
    }
    all.back()->older = nullptr;
    free_chunks = all.back();
  }
  chunk* c = free_chunks;
  free_chunks = c->older;
  c->older = newest;
  c->head = c->tail = c->words;
  serve_first(c);
}

}  // namespace

void open_queue() { add_chunk(); }

void close_queue() noexcept {
  for (chunk* c : all) delete c;
  all.clear();
  newest = free_chunks = nullptr;
}

bool back_to_older_messages() noexcept {
  chunk* c = newest;
  if (c->older == nullptr) return false;
  serve_first(c->older);
  c->older = free_chunks;
  free_chunks = c;
  return true;
}

}  // namespace ramjet::tam

tam_word* tam_more_queue(void) {
  using namespace ramjet::tam;
  if (here.queue_head == tam_here.queue_tail)  // all of it has been served
    return here.queue_head = tam_here.queue_tail = newest->words;
  newest->head = here.queue_head;
  newest->tail = tam_here.queue_tail;
  add_chunk();
  return tam_here.queue_tail;
}
