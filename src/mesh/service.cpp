// SPDX-License-Identifier: Apache-2.0
// The loop, and how connections come to be.
#include "mesh/service.hpp"

#include <fcntl.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sodium.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/clock.hpp"
#include "base/signals.hpp"
#include "base/who.hpp"
#include "job/join.hpp"
#include "node/wake.hpp"

namespace ramjet::job {

namespace {

constexpr std::uint64_t kMs = 1'000'000;
constexpr std::uint64_t kTickNs = 100 * kMs;  // or an eighth of the time of silence
constexpr unsigned kAcceptsMax = 64;          // in a row: what came before goes on in between
constexpr std::uint64_t kGreetingNs = 5'000 * kMs;   // for a whole handshake
constexpr std::uint64_t kStartNs = 30'000 * kMs;     // for all connections at the start of a job
constexpr std::uint64_t kLingerNs = 2'000 * kMs;
constexpr std::size_t kStrangersMax = 256;  // greetings of callers, beside one of each rank
constexpr std::uint64_t kRefusalPeriodNs = 1'000 * kMs;

int internet_socket(const net_address& where) {
  return ::socket(where.where.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

void send_at_once(int fd) {
  const int yes = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

// Throws away what has come; whether the peer has closed its end.
bool discard(int fd) {
  char bytes[4096];
  ssize_t got;
  while ((got = ::recv(fd, bytes, sizeof bytes, MSG_DONTWAIT)) > 0) {
  }
  return got == 0 || (errno != EAGAIN && errno != EINTR);
}

void wake_port(std::uint32_t port) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  node::wake(node::port(port));
}

}  // namespace

bool all_sent(int fd) {
  int left = 0;
  return ::ioctl(fd, SIOCOUTQ, &left) != 0 || left == 0;
}

mesh_service::mesh_service()
    : controls_(self().ranks), death_told_(self().ranks), inboxes_(self().layout.endpoints) {
  timeout_ns_ = self().settings.failure_timeout_ms * kMs;
  tick_ns_ = timeout_ns_ == 0 ? kTickNs : std::clamp(timeout_ns_ / 8, kMs, kTickNs);
}

void mesh_service::stop() {
  if (!thread_.joinable()) return;
  ending_.store(true, std::memory_order_relaxed);
  eventfd_write(orders_fd_, 1);
  thread_.join();
}

mesh_service::~mesh_service() {
  stop();
  for (const control& c : controls_)
    if (c.fd >= 0) ::close(c.fd);
  for (const inbox& i : inboxes_)
    for (const channel_connection& c : i.waiting) ::close(c.fd);
  for (const pending& g : greetings_) ::close(g.fd);
  for (int fd : {listener_, epoll_, orders_fd_})
    if (fd >= 0) ::close(fd);
}

status mesh_service::listen(net_address& where, std::string& message) {
  epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
  orders_fd_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  listener_ = internet_socket(where);
  if (epoll_ < 0 || orders_fd_ < 0 || listener_ < 0 ||
      ::bind(listener_, reinterpret_cast<const sockaddr*>(&where.where), where.bytes) != 0 ||
      ::listen(listener_, SOMAXCONN) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&where.where), &where.bytes) != 0) {
    message = "cannot listen on " + to_text(where) + ": " + std::strerror(errno) +
              "; choose another interface by RAMJET_INTERFACE";
    return status::environment;
  }
  watch(listener_, source::listener, 0, EPOLLIN);
  watch(orders_fd_, source::orders, 0, EPOLLIN);
  return status::ok;
}

bool mesh_service::start_thread(std::string& message) {
  const base::signals_blocked quiet;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& e) {
    message = std::string("cannot start the thread that talks to the other machines: ") + e.what() +
              "; raise the limit of processes (ulimit -u)";
    return false;
  }
  return true;
}

