// SPDX-License-Identifier: Apache-2.0
// The queue of messages: chunks, of which the last two words hold null, where an inlet stands in
// others, and the next chunk. Chunks that have been read are used again.
#include <cstdlib>

#include "tam/machine.hpp"

namespace ramjet::tam {
namespace {

constexpr std::size_t kWords = 8192;

struct chunk {
  tam_word words[kWords];
  chunk* free = nullptr;
};
chunk* free_chunks = nullptr;
std::vector<chunk*> all;

chunk* take_chunk() {
  if (free_chunks == nullptr) {
    free_chunks = new chunk;
    all.push_back(free_chunks);
  }
  chunk* c = free_chunks;
  free_chunks = c->free;
  return c;
}
// The longest message and the end fit behind it.
tam_word* limit_of(chunk* c) { return c->words + kWords - TAM_MESSAGE_WORDS_MAX - 2; }

chunk* read_chunk = nullptr;  // where queue_head is

}  // namespace

void open_queue() {
  read_chunk = take_chunk();
  here.queue_head = tam_here.queue_tail = read_chunk->words;
  tam_here.queue_limit = limit_of(read_chunk);
}

void close_queue() noexcept {
  for (chunk* c : all) delete c;
  all.clear();
  free_chunks = read_chunk = nullptr;
}

tam_word* next_chunk(tam_word* head) noexcept {
  auto* next = reinterpret_cast<chunk*>(head[1]);
  read_chunk->free = free_chunks;
  free_chunks = read_chunk;
  read_chunk = next;
  return next->words;
}

}  // namespace ramjet::tam

tam_word* tam_more_queue(void) {
  using namespace ramjet::tam;
  chunk* next = take_chunk();
  tam_here.queue_tail[0] = 0;
  tam_here.queue_tail[1] = reinterpret_cast<tam_word>(next);
  tam_here.queue_limit = limit_of(next);
  return tam_here.queue_tail = next->words;
}
