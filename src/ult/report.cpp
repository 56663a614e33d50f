// SPDX-License-Identifier: Apache-2.0
// Who waits for what: the dump of all threads, deadlocks, overflowed stacks. The text is put
// together without the heap or the C library's streams, since signal handlers ask for it.
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/ucontext.h>
#include <sys/uio.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <algorithm>
#include <charconv>

#include "base/bounded_writer.hpp"
#include "base/process_label.hpp"
#include "base/report_request.hpp"
#include "ult/parts.hpp"
#include "ult/pools.hpp"

namespace ramjet::ult {

namespace detail {

namespace {

// One line of text.
class line {
 public:
  line& operator<<(const char* text) {
    const std::size_t n = std::min(std::strlen(text), sizeof text_ - 1 - size_);
    std::memcpy(text_ + size_, text, n);
    size_ += n;
    return *this;
  }
  line& operator<<(std::uint64_t number) {
    char digits[24] = {};
    std::to_chars(digits, digits + sizeof digits, number);
    return *this << digits;
  }
  line& operator<<(const void* address) {
    char digits[24] = {};
    std::to_chars(digits, digits + sizeof digits, reinterpret_cast<std::uintptr_t>(address), 16);
    return *this << "0x" << digits;
  }
  void write_to(base::bounded_writer& file) {
    text_[size_++] = '\n';
    file.write({text_, size_});
  }

