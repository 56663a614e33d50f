// SPDX-License-Identifier: Apache-2.0
// The loop, and what others order.
#include "mesh/service.hpp"

#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sodium.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/clock.hpp"
#include "base/open_files.hpp"
#include "base/process_label.hpp"
#include "base/signals.hpp"
#include "base/system.hpp"
#include "job/join.hpp"
#include "mesh/standstill.hpp"
#include "mesh/waking.hpp"

namespace ramjet::mesh {

namespace {

constexpr std::uint64_t kTickNs = 100 * kMs;  // or an eighth of the time of silence
constexpr std::uint64_t kPeriodNs = 500 * kMs;  // of signs of life, or a quarter of that time
constexpr std::uint64_t kNoProgressNs = 30'000 * kMs;  // while a job starts

// Throws away what has come; whether the peer has closed its end.
bool discard(int fd) {
  char bytes[4096];
  ssize_t got;
  while ((got = ::recv(fd, bytes, sizeof bytes, MSG_DONTWAIT)) > 0) {
  }
  return got == 0 || (errno != EAGAIN && errno != EINTR);
}

// A connection that is gone has the bytes that nobody took still in its queue.
bool is_gone(int fd) {
  tcp_info info{};
  socklen_t bytes = sizeof info;
  return ::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &bytes) != 0 ||
         info.tcpi_state == TCP_CLOSE;
}

}  // namespace

