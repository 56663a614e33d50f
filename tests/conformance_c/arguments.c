/* SPDX-License-Identifier: Apache-2.0
 * Short messages: any number of words, to every rank and back, in order. */
#include "spmd.h"

enum { ROUNDS = 30, RANKS_MAX = 64 };

static ramjet_handler *ask, *answer, *ask_bare, *answer_bare, *tell;
static uint64_t asked, answered;
static uint64_t told[RANKS_MAX]; /* messages from each rank */

static uint64_t word_of(int rank, unsigned count, unsigned index) {
  return ((uint64_t)rank << 56 | (uint64_t)count << 48) + index * 0x0123456789abu;
}

static void on_answer(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                      size_t bytes) {
  EXPECT(payload == NULL && bytes == 0);
  for (unsigned i = 0; i < count; ++i)
    EXPECT(arguments[i] == ~word_of(ramjet_source(token).rank, count, i));
  ++answered;
}
static void on_ask(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                   size_t bytes) {
  EXPECT(payload == NULL && bytes == 0 && ramjet_source(token).endpoint == 0);
  uint64_t back[RAMJET_ARGUMENTS_MAX];
  for (unsigned i = 0; i < count; ++i) {
    EXPECT(arguments[i] == word_of(ramjet_source(token).rank, count, i));
    back[i] = ~word_of(ramjet_rank(), count, i);
  }
  ++asked;
  ramjet_reply(token, answer, back, count);
}
static void on_answer_bare(ramjet_token* token, const uint64_t* arguments, unsigned count,
                           void* payload, size_t bytes) {
  (void)token, (void)arguments;
  EXPECT(count == 0 && payload == NULL && bytes == 0);
  ++answered;
}
static void on_ask_bare(ramjet_token* token, const uint64_t* arguments, unsigned count,
                        void* payload, size_t bytes) {
  (void)arguments;
  EXPECT(count == 0 && payload == NULL && bytes == 0);
  ++asked;
  ramjet_reply(token, answer_bare, NULL, 0);
}
static void on_tell(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                    size_t bytes) {
  (void)payload, (void)bytes;
  uint64_t* from = &told[ramjet_source(token).rank];
  EXPECT(count == 1 && arguments[0] == *from);
  ++*from;
}

static void add_handlers(void) {
  ask = ramjet_request_handler("arguments ask", on_ask);
  answer = ramjet_reply_handler("arguments answer", on_answer);
  ask_bare = ramjet_request_handler("arguments ask bare", on_ask_bare);
  /* Requests and replies have names of their own. */
  answer_bare = ramjet_reply_handler("arguments ask bare", on_answer_bare);
  tell = ramjet_request_handler("arguments tell", on_tell);
}

static int all_are_answered(void* context) { return answered == *(const uint64_t*)context; }

static void there_and_back(void) {
  uint64_t sent = 0;
  for (unsigned round = 0; round < ROUNDS; ++round) {
    for (int to = 0; to < ramjet_size(); ++to) {
      for (unsigned count = 0; count <= RAMJET_ARGUMENTS_MAX; ++count, ++sent) {
        uint64_t words[RAMJET_ARGUMENTS_MAX];
        for (unsigned i = 0; i < count; ++i) words[i] = word_of(ramjet_rank(), count, i);
        EXPECT_OK(ramjet_request(ramjet_at(to, 0), ask, words, count));
        for (unsigned i = 0; i < count; ++i) words[i] = 0; /* they have been read */
      }
      EXPECT_OK(ramjet_request(ramjet_at(to, 0), ask_bare, NULL, 0));
      ++sent;
    }
  }
  EXPECT_OK(ramjet_wait_until(all_are_answered, &sent));
  EXPECT_OK(ramjet_quiesce());
  EXPECT(asked == sent); /* every rank sends as much to me as I send to it */
}

/* Without replies: the way is credited, and messages keep their order. */
static void one_way(void) {
  enum { MANY = 20000 };
  const int left = (ramjet_rank() + ramjet_size() - 1) % ramjet_size();
  for (uint64_t i = 0; i < MANY; ++i) EXPECT_OK(ramjet_request(right(), tell, &i, 1));
  EXPECT_OK(ramjet_quiesce());
  EXPECT(told[left] == MANY);
}

static void run(void) {
  EXPECT(ramjet_size() <= RANKS_MAX);
  there_and_back();
  one_way();
}

const group arguments_group = {"arguments", add_handlers, run};