status mesh_service::connect(const std::vector<std::string>& cards, const job_key& key,
                             std::uint64_t build, std::string& message) {
  const membership& m = self();
  key_ = key;
  build_ = build;
  addresses_.resize(m.ranks);
  unsigned elsewhere = 0;
  for (unsigned r = 0; r < m.ranks; ++r) {
    if (m.near(r)) continue;
    ++elsewhere;
    if (!from_text(cards[r], addresses_[r])) {
      message = "rank " + std::to_string(r) + " gave no address where it could be reached";
      return status::mismatch;
    }
    if (r < unsigned(m.rank)) requests_.push_back({purpose::control, unsigned(m.rank), r});
  }
  if (!start_thread(message)) return status::environment;
  eventfd_write(orders_fd_, 1);

  std::unique_lock lock(mutex_);
  const std::uint64_t deadline = base::now_ns() + kStartNs;
  const auto all_here = [&] { return connected_ >= elsewhere; };
  while (!changed_.wait_for(lock, std::chrono::milliseconds(10), all_here)) {
    if (m.shared->failures.load(std::memory_order_acquire) != 0) {  // pairs: job.failure
      message = "a rank failed while the job started";
      return status::peer_failed;
    }
    if (base::now_ns() < deadline) continue;
    unsigned missing = 0;
    while (m.near(missing) || controls_[missing].fd >= 0) ++missing;
    message = "rank " + std::to_string(missing) + " (" + to_text(addresses_[missing]) +
              ") was not reached within 30 s; is the interface right (RAMJET_INTERFACE)?";
    if (!trouble_.empty()) message += " The last failure: " + trouble_;
    return status::environment;
  }
  return status::ok;
}

std::array<std::uint8_t, 32> mesh_service::prove(const void* bytes,
                                                 std::size_t count) const noexcept {
  std::array<std::uint8_t, 32> mac;
  ::crypto_auth(mac.data(), static_cast<const unsigned char*>(bytes), count, key_.data());
  return mac;
}

// --- What others order ---------------------------------------------------------------------------

void mesh_service::request(std::uint32_t from, std::uint32_t to) {
  const std::lock_guard lock(mutex_);
  requests_.push_back({purpose::channel, from, to});
  eventfd_write(orders_fd_, 1);
}

std::uint32_t mesh_service::arrived(std::uint32_t port) const noexcept {
  const inbox& i = inboxes_[port % inboxes_.size()];
  return i.arrived.load(std::memory_order_relaxed);
}

bool mesh_service::take(std::uint32_t port, channel_connection& into) {
  const std::lock_guard lock(mutex_);
  inbox& i = inboxes_[port % inboxes_.size()];
  if (i.waiting.empty()) return false;
  into = i.waiting.front();
  i.waiting.erase(i.waiting.begin());
  return true;
}

void mesh_service::linger(int fd) {
  ::shutdown(fd, SHUT_WR);
  const std::lock_guard lock(mutex_);
  to_linger_.push_back(fd);
  eventfd_write(orders_fd_, 1);
}

// Registered silent: wake_on_ready arms it for one event.
void mesh_service::watch_set(std::uint32_t port, int epoll_fd) {
  watch(epoll_fd, source::set, port, EPOLLONESHOT);
}
void mesh_service::wake_on_ready(std::uint32_t port, int epoll_fd) noexcept {
  epoll_event e{};
  e.events = EPOLLIN | EPOLLONESHOT;
  e.data.u64 = std::uint64_t(source::set) << 32 | port;
  ::epoll_ctl(epoll_, EPOLL_CTL_MOD, epoll_fd, &e);
}
void mesh_service::forget_set(int epoll_fd) noexcept {
  ::epoll_ctl(epoll_, EPOLL_CTL_DEL, epoll_fd, nullptr);
}

// --- The loop ------------------------------------------------------------------------------------

void mesh_service::run() {
  const std::uint64_t start = base::now_ns();
  ticked_ns_ = start;
  for (control& c : controls_) c.heard_ns = start;
  while (!ending_.load(std::memory_order_relaxed)) {
    const std::uint64_t now = base::now_ns();
    if (now - ticked_ns_ >= tick_ns_) tick(now);
    const std::uint64_t since = base::now_ns() - ticked_ns_;
    const std::uint64_t left = since < tick_ns_ ? tick_ns_ - since : 0;
    epoll_event events[32];
    const int count = ::epoll_wait(epoll_, events, 32, int(left / kMs) + 1);
    for (int i = 0; i < count; ++i)
      dispatch(source(events[i].data.u64 >> 32), std::uint32_t(events[i].data.u64));
  }
}

