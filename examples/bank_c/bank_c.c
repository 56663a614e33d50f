/* SPDX-License-Identifier: Apache-2.0
 * bank in C: accounts spread over all ranks, changed where they are by atomic procedures, and a sum
 * under a lock.
 *
 *   ramjet run -n 4 bank_c
 */
#include <inttypes.h>
#include <stdio.h>

#include <ramjet/splitc.h>

enum { ACCOUNTS = 100, TRANSFERS = 1000, AT_START = 50 }; /* of each rank */

/* Runs at the account's rank: takes what is there, at most `wanted`. */
static uint64_t withdraw(void* at, const uint64_t* arguments, unsigned count) {
  (void)count;
  int64_t* balance = at;
  const int64_t wanted = (int64_t)arguments[0];
  const int64_t taken = wanted < *balance ? wanted : *balance;
  *balance -= taken;
  return (uint64_t)taken;
}
static uint64_t deposit(void* at, const uint64_t* arguments, unsigned count) {
  (void)count;
  return (uint64_t)(*(int64_t*)at += (int64_t)arguments[0]);
}

static uint32_t next_number(uint32_t* state) {
  return (*state = *state * 1664525 + 1013904223) >> 8;
}

static splitc_global account(splitc_spread accounts, uint32_t number) {
  return splitc_to_global(splitc_spread_add(accounts, (ptrdiff_t)number, sizeof(int64_t)));
}

/* What all ranks give, in order; here for a sum. */
static void add(void* context, void* into, const void* other, size_t count) {
  (void)context;
  for (size_t i = 0; i < count; ++i) ((int64_t*)into)[i] += ((const int64_t*)other)[i];
}

int main(int argc, char** argv) {
  const splitc_procedure* take = splitc_procedure_named("withdraw", withdraw, sizeof(int64_t));
  const splitc_procedure* give = splitc_procedure_named("deposit", deposit, sizeof(int64_t));
  ramjet_init(&argc, &argv);
  const uint32_t all = ACCOUNTS * (uint32_t)ramjet_size();
  const splitc_spread accounts = splitc_all_spread_malloc(all, sizeof(int64_t));
  if (splitc_is_null(splitc_to_global(accounts))) {
    fprintf(stderr, "bank_c: the segments have no room for the accounts\n");
    return 1;
  }
  int64_t* mine = splitc_tolocal(splitc_to_global(accounts));
  for (int i = 0; i < ACCOUNTS; ++i) mine[i] = AT_START;
  ramjet_barrier(RAMJET_WORLD); /* a procedure may come as soon as another rank goes on */

  /* The lock and the book are rank 0's; everybody gets to know where they are. */
  splitc_global office[2] = {{0}, {0}};
  if (ramjet_rank() == 0) {
    int64_t* book = ramjet_segment_allocate(sizeof *book);
    *book = 0;
    office[0] = splitc_lock_make();
    office[1] = splitc_global_of(book);
  }
  ramjet_broadcast(office, sizeof office, 0, RAMJET_WORLD);

  uint32_t seed = (uint32_t)ramjet_rank() + 1;
  int64_t moved = 0;
  for (int i = 0; i < TRANSFERS; ++i) {
    const uint64_t wanted = 10;
    uint64_t amount = 0;
    splitc_atomic_call(take, account(accounts, next_number(&seed) % all), &wanted, 1, &amount);
    splitc_atomic(give, account(accounts, next_number(&seed) % all), &amount, 1);
    moved += (int64_t)amount;
  }
  splitc_sync();
  splitc_lock(office[0]);
  splitc_write_int64(office[1], splitc_read_int64(office[1]) + moved);
  splitc_unlock(office[0]);

  ramjet_barrier(RAMJET_WORLD);
  int64_t sums[2] = {0, moved}; /* of the money, and of what was moved */
  for (int i = 0; i < ACCOUNTS; ++i) sums[0] += mine[i];
  ramjet_all_reduce(sums, 2, sizeof sums[0], add, NULL, RAMJET_WORLD);
  const int well = sums[0] == (int64_t)all * AT_START && sums[1] == splitc_read_int64(office[1]);
  if (ramjet_rank() == 0)
    printf("%" PRIu32 " accounts, %" PRId64 " in all, %" PRId64 " moved: %s\n", all, sums[0],
           sums[1], well ? "nothing lost" : "MONEY IS LOST");
  ramjet_barrier(RAMJET_WORLD);
  if (ramjet_rank() == 0) splitc_lock_destroy(office[0]);
  splitc_all_spread_free(accounts);
  ramjet_finalize();
  return well ? 0 : 1;
}
