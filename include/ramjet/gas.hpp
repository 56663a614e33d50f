// SPDX-License-Identifier: Apache-2.0
// The global address space: reading and writing the memory of any rank, split-phase, and in bulk.
// (Culler et al. 1993, Parallel Programming in Split-C, sections 3 to 5; von Eicken et al. 1992,
// section 3, for the counters; Arpaci et al. 1995.)
//
//   call                        what                                   complete, also at the target
//   read, write, bulk_...       blocking                               on return
//   get, put, bulk_...          split-phase: begun here                at sync_all()
//   store, bulk_store           one way, its bytes counted there       at all_store_sync(), or when
//                                                                      the target's store_sync ends
//   fetch_add and its kin       atomic, blocking                       on return
//   add                         atomic, one way                        at sync_all()
//
// They take any global or spread pointer. Values are trivially copyable. A value of 1, 2, 4 or 8
// bytes that is aligned to its size is read and written by one access and never disturbs its
// neighbours; others may be seen half written. Reads and writes are sequentially consistent among
// themselves.
//
// Errors: a rank outside the job, a null or wild address, a length past the end of the segment, an
// atomic operation on an integer that is not aligned to its size end the process with one line that
// names the call.
// Deaths, under --on-failure=continue: the memory of a dead rank of this node stays. On another
// node it is lost, and no access gives a value that it has not fetched: what is blocking throws
// failure (job.hpp), and may or may not have taken place; what is begun is lost, and the call at
// which it is complete returns peer_failed. What a get was to bring is undefined then. With
// --progress=node the same holds for accesses under way when the rank that serves the owner's node
// dies.
// Threads: any, or those with an endpoint where ranks are on several nodes; except that what counts
// stored bytes (store to all_store_sync) is one thread's at a time, and store_sync and
// all_store_sync are the main thread's. Inside a handler: everything but store_sync and
// all_store_sync; on another node's memory nothing that waits: no blocking access, and none that
// returns the old value.
// On a node nothing here polls, except store_sync and all_store_sync while they wait, and sync_all
// and is_sync while procedures are under way: a loop that reads until another rank has written
// calls poll() if that rank may need this one's handlers. Accesses to another node poll while they
// wait, or while the way there is full. The owner serves them whenever it polls or waits, past its
// handlers, or its co-processor does. While it does neither, a thread of the library in its process
// serves them: every kind of access in the table above, at the latest about 20 ms after the owner's
// last poll, and then as they come; later only if the system gives that thread no processor. That
// thread runs no handlers. What was begun here is complete at sync_all() as ever: the owner of the
// call takes the answers. With RAMJET_FAR or RAMJET_ACCESS=handlers accesses are messages, and the
// owner has to poll. The condition of a user-level thread's wait_until must not
// access another node. Cost: on a node the load, store, copy or atomic instruction itself, and 7
// instructions or so around it; twice as many for spread pointers and counted stores
// (docs/budgets.md); no call, no message. A read after a write, and a write after a read, of the
// same thread: a call, and for the read a full fence. To another node: a request there and an
// answer back.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "ramjet/detail/base/conversion.hpp"
#include "ramjet/detail/gas/global_bits.hpp"
#include "ramjet/detail/gas/reach.hpp"
#include "ramjet/global_ptr.hpp"
#include "ramjet/status.hpp"

#pragma GCC visibility push(default)