// The first bytes of a connection always find room.
void send_last_words(int fd, std::string_view bytes) {
  static_cast<void>(::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
}

bool all_sent(int fd) {
  int left = 0;
  return ::ioctl(fd, SIOCOUTQ, &left) != 0 || left == 0 || is_gone(fd);
}

mesh_service::mesh_service(const membership& job, std::uint64_t machine)
    : job_(job),
      machine_(machine),
      ranks_of_(job_.nodes),
      controls_(job_.ranks),
      node_views_(job_.nodes),
      refused_calls_(job_.ranks),
      death_announced_(job_.ranks),
      inboxes_(job_.layout.endpoints),
      closed_ports_(job_.layout.ports) {
  for (unsigned r = 0; r < job_.ranks; ++r) {
    ranks_of_[job_.node_of[r]].push_back(r);
    if (job_.near(r) && int(r) != job_.rank) near_views_.push_back({r, {}, {}});
  }
  timeout_ns_ = job_.settings.failure_timeout_ms * kMs;
  tick_ns_ = timeout_ns_ == 0 ? kTickNs : std::clamp(timeout_ns_ / 8, kMs, kTickNs);
  period_ns_ = timeout_ns_ == 0 ? kPeriodNs : std::min(kPeriodNs, timeout_ns_ / 4);
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
  for (int fd : {listener_, orders_fd_})
    if (fd >= 0) ::close(fd);
}

status mesh_service::listen(net_address where, std::string& card, std::string& message) {
  net_address beats = where;
  orders_fd_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  listener_ = ::socket(where.where.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  auto* address = reinterpret_cast<sockaddr*>(&where.where);
  if (!loop_.open() || orders_fd_ < 0 || listener_ < 0 ||
      ::bind(listener_, address, where.bytes) != 0 || ::listen(listener_, SOMAXCONN) != 0 ||
      ::getsockname(listener_, address, &where.bytes) != 0 || !heartbeats_.open(beats)) {
    message = "cannot listen on " + to_text(where) + ": " + std::strerror(errno) +
              "; choose another interface by RAMJET_INTERFACE";
    return status::environment;
  }
  if (!loop_.watch(listener_, source::listener) || !loop_.watch(orders_fd_, source::orders) ||
      !loop_.watch(heartbeats_.descriptor(), source::heartbeats)) {
    message = base::watch_problem(errno);
    return status::environment;
  }
  card = to_text(where) + '|' + to_text(beats);
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

// --- The start of a job --------------------------------------------------------------------------

status mesh_service::read_cards(const std::vector<std::string>& cards, unsigned& elsewhere,
                                std::string& message) {
  addresses_.resize(job_.ranks);
  for (unsigned r = 0; r < job_.ranks; ++r) {
    if (job_.near(r)) continue;
    ++elsewhere;
    const std::size_t middle = std::min(cards[r].find('|'), cards[r].size());
    if (middle == cards[r].size() ||
        !from_text(cards[r].substr(0, middle), addresses_[r].connections) ||
        !from_text(cards[r].substr(middle + 1), addresses_[r].heartbeats)) {
      message = "rank " + std::to_string(r) + " gave no address where it could be reached";
      return status::mismatch;
    }
    if (r < unsigned(job_.rank)) requests_.push_back({purpose::control, unsigned(job_.rank), r});
  }
  return status::ok;
}

// Too few descriptors are an error now, not a hang later. Each far rank takes a control connection,
// and one for each endpoint that talks to its like there.
status mesh_service::check_open_files(unsigned elsewhere, std::string& message) const {
  constexpr std::uint64_t kSpare = 16;
  const std::uint64_t limit = base::raise_open_files();
  const std::uint64_t needed =
      base::count_open_files() + elsewhere * (1 + std::uint64_t(inboxes_.size())) + kSpare;
  if (limit >= needed) return status::ok;
  message = "needs up to " + std::to_string(needed) + " open files to reach " +
            std::to_string(elsewhere) + " ranks on other machines, and the limit is " +
            std::to_string(limit) + "; raise it (ulimit -Hn) or start fewer ranks";
  return status::environment;
}

status mesh_service::connect(const std::vector<std::string>& cards, const job_key& key,
                             std::uint64_t build, const std::function<int()>& dead_rank,
                             std::string& message) {
  key_ = key;
  build_ = build;
  heartbeats_.set_job(key_, job_.ranks, unsigned(job_.rank));
  unsigned elsewhere = 0;
  if (status s = read_cards(cards, elsewhere, message); s != status::ok) return s;
  if (status s = check_open_files(elsewhere, message); s != status::ok) return s;
  if (!start_thread(message)) return status::environment;
  eventfd_write(orders_fd_, 1);
  return wait_for_connections(elsewhere, dead_rank, message);
}

// Time in which this process did not run does not count.
status mesh_service::wait_for_connections(unsigned elsewhere, const std::function<int()>& dead_rank,
                                          std::string& message) {
  constexpr std::uint64_t kShortest = 10 * kMs, kLongest = 200 * kMs;
  const auto all_here = [&] { return connected_ >= elsewhere; };
  std::unique_lock lock(mutex_);
  std::uint64_t wait_ns = kShortest;
  standstill start(kNoProgressNs, steps_);
  while (!changed_.wait_for(lock, std::chrono::nanoseconds(wait_ns), all_here)) {
    const bool stands_still = start.is_over(steps_, wait_ns);
    wait_ns = std::min(2 * wait_ns, kLongest);
    int dead = dead_rank();
    if (dead < 0 &&
        job_.shared->failures.load(std::memory_order_acquire) != 0)  // pairs: job.failure
      dead = job_.shared->first_failed.load(std::memory_order_relaxed);
    if (dead >= 0) {
      message = "rank " + std::to_string(dead) + " failed before the job had started";
      return status::peer_failed;
    }
    if (not_listening_ >= 0) {
      message = "rank " + std::to_string(not_listening_) +
                " ended before the job had started: " + trouble_;
      return status::peer_failed;
    }
    if (!stands_still) continue;
    message = missing_rank() +
              " was not reached, and nothing has moved for 30 s; is the interface "
              "right (RAMJET_INTERFACE), and does that rank run?";
    if (!trouble_.empty()) message += " The last failure: " + trouble_;
    return status::environment;
  }
  return status::ok;
}

// Under the mutex, while some rank is missing.
std::string mesh_service::missing_rank() const {
  unsigned missing = 0;
  while (job_.near(missing) || controls_[missing].fd >= 0) ++missing;
  return "rank " + std::to_string(missing) + " (" + to_text(addresses_[missing].connections) + ")";
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

std::vector<std::uint32_t> mesh_service::refuse_connections(std::uint32_t port,
                                                            std::string_view last_words) {
  std::vector<channel_connection> refused;
  {
    const std::lock_guard lock(mutex_);
    inbox& i = inboxes_[port % inboxes_.size()];
    i.last_words = last_words;
    refused.swap(i.waiting);
  }
  std::vector<std::uint32_t> peers;
  for (const channel_connection& c : refused) {
    send_last_words(c.fd, last_words);
    linger(c.fd);
    peers.push_back(c.peer);
  }
  return peers;
}

void mesh_service::announce_closed(std::uint32_t port) {
  const std::lock_guard lock(mutex_);
  to_announce_.push_back({news::closed, port, 0, 0});
  eventfd_write(orders_fd_, 1);
}

void mesh_service::linger(int fd) {
  ::shutdown(fd, SHUT_WR);
  const std::lock_guard lock(mutex_);
  to_linger_.push_back(fd);
  eventfd_write(orders_fd_, 1);
}

// What is not watched would be waited for in vain.
void mesh_service::watch(int fd, source what, std::uint32_t index, std::uint32_t events) noexcept {
  if (!loop_.watch(fd, what, index, events)) base::end_for_want_of_watch(errno);
}

// Registered silent: wake_on_ready arms it for one event.
void mesh_service::watch_set(std::uint32_t port, int epoll_fd) {
  watch(epoll_fd, source::set, port, EPOLLONESHOT);
}
void mesh_service::wake_on_ready(std::uint32_t port, int epoll_fd) noexcept {
  if (!loop_.rearm(epoll_fd, source::set, port, EPOLLIN | EPOLLONESHOT))
    base::end_for_want_of_watch(errno);
}
void mesh_service::forget_set(int epoll_fd) noexcept { loop_.forget(epoll_fd); }

void mesh_service::attend_port(std::uint32_t port, attend_function attend) {
  const std::lock_guard lock(mutex_);
  to_attend_ = {port, attend};
  eventfd_write(orders_fd_, 1);
}

void mesh_service::give_up(unsigned rank, const char* why) {
  loss l{rank, {loss_kind::protocol, 0}, {}};
  connection_watch::broken_connection b;
  const bool has_ends = channel_connections_.take_broken(rank, job_.layout.endpoints, b);
  if (std::string_view(why) == kBytesAltered) {
    say("bytes that rank %u sent to this rank %s", rank, why);
    l.cause = {loss_kind::altered, kUnknownError};
  } else if (std::string_view(why) != kConnectionBroke) {
    say("gives rank %u up: %s", rank, why);
  } else {
    l.cause = {loss_kind::broken, has_ends ? b.error : kUnknownError};
    l.ends = has_ends ? b.ends : "of the network channel";
  }
  const std::lock_guard lock(mutex_);
  lost_.push_back(l);
  eventfd_write(orders_fd_, 1);
}

// --- The loop ------------------------------------------------------------------------------------

void mesh_service::run() {
  ticked_ns_ = base::now_ns();
  thread_number_ = this_thread();
  rank_line& line = job_.line(unsigned(job_.rank));
  line.mesh_thread.store(thread_number_, std::memory_order_relaxed);
  // Before the first tick, too: a rank that is stopped before it falls silent, like others.
  line.ran_ns.store(ticked_ns_, std::memory_order_relaxed);
  while (!ending_.load(std::memory_order_relaxed)) {
    const std::uint64_t now = base::now_ns();
    if (now - ticked_ns_ >= tick_ns_) tick(now);
    if (attend_at_ns_ != 0 && now >= attend_at_ns_) call_attend(port_news::none);
    settle_unsendable();
    const std::uint64_t tick_at_ns = ticked_ns_ + tick_ns_;
    loop_.wait(attend_at_ns_ == 0 ? tick_at_ns : std::min(tick_at_ns, attend_at_ns_),
               [this](source what, std::uint32_t id) { dispatch(what, id); });
    settle_unsendable();
  }
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
      read_control(id);
      return flush_control(id);
    case source::set:
      return note_news(id);
    case source::heartbeats:
      return take_heartbeats();
  }
}

// Something has come for the port.
void mesh_service::note_news(std::uint32_t port) {
  const bool slept = node::port(port).asleep.load(std::memory_order_relaxed) != 0;
  wake_port(port);
  if (attended_.attend != nullptr && attended_.port == port)
    call_attend(slept ? port_news::woke_owner : port_news::came);
}

void mesh_service::call_attend(port_news what) {
  attend_at_ns_ = attended_.attend(what, base::now_ns());
}

void mesh_service::take_orders() {
  eventfd_t count;
  eventfd_read(orders_fd_, &count);
  std::vector<greeting> requests;
  std::vector<loss> lost;
  std::vector<control_message> announced;
  attended_port attended;
  {
    const std::lock_guard lock(mutex_);
    requests.swap(requests_);
    for (int fd : to_linger_) lingering_.push_back({fd, base::now_ns() + kLingerNs});
    to_linger_.clear();
    lost.swap(lost_);
    announced.swap(to_announce_);
    attended = to_attend_;
  }
  if (attended_.attend == nullptr && attended.attend != nullptr) {
    attended_ = attended;
    call_attend(port_news::none);
  }
  for (const control_message& m : announced) send_to_all(m);
  for (const greeting& about : requests) place_order(about);
  for (const loss& l : lost) handle_loss(l);
  judge_losses(base::now_ns());
}

void mesh_service::tick(std::uint64_t now) {
  const std::uint64_t elapsed_ns = std::min(now - ticked_ns_, 2 * tick_ns_);
  job_.line(unsigned(job_.rank)).ran_ns.store(now, std::memory_order_relaxed);
  forgive_lateness(now);
  if (!accepting_) accepting_ = loop_.watch(listener_, source::listener);
  refuse_slow(now);
  close_lingering(now);
  report_refusals(now);
  call_again();
  for (unsigned r = 0; r < controls_.size(); ++r) {
    read_again(r);
    flush_control(r);
  }
  judge_losses(now);
  check_verdicts(now);
  watch_silence(now, elapsed_ns);
  send_signs_of_life(now);
  check_connections(now);
  confirm_deaths(now);
  if (is_agent(now)) announce_deaths();
}

// More than a little late means that this thread did not run: callers are not slow for that.
void mesh_service::forgive_lateness(std::uint64_t now) {
  const std::uint64_t since = now - std::exchange(ticked_ns_, now);
  if (since <= 2 * tick_ns_) return;
  for (pending& g : greetings_) g.deadline_ns += since;
}

void mesh_service::close_lingering(std::uint64_t now) {
  std::erase_if(lingering_, [now](const lingering_connection& l) {
    const bool closed_there = discard(l.fd);
    if (!all_sent(l.fd) || (!closed_there && now < l.deadline_ns)) return false;
    ::close(l.fd);
    return true;
  });
}

void mesh_service::call_again() {
  for (const greeting& about : std::exchange(again_, {})) {
    const bool wanted = about.what == purpose::control
                            ? !is_dead(about.to)
                            : controls_[about.to / job_.layout.endpoints].fd >= 0;
    if (wanted) call(about);
  }
}

void mesh_service::say(const char* format, ...) {
  char text[320];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  base::report_at_once(std::string(base::process_label()) + ": " + text);
}

}  // namespace ramjet::mesh