void mesh_service::watch(int fd, source what, std::uint32_t id, std::uint32_t events) {
  epoll_event e{};
  e.events = events;
  e.data.u64 = std::uint64_t(what) << 32 | id;
  if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &e) != 0 && errno == EEXIST)
    ::epoll_ctl(epoll_, EPOLL_CTL_MOD, fd, &e);
}

void mesh_service::dispatch(source what, std::uint32_t id) {
  switch (what) {
    case source::listener:
      return accept_all();
    case source::orders:
      return take_orders();
    case source::greeting: {
      const auto same = [id](const pending& g) { return g.id == id; };
      const auto g = std::find_if(greetings_.begin(), greetings_.end(), same);
      if (g != greetings_.end()) advance(g);
      return;
    }
    case source::control:
      return read_control(id);
    case source::set:
      return wake_port(id);
  }
}

void mesh_service::take_orders() {
  eventfd_t count;
  eventfd_read(orders_fd_, &count);
  std::vector<greeting> requests;
  std::vector<loss> lost;
  {
    const std::lock_guard lock(mutex_);
    requests.swap(requests_);
    for (int fd : to_linger_) lingering_.push_back({fd, base::now_ns() + kLingerNs});
    to_linger_.clear();
    lost.swap(lost_);
  }
  for (const greeting& about : requests) order(about);
  for (const loss& l : lost) take_loss(l);
}

void mesh_service::tick(std::uint64_t now) {
  // What is more than a little late is the time in which this thread did not run: no silence of the
  // others.
  const std::uint64_t since = now - std::exchange(ticked_ns_, now);
  if (since > 2 * tick_ns_)
    for (control& c : controls_) c.heard_ns = std::min(now, c.heard_ns + since);
  if (std::exchange(no_descriptor_, false)) watch(listener_, source::listener, 0, EPOLLIN);
  for (auto g = greetings_.begin(); g != greetings_.end();) {
    const auto next = std::next(g);
    if (now >= g->deadline_ns) {
      refuse(*g, "it did not prove that it belongs to the job in time");
      drop(g);
    }
    g = next;
  }
  std::erase_if(lingering_, [now](const stray& s) {
    const bool closed_there = discard(s.fd);
    if (!all_sent(s.fd) || (!closed_there && now < s.deadline_ns)) return false;
    ::close(s.fd);
    return true;
  });
  if (refusals_untold_ != 0 && now - refusal_told_ns_ >= kRefusalPeriodNs) {
    say("refused %llu more connections", static_cast<unsigned long long>(refusals_untold_));
    refusals_untold_ = 0;
    refusal_told_ns_ = now;
  }
  for (const greeting& about : std::exchange(again_, {}))
    if (about.what == purpose::control || controls_[about.to / self().layout.endpoints].fd >= 0)
      call(about);
  look_at_the_living(now);
  end_doubts(now);
  tell_of_deaths();
}

// --- Greetings -----------------------------------------------------------------------------------

void mesh_service::accept_all() {
  const auto called = [](const pending& g) { return !g.caller; };
  for (unsigned accepted = 0; accepted < kAcceptsMax; ++accepted) {
    net_address from;
    from.bytes = sizeof from.where;
    const int fd = ::accept4(listener_, reinterpret_cast<sockaddr*>(&from.where), &from.bytes,
                             SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      if (errno == EAGAIN) return;
      no_descriptor_ = true;  // those that wait are looked at again with the next tick
      ::epoll_ctl(epoll_, EPOLL_CTL_DEL, listener_, nullptr);
      return;
    }
    send_at_once(fd);
    const auto callers = std::count_if(greetings_.begin(), greetings_.end(), called);
    if (std::size_t(callers) >= kStrangersMax + controls_.size()) {
      const auto silent = [](const pending& g) { return g.talk.silent(); };
      auto oldest = std::find_if(greetings_.begin(), greetings_.end(), silent);
      if (oldest == greetings_.end())
        oldest = std::find_if(greetings_.begin(), greetings_.end(), called);
      if (oldest != greetings_.end()) {
        refuse(*oldest, "too many connections at once that prove nothing");
        drop(oldest);
      }
    }
    greetings_.push_back({next_id_++, fd, false, base::now_ns() + kGreetingNs, to_text(from),
                          handshake(fd, key_, build_)});
    watch(fd, source::greeting, greetings_.back().id, EPOLLIN);
    advance(std::prev(greetings_.end()));
  }
}

