/* SPDX-License-Identifier: Apache-2.0
 * The C interface: every rank sends its right neighbour a greeting (medium) and a row of numbers
 * (long); the neighbour puts the row back doubled (a long reply).
 *
 *   ramjet run -n 4 messages_c
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <ramjet/ramjet.h>

enum { NUMBERS = 10000, RANKS_MAX = 1024 };

/* What lies in each rank's segment, for others to put into. */
typedef struct rows {
  double from_left[NUMBERS];
  double doubled[NUMBERS];
} rows;

static ramjet_handler *on_greeting, *on_row, *on_doubled;
static rows* mine;
static int greeted = 0, came_back = 0;

/* Medium: the payload is there until the handler returns. */
static void take_greeting(ramjet_token* token, const uint64_t* arguments, unsigned count,
                          void* payload, size_t bytes) {
  (void)arguments, (void)count;
  printf("rank %d read from rank %d: %.*s\n", ramjet_rank(), ramjet_source(token).rank, (int)bytes,
         (const char*)payload);
  greeted = 1;
}

/* Long: the payload lies in our segment and stays. The argument says where the answer goes. */
static void take_row(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                     size_t bytes) {
  (void)count;
  double* row = payload;
  for (size_t i = 0; i < bytes / sizeof *row; ++i) row[i] *= 2;
  ramjet_reply_long(token, on_doubled, NULL, 0, (void*)(uintptr_t)arguments[0], row, bytes);
}

static void take_doubled(ramjet_token* token, const uint64_t* arguments, unsigned count,
                         void* payload, size_t bytes) {
  (void)token, (void)arguments, (void)count;
  came_back = payload == mine->doubled && bytes == sizeof mine->doubled;
}

static int has_finished(void* context) {
  (void)context;
  return greeted && came_back;
}

int main(int argc, char** argv) {
  on_greeting = ramjet_request_handler("greeting", take_greeting);
  on_row = ramjet_request_handler("row", take_row);
  on_doubled = ramjet_reply_handler("doubled", take_doubled);
  /* One endpoint; 64 MiB of address space, used only where something is put. */
  ramjet_init_with(&argc, &argv, 1, 64 << 20);

  /* Where everyone's rows lie is told to everyone. */
  static rows* where[RANKS_MAX];
  mine = ramjet_segment_allocate(sizeof *mine);
  ramjet_gather(&mine, sizeof mine, where, 0, RAMJET_WORLD);
  ramjet_broadcast(where, sizeof where[0] * (size_t)ramjet_size(), 0, RAMJET_WORLD);

  const ramjet_address right = ramjet_at((ramjet_rank() + 1) % ramjet_size(), 0);
  const char text[] = "good morning";
  ramjet_request_medium(right, on_greeting, NULL, 0, text, strlen(text));

  static double row[NUMBERS];
  for (int i = 0; i < NUMBERS; ++i) row[i] = ramjet_rank() + i;
  const uint64_t back = (uintptr_t)mine->doubled;
  ramjet_request_long(right, on_row, &back, 1, where[right.rank]->from_left, row, sizeof row);

  ramjet_status s;
  while ((s = ramjet_wait_for(10000, has_finished, NULL)) == RAMJET_TIMED_OUT)
    fprintf(stderr, "rank %d still waits for its row\n", ramjet_rank());

  int wrong = s != RAMJET_OK;
  for (int i = 0; i < NUMBERS; ++i) wrong |= mine->doubled[i] != 2.0 * (ramjet_rank() + i);
  printf("rank %d has its row back, %s\n", ramjet_rank(), wrong ? "damaged" : "doubled");

  ramjet_barrier(RAMJET_WORLD); /* nobody writes here any more */
  ramjet_segment_free(mine);
  ramjet_finalize();
  return wrong;
}
