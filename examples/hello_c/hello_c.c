/* SPDX-License-Identifier: Apache-2.0
 * The C interface: a ring of ranks passes a token on, and every rank adds to it.
 *
 *   ramjet run -n 4 hello_c
 */
#include <inttypes.h>
#include <stdio.h>

#include <ramjet/ramjet.h>

static ramjet_handler* on_pass;
static ramjet_handler* on_thanks;
static uint64_t passed = 0; /* what the token was worth when it came here */
static int thanks = 0;

/* Runs at the rank that passed the token, when the reply is there. */
static void take_thanks(ramjet_token* token, const uint64_t* arguments, unsigned count,
                        void* payload, size_t bytes) {
  (void)token, (void)arguments, (void)count, (void)payload, (void)bytes;
  ++thanks;
}

/* Handlers may chain: send on without waiting. */
static void take_token(ramjet_token* token, const uint64_t* arguments, unsigned count,
                       void* payload, size_t bytes) {
  (void)count, (void)payload, (void)bytes;
  passed = arguments[0];
  if (ramjet_rank() != 0) {
    const uint64_t more = passed + (uint64_t)ramjet_rank();
    ramjet_chain(ramjet_at((ramjet_rank() + 1) % ramjet_size(), 0), on_pass, &more, 1);
  }
  ramjet_reply(token, on_thanks, NULL, 0);
}

static int has_finished(void* context) {
  (void)context;
  return passed != 0 && thanks == 1;
}

int main(int argc, char** argv) {
  /* Before the job starts, under the same names in every rank. */
  on_pass = ramjet_request_handler("pass", take_token);
  on_thanks = ramjet_reply_handler("thanks", take_thanks);
  ramjet_init(&argc, &argv);

  const int n = ramjet_size();
  if (ramjet_rank() == 0) {
    const uint64_t first = 1000;
    ramjet_request(ramjet_at(1 % n, 0), on_pass, &first, 1);
  }
  ramjet_wait_until(has_finished, NULL);
  ramjet_barrier(RAMJET_WORLD);

  const uint64_t expected = 1000 + (uint64_t)(n * (n - 1) / 2);
  if (ramjet_rank() == 0)
    printf("the token came back worth %" PRIu64 " of %" PRIu64 "\n", passed, expected);
  const int wrong = ramjet_rank() == 0 && passed != expected;
  ramjet_finalize();
  return wrong;
}