// Of two ports the higher one calls, whoever needs the connection: so there is one.
void mesh_service::order(const greeting& about) {
  if (about.what == purpose::control) return call(about);
  if (about.from > about.to) return call_once(about);
  send_news(about.to / self().layout.endpoints,
            {news::call, about.to, std::int32_t(about.from), 0});
}

void mesh_service::call_once(const greeting& about) {
  if (called_.emplace(about.from, about.to).second) call(about);
}

void mesh_service::call(const greeting& about) {
  const membership& m = self();
  const unsigned rank = about.what == purpose::control ? about.to : about.to / m.layout.endpoints;
  const net_address& where = addresses_[rank];
  const int fd = internet_socket(where);
  if (fd < 0 || (::connect(fd, reinterpret_cast<const sockaddr*>(&where.where), where.bytes) != 0 &&
                 errno != EINPROGRESS)) {
    const std::string why = std::strerror(errno);
    if (fd >= 0) ::close(fd);
    return failed_call(about, to_text(where), why.c_str());
  }
  send_at_once(fd);
  greetings_.push_back({next_id_++, fd, true, base::now_ns() + kStartNs, to_text(where),
                        handshake(fd, key_, build_, about)});
  watch(fd, source::greeting, greetings_.back().id, EPOLLIN | EPOLLOUT);
}

void mesh_service::advance(std::list<pending>::iterator g) {
  switch (g->talk.advance()) {
    case handshake::state::under_way:
      return watch(g->fd, source::greeting, g->id, g->talk.wants_room() ? EPOLLOUT : EPOLLIN);
    case handshake::state::proved:
      return settle(g);
    case handshake::state::refused:
      refuse(*g, g->talk.why());
      return drop(g);
  }
}

bool mesh_service::makes_sense(const greeting& about, bool caller) const {
  const membership& m = self();
  const std::uint32_t mine = caller ? about.from : about.to;
  const std::uint32_t theirs = caller ? about.to : about.from;
  const unsigned each = about.what == purpose::control ? 1 : m.layout.endpoints;
  return mine / each == unsigned(m.rank) && theirs / each < m.ranks && !m.near(theirs / each) &&
         (about.what != purpose::control || controls_[theirs].fd < 0);
}

void mesh_service::settle(std::list<pending>::iterator g) {
  const greeting about = g->talk.about();
  if (!makes_sense(about, g->caller)) {
    refuse(*g, "it asks for what there is not");
    return drop(g);
  }
  const int fd = g->fd;
  const std::uint32_t mine = g->caller ? about.from : about.to;
  const std::uint32_t theirs = g->caller ? about.to : about.from;
  ::epoll_ctl(epoll_, EPOLL_CTL_DEL, fd, nullptr);
  greetings_.erase(g);
  if (about.what == purpose::control) return adopt_control(theirs, fd);
  {
    const std::lock_guard lock(mutex_);
    inbox& i = inboxes_[mine % inboxes_.size()];
    i.waiting.push_back({fd, theirs});
    i.arrived.fetch_add(1, std::memory_order_relaxed);  // ordered by the mutex
  }
  wake_port(mine);
}

// It is made again: to a channel's peer while that lives, which is what its control connection
// says; for a control connection as long as the start may take.
void mesh_service::failed_call(const greeting& about, const std::string& who, const char* why) {
  again_.push_back(about);
  if (about.what == purpose::channel) return;
  const std::lock_guard lock(mutex_);
  trouble_ = "no connection to rank " + std::to_string(about.to) + " (" + who + "): " + why;
}

// One line for the first of a second; the rest is counted.
void mesh_service::refuse(const pending& g, const char* why) {
  if (g.caller) return failed_call(g.talk.about(), g.who, why);
  const std::uint64_t now = base::now_ns();
  if (now - refusal_told_ns_ < kRefusalPeriodNs) {
    ++refusals_untold_;
    return;
  }
  refusal_told_ns_ = now;
  say("refused a connection from %s: %s", g.who.c_str(), why);
}

void mesh_service::drop(std::list<pending>::iterator g) {
  ::close(g->fd);
  greetings_.erase(g);
}

void mesh_service::say(const char* format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  std::fprintf(stderr, "%s: %s\n", base::who(), text);
}

}  // namespace ramjet::job