 private:
  char text_[256];
  std::size_t size_ = 0;
};

void name_thread(line& out, const char* name) {
  if (name != nullptr && *name != 0) out << " '" << name << "'";
}

// What other workers change or free meanwhile is read as it comes, and judged afterwards.
#if defined(__SANITIZE_THREAD__)
#define RAMJET_READ_AS_IT_COMES __attribute__((no_sanitize("thread")))
#elif defined(__SANITIZE_ADDRESS__)
#define RAMJET_READ_AS_IT_COMES __attribute__((no_sanitize("address", "undefined")))
#else
#define RAMJET_READ_AS_IT_COMES
#endif

struct observed {
  bool alive = false;  // false: it ends just now, and what its descriptor holds is a result
  bool waits = false;
  blocked_on why{};
  char name[64];  // "": none
};

RAMJET_READ_AS_IT_COMES void observe_name(char* const& it, char* to, std::size_t bytes) {
  const char* volatile const* name = &it;
  const volatile char* from = *name;
  std::size_t i = 0;
  if (from != nullptr)
    while (i + 1 < bytes && (to[i] = from[i]) != 0) ++i;
  // store-load: ult.report (both, compiler only)
  std::atomic_signal_fence(std::memory_order_seq_cst);
  to[*name == from ? i : 0] = 0;
}

// What may be read there, through a pipe into which the kernel copies it: for emulators and
// containers that have no process_vm_readv.
std::size_t read_through_pipe(const iovec& source, void* to) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return 0;
  ssize_t read = ::write(ends[1], source.iov_base, source.iov_len);
  if (read > 0) read = ::read(ends[0], to, static_cast<std::size_t>(read));
  ::close(ends[0]);
  ::close(ends[1]);
  return read < 0 ? 0 : static_cast<std::size_t>(read);
}

// Copies what is at an address that may be none: at most `bytes`, to the end of its page. How many
// there were; 0 where that is forbidden, too.
std::size_t read_if_mapped(const void* from, void* to, std::size_t bytes) {
  constexpr std::size_t kPageBytes = 4096;
  const std::size_t on_page = kPageBytes - reinterpret_cast<std::uintptr_t>(from) % kPageBytes;
  const iovec source{const_cast<void*>(from), std::min(bytes, on_page)};
  const iovec target{to, source.iov_len};
  const ssize_t read = ::process_vm_readv(::getpid(), &target, 1, &source, 1, 0);
  if (read < 0 && errno != EFAULT) return read_through_pipe(source, to);
  return read < 0 ? 0 : static_cast<std::size_t>(read);
}

// The word at an address that may be none; 0 where that is forbidden, too.
template <class T>
T read_word(const T& at) {
  T word{};
  return read_if_mapped(&at, &word, sizeof word) == sizeof word ? word : T{};
}

// Where the thread lends its stack; its record lies there. What the descriptor calls its stack may
// be the thread's result by now, or a stack whose record has gone: nothing there is an address
// before it was looked at, and the way down has an end.
RAMJET_READ_AS_IT_COMES const lender* find_lender(const control& c, const descriptor& d) {
  constexpr unsigned kDeep = 10'000;
  const std::byte* const low = read_word(c.low);
  const std::size_t bytes = read_word(c.stack_bytes);
  const lender* l = read_word(c.lenders);
  for (unsigned i = 0; l != nullptr && i < kDeep; ++i, l = read_word(l->below)) {
    const auto* at = reinterpret_cast<const std::byte*>(l);
    if (at < low || at >= low + bytes) return nullptr;
    if (read_word(l->who) == &d) return l;
  }
  return nullptr;
}

// The record lies on a stack, at the same place again and again where a thread joins in a loop, and
// may be another one, or none, by the time that it is read: no address in it is trusted.
RAMJET_READ_AS_IT_COMES observed observe_lender(const control& c, const descriptor& d) {
  observed seen;
  const lender* const l = find_lender(c, d);
  if (l == nullptr) return seen;
  char* const name = read_word(l->more.name);
  const descriptor* const joined = read_word(l->joins);
  // store-load: ult.report (both, compiler only)
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (find_lender(c, d) != l) return seen;
  seen.alive = seen.waits = true;
  seen.name[name != nullptr ? read_if_mapped(name, seen.name, sizeof seen.name - 1) : 0] = 0;
  seen.why = {"thread", joined, read_word(joined->id)};
  return seen;
}

// A wait lies on the thread's stack: it is believed only if it is still the same one afterwards.
RAMJET_READ_AS_IT_COMES observed observe(const descriptor& d) {
  observed seen;
  const control* c = d.stack;
  if (c == nullptr) return seen;
  if (read_word(c->who) != &d) return observe_lender(*c, d);
  seen.alive = true;
  observe_name(c->more.name, seen.name, sizeof seen.name);
  const blocked_on* volatile const* waits = &c->waits;
  const blocked_on* why = *waits;
  if (why == nullptr) return seen;
  seen.why.what = why->what;
  seen.why.object = why->object;
  seen.why.owner = why->owner;
  // store-load: ult.report (both, compiler only)
  std::atomic_signal_fence(std::memory_order_seq_cst);
  seen.waits = *waits == why && seen.why.what != nullptr;
  return seen;
}

void describe_wait(line& out, const blocked_on& why) {
  out << "waits for a " << why.what;
  if (why.object != nullptr) out << " at " << why.object;
  if (why.owner != 0) out << ", held by thread " << std::uint64_t(why.owner);
}

RAMJET_READ_AS_IT_COMES bool runs(const descriptor& d) {
  const unsigned count = workers();
  for (unsigned i = 0; i < count; ++i)
    if (worker_pool.workers[i]->self == d.stack) return true;
  return false;
}

struct dumping {
  base::bounded_writer& file;
  unsigned threads = 0;
};

RAMJET_READ_AS_IT_COMES void describe(const descriptor& d, void* argument) {
  auto& out = *static_cast<dumping*>(argument);
  if (d.ended.load(std::memory_order_relaxed) == descriptor::kEnded) return;
  line l;
  l << "  thread " << std::uint64_t(d.id);
  if (!d.started) {
    l << " has not started";
  } else {
    const observed seen = observe(d);
    if (!seen.alive) return;
    name_thread(l, seen.name);
    l << " at worker " << std::uint64_t(d.home.load(std::memory_order_relaxed)) << " ";
    if (seen.waits)
      describe_wait(l, seen.why);
    else
      l << (runs(d) ? "runs" : "is ready");
  }
  ++out.threads;
  l.write_to(out.file);
}

// --- Signals ------------------------------------------------------------------------------------

bool dumps = false;
// What took SIGSEGV before: the default, or a handler of the program or of a sanitizer. Written
// before the handler is installed, but for SA_RESETHAND.
struct sigaction before_fault;
constexpr std::size_t kSignalStackBytes = 64 * 1024;

void report_overflow(const control* c) {
  line l;
  l << base::process_label() << ": thread " << std::uint64_t(c->id);
  name_thread(l, c->more.name);
  l << " has overflowed its stack of " << std::uint64_t(c->stack_bytes / 1024)
    << " KiB; give it more: ult::attributes::stack_bytes, or ult::options for all";
  base::bounded_writer file(STDERR_FILENO);
  l.write_to(file);
}

// The default action follows. A fault happens again on return; a signal that was sent would not, so
// it is sent again, as it came, and is delivered when this handler returns.
void take_default_action(int signal, siginfo_t* info, bool sent) {
  struct sigaction standard{};
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, nullptr);
  if (sent && ::syscall(SYS_rt_tgsigqueueinfo, ::getpid(), ::gettid(), signal, info) != 0)
    ::raise(signal);
}

// Calls the earlier handler as the kernel would: with its mask, once if it wants that.
void call_earlier_handler(int signal, siginfo_t* info, void* at) {
  const struct sigaction earlier = before_fault;
  if ((earlier.sa_flags & int(SA_RESETHAND)) != 0) before_fault.sa_handler = SIG_DFL;
  sigset_t mask = earlier.sa_mask, kept;
  pthread_sigmask(SIG_BLOCK, &mask, &kept);
  if ((earlier.sa_flags & SA_NODEFER) != 0) {
    sigemptyset(&mask);
    sigaddset(&mask, signal);
    pthread_sigmask(SIG_UNBLOCK, &mask, nullptr);
  }
  if ((earlier.sa_flags & SA_SIGINFO) != 0)
    earlier.sa_sigaction(signal, info, at);
  else
    earlier.sa_handler(signal);
  pthread_sigmask(SIG_SETMASK, &kept, nullptr);
}

// Where the signal came, by the context that its handler is given.
std::uintptr_t stack_pointer(const void* at) {
  const auto& registers = static_cast<const ucontext_t*>(at)->uc_mcontext;
#if defined(__x86_64__)
  return std::uintptr_t(registers.gregs[REG_RSP]);
#else
  return std::uintptr_t(registers.sp);
#endif
}

// SIGSEGV: an overflowed stack is reported, then what was there before decides.
void on_fault(int signal, siginfo_t* info, void* at) {
  const int kept = errno;
  const bool sent = info->si_code <= 0;  // by kill and the like: it has no address
  const control* c = current_worker->open ? current_worker->self : nullptr;
  if (!sent && c != nullptr && is_overflow(c, info->si_addr, stack_pointer(at))) report_overflow(c);
  if (before_fault.sa_handler == SIG_DFL || (before_fault.sa_handler == SIG_IGN && !sent))
    take_default_action(signal, info, sent);
  else if (before_fault.sa_handler != SIG_IGN)
    call_earlier_handler(signal, info, at);
  errno = kept;
}

}  // namespace

