/* SPDX-License-Identifier: Apache-2.0
 * Broken contracts, one for each run: the process ends with a line that CMakeLists.txt expects. The
 * job has two ranks with two endpoints each. */
#include "spmd.h"

#include <stdio.h>
#include <string.h>

static ramjet_handler *act, *pair, *sink, *end, *reply_again;
static const char* chosen;
static uint8_t data[RAMJET_MEDIUM_BYTES_MAX + 1];
static const uint64_t words[RAMJET_ARGUMENTS_MAX + 1];

static int never(void* context) {
  (void)context;
  return 0;
}

/* As a request or as a reply. */
static void on_end(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                   size_t bytes) {
  (void)token, (void)arguments, (void)count, (void)payload, (void)bytes;
}
static void on_reply_again(ramjet_token* token, const uint64_t* arguments, unsigned count,
                           void* payload, size_t bytes) {
  (void)arguments, (void)count, (void)payload, (void)bytes;
  ramjet_reply(token, end, NULL, 0);
}
/* What can only be done wrong inside a handler. */
static void on_act(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                   size_t bytes) {
  (void)arguments, (void)count, (void)payload, (void)bytes;
  if (strcmp(chosen, "reply_names_a_request_handler") == 0) {
    ramjet_reply(token, act, NULL, 0);
  } else if (strcmp(chosen, "reply_twice") == 0) {
    ramjet_reply(token, end, NULL, 0);
    ramjet_reply(token, end, NULL, 0);
  } else if (strcmp(chosen, "reply_to_a_reply") == 0) {
    ramjet_reply(token, reply_again, NULL, 0);
  } else if (strcmp(chosen, "oversized_reply") == 0) {
    ramjet_reply_medium(token, end, NULL, 0, data, sizeof data);
  } else if (strcmp(chosen, "stray_reply") == 0) {
    ramjet_reply_long(token, end, NULL, 0, data, data, 8);
  } else if (strcmp(chosen, "reply_without_token") == 0) {
    ramjet_reply(NULL, end, NULL, 0);
  } else if (strcmp(chosen, "endpoint_in_handler") == 0) {
    ramjet_endpoint_open(1);
  } else if (strcmp(chosen, "poll_in_handler") == 0) {
    ramjet_poll();
  } else if (strcmp(chosen, "request_in_handler") == 0) {
    for (;;) ramjet_request(right(), sink, NULL, 0); /* until there is no room */
  }
}

void add_misuse_handlers(void) {
  act = ramjet_request_handler("misuse act", on_act);
  pair = ramjet_block_handler("misuse pair", on_act, 2);
  sink = ramjet_request_handler("misuse sink", on_end);
  end = ramjet_reply_handler("misuse end", on_end);
  reply_again = ramjet_reply_handler("misuse reply again", on_reply_again);
}

/* Of collectives and of segments. */
static void break_one_of_memory(const char* name) {
  if (strcmp(name, "null_operator") == 0) {
    ramjet_all_reduce(data, 1, 1, NULL, NULL, RAMJET_WORLD);
  } else if (strcmp(name, "null_counts") == 0) {
    ramjet_gather_v(data, data, NULL, 0, RAMJET_WORLD);
  } else if (strcmp(name, "null_exchange_counts") == 0) {
    ramjet_all_to_all_v(data, NULL, data, NULL, RAMJET_WORLD);
  } else if (strcmp(name, "free_of_nothing") == 0) {
    ramjet_segment_free((char*)ramjet_segment_begin(ramjet_rank()) + (1 << 20));
  } else if (strcmp(name, "free_twice") == 0) {
    void* const block = ramjet_segment_allocate(200);
    ramjet_segment_free(block);
    ramjet_segment_free(block);
  } else if (strcmp(name, "foreign_free") == 0) {
    ramjet_segment_free(data);
  }
}

int run_misuse(const char* name) {
  chosen = name;
  const ramjet_address zero = ramjet_at(0, 0);
  if (strcmp(name, "wrong_rank") == 0) {
    ramjet_request(ramjet_at(99, 0), act, NULL, 0);
  } else if (strcmp(name, "wrong_endpoint") == 0) {
    ramjet_chain(ramjet_at(0, 5), act, NULL, 0);
  } else if (strcmp(name, "oversized") == 0) {
    ramjet_request_medium(zero, act, NULL, 0, data, sizeof data);
  } else if (strcmp(name, "oversized_chain") == 0) {
    ramjet_chain_medium(zero, act, NULL, 0, data, sizeof data);
  } else if (strcmp(name, "stray_address") == 0) {
    ramjet_request_long(zero, act, NULL, 0, data, data, 8);
  } else if (strcmp(name, "too_many_words") == 0) {
    ramjet_request(zero, act, words, RAMJET_ARGUMENTS_MAX + 1);
  } else if (strcmp(name, "wrong_item") == 0) {
    ramjet_request(zero, pair, words, 1);
  } else if (strcmp(name, "item_with_payload") == 0) {
    ramjet_request_medium(zero, pair, words, 2, data, 8);
  } else if (strcmp(name, "null_arguments") == 0) {
    ramjet_request(zero, act, NULL, 2);
  } else if (strcmp(name, "null_chain_arguments") == 0) {
    ramjet_chain(zero, act, NULL, 1);
  } else if (strcmp(name, "null_payload") == 0) {
    ramjet_request_medium(zero, act, NULL, 0, NULL, 8);
  } else if (strcmp(name, "null_data") == 0) {
    ramjet_request_long(zero, act, NULL, 0, ramjet_segment_begin(0), NULL, 8);
  } else if (strcmp(name, "null_test") == 0) {
    ramjet_wait_until(NULL, NULL);
  } else if (strcmp(name, "null_source") == 0) {
    ramjet_source(NULL);
  } else if (strcmp(name, "rank_after_finalize") == 0) {
    ramjet_finalize();
    ramjet_rank();
  } else if (strcmp(name, "finalize_twice") == 0) {
    ramjet_finalize(); /* main finalizes, too */
  } else if (strcmp(name, "null_handler") == 0) {
    ramjet_request(zero, NULL, NULL, 0);
  } else if (strcmp(name, "request_names_a_reply_handler") == 0) {
    ramjet_request(zero, end, NULL, 0);
  } else if (strcmp(name, "name_taken") == 0) {
    ramjet_reply_handler("misuse end", on_end);
  } else if (strcmp(name, "late_handler") == 0) {
    ramjet_reply_handler("misuse late", on_end);
  } else if (strcmp(name, "outside_endpoint") == 0) {
    ramjet_endpoint_open(2);
  } else if (strcmp(name, "second_endpoint") == 0) {
    ramjet_endpoint_open(1);
    ramjet_endpoint_open(1);
  } else if (strcmp(name, "no_endpoint_to_close") == 0) {
    ramjet_endpoint_close();
  } else {
    break_one_of_memory(name);
    EXPECT_OK(ramjet_request(right(), act, NULL, 0));
    EXPECT(ramjet_wait_for(10000, never, NULL) == RAMJET_TIMED_OUT);
  }
  printf("nothing is wrong with %s\n", name);
  return 0;
}