namespace ramjet {

namespace detail {
template <class P>
inline constexpr bool is_far = false;
template <class T>
inline constexpr bool is_far<global_ptr<T>> = true;
template <class T>
inline constexpr bool is_far<spread_ptr<T>> = true;
}  // namespace detail

// A global or spread pointer to a value, and the type of that value.
template <class P>
concept far_pointer = detail::is_far<P> && std::is_trivially_copyable_v<typename P::element_type>;
template <far_pointer P>
using far_value = std::remove_cv_t<typename P::element_type>;
// To something that may be written, and to an integer that atomic operations know.
template <class P>
concept far_target = far_pointer<P> && !std::is_const_v<typename P::element_type>;
template <class P>
concept far_counter = far_target<P> && std::integral<far_value<P>> &&
                      (sizeof(far_value<P>) == 4 || sizeof(far_value<P>) == 8);

// What a value may be given as: it converts to the element's type by the rules of handler.hpp for
// arguments, so one that would be cut off does not compile.
template <class V, class P>
concept value_for = std::is_convertible_v<const V&, far_value<P>>;

// --- Blocking -----------------------------------------------------------------------------------

template <far_pointer P>
RAMJET_INLINE far_value<P> read(P from) {
  return detail::load<far_value<P>>(from.bits(), "read");
}
template <far_target P, value_for<P> V = far_value<P>>
RAMJET_INLINE void write(P to, const V& value) {
  detail::store<far_value<P>>(to.bits(), detail::fit_argument<2, far_value<P>>(value),
                              detail::completes::now, "write");
}

// --- Split-phase --------------------------------------------------------------------------------

namespace detail {
// Atomic procedures and accesses to other nodes that this system thread has begun, and those of
// them that have ended: a split counter. The first is counted where they are called, the second
// where their answers are handled. Which of them are whose, among user-level threads, and what the
// other fields equal: src/gas/under_way.hpp.
struct procedure_counts {
  std::uint64_t begun = 0, ended = 0;  // ended <= begun
  std::uint64_t unreported = 0;  // how often a sync has a failure to tell of
  std::uint64_t of_threads = 0;  // under way, of user-level threads
  bool failed = false;  // one of the others, since the last sync
};
extern constinit thread_local procedure_counts counts_of_thread asm("ramjet_procedure_counts")
    RAMJET_TLS;
RAMJET_INLINE procedure_counts& procedures() noexcept {
  return RAMJET_THREAD_OWN(counts_of_thread, "ramjet_procedure_counts");
}
RAMJET_COLD status await_procedures() noexcept;
RAMJET_COLD bool poll_for_procedures() noexcept;
}  // namespace detail

// `*into` is undefined, and stays in memory, until sync_all().
template <far_pointer P>
RAMJET_INLINE void get(far_value<P>* into, P from) noexcept {
  detail::load_into(into, from.bits(), detail::completes::at_sync, "get");
}
// The same where sync_all(), another wait or a poll follows before this thread computes: between
// nodes it may leave with that, so that a group of gets is one packet to each node and one round
// trip, not two.
//
//   for (unsigned k = 0; k != n; ++k) get(&got[k], from[k], more);
//   sync_all();
struct more_t {};
inline constexpr more_t more{};
template <far_pointer P>
RAMJET_INLINE void get(far_value<P>* into, P from, more_t) noexcept {
  detail::load_into(into, from.bits(), detail::completes::more, "get");
}
// The value is copied before this returns.
template <far_target P, value_for<P> V = far_value<P>>
RAMJET_INLINE void put(P to, const V& value) noexcept {
  detail::store<far_value<P>>(to.bits(), detail::fit_argument<2, far_value<P>>(value),
                              detail::completes::at_sync, "put");
}
// Waits for this thread's gets, puts, adds and atomic procedures (procedure.hpp). Local, and serves
// nobody; but while a procedure, or an access to another node, is under way it polls, so it may not
// be called in a handler then. peer_failed if a rank died that was to run or to answer one of them
// since the last sync_all().
// Of user-level threads each waits for its own, and is told of its own; what a task begins is the
// thread's that runs it. Besides, each waits for what nobody waits for: what handlers have begun,
// and threads that have ended without a sync_all(). The first to call it is told of that.
RAMJET_INLINE status sync_all() noexcept {
  detail::fence_pending_writes();
  // store-load: gas.sync (both, compiler only)
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const detail::procedure_counts& now = detail::procedures();
  if (now.begun != now.ended || now.unreported != 0) [[unlikely]]
    return detail::await_procedures();
  return status::ok;
}
// The C library has a sync() of its own, which writes files to their disks: where both are seen, a
// call of that name does not compile.
status sync() = delete;
// Whether sync_all() would return at once. Polls if not, so a loop may work until it holds.
inline bool is_sync() noexcept {
  const detail::procedure_counts& now = detail::procedures();
  return now.begun == now.ended || detail::poll_for_procedures();
}

// --- One-way stores -----------------------------------------------------------------------------

namespace detail {
// Wakes the main thread of a rank that sleeps in a wait, so that it checks its memory. If it does
// not sleep yet, its last check comes after what this thread has written.
RAMJET_COLD void wake_rank(std::uint64_t rank) noexcept;

// Counts bytes stored into a near rank's segment, after they were written. A target that sleeps set
// its gate before a barrier of all processors: either this thread sees the gate, or the target's
// last check sees the count (docs/memory-model.md).
RAMJET_INLINE void count_stored(std::uint64_t rank, std::size_t bytes) noexcept {
  std::atomic<std::uint64_t>& stored = places().sent[rank]->stored;
  stored.store(stored.load(std::memory_order_relaxed) + bytes,
               std::memory_order_release);  // pairs: gas.stored
  // store-load: gas.gate (sender)
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (space.gates[rank].waiting.load(std::memory_order_relaxed) != 0) [[unlikely]]
    wake_rank(rank);
}
}  // namespace detail

template <far_target P, value_for<P> V = far_value<P>>
RAMJET_INLINE void store(P to, const V& value) noexcept {
  if (detail::store<far_value<P>>(to.bits(), detail::fit_argument<2, far_value<P>>(value),
                                  detail::completes::counted, "store")) [[likely]]
    detail::count_stored(detail::rank_of(to.bits()), sizeof(far_value<P>));
}

// Three positions account for stores at every rank: bytes received, bytes consumed, and their
// difference, the credit.
//
// Waits until the credit is `bytes`, and consumes them. Main thread, not in a handler; handlers run
// while it waits. peer_failed if it is not there and a rank is dead; nothing is consumed then.
status store_sync(std::size_t bytes);
// Consumes whatever credit there is. What arrives later counts as ever.
void reset_store_sync();
// Collective, and a barrier: returns when every store that any rank issued before it entered has
// landed, and consumes just those here. Bytes of a faster rank's next phase stay credit, and so do
// those that a handler stores while its rank waits here.
// Stores of another endpoint to other nodes have landed when that has taken their answers: its
// thread polls, or closes it.
// peer_failed if a rank died. Cost: a barrier, and a line written and read for every rank; a
// message there and one back for every rank of another node that was stored to.
status all_store_sync();

// --- Bulk ---------------------------------------------------------------------------------------

// `bytes` may be 0. Source and target may overlap, as in memmove. A local side may be any memory;
// a null pointer ends the process.
RAMJET_INLINE void bulk_read(void* into, global_ptr<const void> from, std::size_t bytes);
RAMJET_INLINE void bulk_write(global_ptr<void> to, const void* from, std::size_t bytes);
RAMJET_INLINE void bulk_get(void* into, global_ptr<const void> from, std::size_t bytes) noexcept;
RAMJET_INLINE void bulk_put(global_ptr<void> to, const void* from, std::size_t bytes) noexcept;
RAMJET_INLINE void bulk_store(global_ptr<void> to, const void* from, std::size_t bytes) noexcept;

// A rectangle: `rows` pieces of `row_bytes`, whose starts lie a stride apart on either side. Rows
// may touch; those of the target may not overlap, and end the process if they do.
struct rectangle {
  std::size_t rows;
  std::size_t row_bytes;
  std::size_t local_stride;
  std::size_t far_stride;
};
void bulk_read(void* into, global_ptr<const void> from, const rectangle& shape);
void bulk_write(global_ptr<void> to, const void* from, const rectangle& shape);
void bulk_get(void* into, global_ptr<const void> from, const rectangle& shape) noexcept;
void bulk_put(global_ptr<void> to, const void* from, const rectangle& shape) noexcept;
void bulk_store(global_ptr<void> to, const void* from, const rectangle& shape) noexcept;

// --- Atomic -------------------------------------------------------------------------------------

// On integers of 32 and 64 bits, aligned to their size. Sequentially consistent with reads and
// writes. All but `add` return what was there before.
template <far_counter P, value_for<P> V = far_value<P>>
RAMJET_INLINE far_value<P> fetch_add(P at, const V& by);
template <far_counter P, value_for<P> V = far_value<P>>
RAMJET_INLINE far_value<P> fetch_and(P at, const V& mask);
template <far_counter P, value_for<P> V = far_value<P>>
RAMJET_INLINE far_value<P> fetch_or(P at, const V& mask);
template <far_counter P, value_for<P> V = far_value<P>>
RAMJET_INLINE far_value<P> fetch_xor(P at, const V& mask);
template <far_counter P, value_for<P> V = far_value<P>>
RAMJET_INLINE far_value<P> exchange(P at, const V& value);
// Writes `value` if `expected` was there.
template <far_counter P, value_for<P> E = far_value<P>, value_for<P> V = far_value<P>>
RAMJET_INLINE far_value<P> compare_swap(P at, const E& expected, const V& value);
// One way: no result, complete at sync_all().
template <far_counter P, value_for<P> V = far_value<P>>
RAMJET_INLINE void add(P to, const V& by) noexcept;

// --- Inline -------------------------------------------------------------------------------------

namespace detail {

// From this size on, the faster way of copying on this machine is looked up.
inline constexpr std::size_t kLongCopyBytes = 1024;
void copy_long_in(void* into, const std::byte* from, std::size_t bytes) noexcept;
void copy_long_out(std::byte* to, const void* from, std::size_t bytes) noexcept;

RAMJET_INLINE void copy_near_in(void* into, const std::byte* from, std::size_t bytes) noexcept {
  if (bytes >= kLongCopyBytes) return copy_long_in(into, from, bytes);
  std::memmove(into, from, bytes);
}
RAMJET_INLINE void copy_near_out(std::byte* to, const void* from, std::size_t bytes) noexcept {
  if (bytes >= kLongCopyBytes) return copy_long_out(to, from, bytes);
  std::memmove(to, from, bytes);
}

RAMJET_INLINE void copy_in(void* into, std::uint64_t from, std::size_t bytes, completes when,
                           const char* call) {
  if (bytes == 0) return;
  check_local(into, call);
  fence_pending_writes();
  const std::byte* const here = reach(from, bytes, call);
  if (here == nullptr) [[unlikely]]
    return far_in(into, from, bytes, when, call);
  copy_near_in(one_name(into), here, bytes);
  value_fence(std::memory_order_acquire);  // pairs: gas.value
}
// Whether it was done in place.
RAMJET_INLINE bool copy_out(std::uint64_t to, const void* from, std::size_t bytes, completes when,
                            const char* call) {
  if (bytes == 0) return false;
  check_local(from, call);
  std::byte* const into = reach(to, bytes, call);
  if (into == nullptr) [[unlikely]] {
    far_out(to, from, bytes, when, call);
    return false;
  }
  value_fence(std::memory_order_release);  // pairs: gas.value
  copy_near_out(into, one_name(from), bytes);
  note_write();
  return true;
}

// Around atomic operations. On x86 each is a fence by itself; elsewhere a plain access after it, as
// in bulk, could come before its store, and its load before a plain access in front of it.
RAMJET_INLINE void before_atomic() noexcept {
#if !defined(__x86_64__)
  fence_pending_writes();
#endif
}
RAMJET_INLINE void after_atomic() noexcept {
#if !defined(__x86_64__)
  note_write();
#endif
}

// Finds the integer of an atomic operation, in near memory. If there is none: the cold path.
template <far_counter P>
RAMJET_INLINE bool find_counter(P at, far_value<P>*& counter, const char* call) noexcept {
  using value = far_value<P>;
  std::byte* here;
  if (!find_word(at.bits(), space.words_end, here)) [[unlikely]]
    return false;
  if (address_of(at.bits()) % sizeof(value) != 0) [[unlikely]]
    misaligned(at.bits(), sizeof(value), call);
  counter = reinterpret_cast<value*>(here);
  return true;
}

inline constexpr int kSequential = __ATOMIC_SEQ_CST;  // store-load: gas.sequential (both)

// What an atomic operation does in place; what was there before.
template <access_op Op, class Word>
RAMJET_INLINE Word change(Word* at, Word operand, [[maybe_unused]] Word expected) noexcept {
  if constexpr (Op == access_op::add || Op == access_op::signal)
    return __atomic_fetch_add(at, operand, kSequential);
  else if constexpr (Op == access_op::bit_and)
    return __atomic_fetch_and(at, operand, kSequential);
  else if constexpr (Op == access_op::bit_or)
    return __atomic_fetch_or(at, operand, kSequential);
  else if constexpr (Op == access_op::bit_xor)
    return __atomic_fetch_xor(at, operand, kSequential);
  else if constexpr (Op == access_op::exchange)
    return __atomic_exchange_n(at, operand, kSequential);
  else
    __atomic_compare_exchange_n(at, &expected, operand, false, kSequential, kSequential);
  return expected;
}

// One atomic operation: in near memory, else by its name.
template <access_op Op, completes When = completes::now, far_counter P>
RAMJET_INLINE far_value<P> atomic(P at, far_value<P> operand, far_value<P> expected,
                                  const char* call) {
  using value = far_value<P>;
  before_atomic();
  value* counter;
  if (!find_counter(at, counter, call)) [[unlikely]] {
    std::uint64_t before = 0;
    word_slow(Op, When == completes::now ? &before : nullptr, at.bits(), bits_of_word(operand),
              bits_of_word(expected), sizeof(value), When, call);
    return word_from_bits<value>(before);
  }
  const value before = change<Op>(counter, operand, expected);
  after_atomic();
  if constexpr (Op == access_op::signal) wake_rank(rank_of(at.bits()));
  return before;
}

}  // namespace detail

void bulk_read(void* into, global_ptr<const void> from, std::size_t bytes) {
  detail::copy_in(into, from.bits(), bytes, detail::completes::now, "bulk_read");
}
void bulk_write(global_ptr<void> to, const void* from, std::size_t bytes) {
  detail::copy_out(to.bits(), from, bytes, detail::completes::now, "bulk_write");
}
void bulk_get(void* into, global_ptr<const void> from, std::size_t bytes) noexcept {
  detail::copy_in(into, from.bits(), bytes, detail::completes::at_sync, "bulk_get");
}
void bulk_put(global_ptr<void> to, const void* from, std::size_t bytes) noexcept {
  detail::copy_out(to.bits(), from, bytes, detail::completes::at_sync, "bulk_put");
}
void bulk_store(global_ptr<void> to, const void* from, std::size_t bytes) noexcept {
  if (detail::copy_out(to.bits(), from, bytes, detail::completes::counted, "bulk_store"))
    detail::count_stored(detail::rank_of(to.bits()), bytes);
}

template <far_counter P, value_for<P> V>
far_value<P> fetch_add(P at, const V& by) {
  return detail::atomic<detail::access_op::add>(at, detail::fit_argument<2, far_value<P>>(by), {},
                                                "fetch_add");
}
template <far_counter P, value_for<P> V>
far_value<P> fetch_and(P at, const V& mask) {
  return detail::atomic<detail::access_op::bit_and>(at, detail::fit_argument<2, far_value<P>>(mask),
                                                    {}, "fetch_and");
}
template <far_counter P, value_for<P> V>
far_value<P> fetch_or(P at, const V& mask) {
  return detail::atomic<detail::access_op::bit_or>(at, detail::fit_argument<2, far_value<P>>(mask),
                                                   {}, "fetch_or");
}
template <far_counter P, value_for<P> V>
far_value<P> fetch_xor(P at, const V& mask) {
  return detail::atomic<detail::access_op::bit_xor>(at, detail::fit_argument<2, far_value<P>>(mask),
                                                    {}, "fetch_xor");
}
template <far_counter P, value_for<P> V>
far_value<P> exchange(P at, const V& value) {
  return detail::atomic<detail::access_op::exchange>(
      at, detail::fit_argument<2, far_value<P>>(value), {}, "exchange");
}
template <far_counter P, value_for<P> E, value_for<P> V>
far_value<P> compare_swap(P at, const E& expected, const V& value) {
  using detail::fit_argument;
  return detail::atomic<detail::access_op::compare_swap>(at, fit_argument<3, far_value<P>>(value),
                                                         fit_argument<2, far_value<P>>(expected),
                                                         "compare_swap");
}
template <far_counter P, value_for<P> V>
void add(P to, const V& by) noexcept {
  using detail::access_op, detail::completes;
  detail::atomic<access_op::add, completes::at_sync>(to, detail::fit_argument<2, far_value<P>>(by),
                                                     {}, "add");
}

}  // namespace ramjet

#pragma GCC visibility pop