bool dumps_on_signal() noexcept { return dumps; }

void install_signal_handlers() noexcept {
  dumps = base::on_report_request([](base::question) { dump(STDERR_FILENO); });
  sigaction(SIGSEGV, nullptr, &before_fault);
  struct sigaction fault{};
  fault.sa_sigaction = on_fault;
  // A system call that the earlier handler would restart is restarted.
  fault.sa_flags = SA_SIGINFO | SA_ONSTACK | (before_fault.sa_flags & SA_RESTART);
  sigaction(SIGSEGV, &fault, nullptr);
}

// An overflowed stack has no room for the handler.
void install_signal_stack() {
  stack_t now{};
  if (sigaltstack(nullptr, &now) == 0 && (now.ss_flags & SS_DISABLE) == 0) return;
  struct signal_stack : stack_t {
    signal_stack() : stack_t{new std::byte[kSignalStackBytes], 0, kSignalStackBytes} {
      sigaltstack(this, nullptr);
    }
    ~signal_stack() {
      stack_t none{};
      none.ss_flags = SS_DISABLE;
      sigaltstack(&none, nullptr);
      delete[] static_cast<std::byte*>(ss_sp);
    }
  };
  [[maybe_unused]] thread_local const signal_stack own;
}

// --- Deadlock -----------------------------------------------------------------------------------

// Every worker sleeps, no message can come, no condition is posted, no item is under way: nothing
// will ever happen again. Two checks in a row must see that, and the same count of threads.
RAMJET_READ_AS_IT_COMES void check_deadlock() {
  static std::atomic<std::uint64_t> seen{~std::uint64_t{0}};
  const unsigned count = workers();
  std::uint64_t alive = 0, ever = 0;
  for (unsigned i = 0; i < count; ++i) {
    const worker* w = worker_pool.workers[i];
    const bool idle = (i == this_worker()->index || w->asleep.load(std::memory_order_relaxed)) &&
                      w->inbox.load(std::memory_order_relaxed) == 0;
    if (!idle || w->parts->posted != 0 || w->parts->net != nullptr) {
      seen.store(~std::uint64_t{0}, std::memory_order_relaxed);
      return;
    }
    alive += w->started - w->finished;
    ever += w->started + w->finished;
  }
  if (alive == 0 || seen.exchange(ever, std::memory_order_relaxed) != ever) return;
  std::fprintf(stderr, "%s: deadlock: each of the %llu threads waits for another one\n",
               base::process_label(), static_cast<unsigned long long>(alive));
  std::fflush(stderr);
  dump(STDERR_FILENO);
  std::abort();
}

}  // namespace detail

void dump(int fd) noexcept {
  base::bounded_writer file(fd);
  detail::dumping out{file};
  detail::line head;
  head << base::process_label() << ": user-level threads:";
  head.write_to(file);
  detail::visit_descriptors(detail::describe, &out);
  if (out.threads != 0) return;
  detail::line none;
  none << "  none";
  none.write_to(file);
}

}  // namespace ramjet::ult
