// SPDX-License-Identifier: Apache-2.0
// How connections come to be: calls and callers, until both ends have proved the job's key.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "base/clock.hpp"
#include "base/exit_status.hpp"
#include "base/open_files.hpp"
#include "base/standard_output.hpp"
#include "job/join.hpp"
#include "mesh/service.hpp"
#include "mesh/waking.hpp"

namespace ramjet::mesh {

namespace {

constexpr unsigned kAcceptsMax = 64;  // in a row, so that open connections are served in between
// For a whole handshake, but for the time in which this thread is late. A limit for those who say
// nothing: a peer on a crowded machine needs seconds. How many may try at once is limited, too.
constexpr std::uint64_t kGreetingNs = 30'000 * kMs;
constexpr std::size_t kStrangersMax = 256;  // greetings of callers, beside one of each rank
constexpr std::uint64_t kRefusalPauseNs = 1'000 * kMs, kRefusalPauseMaxNs = 64'000 * kMs;
constexpr std::uint64_t kNoDescriptorNs = 5'000 * kMs;  // until this rank gives up
// Refused this often, a listener that existed is gone, and so is its process.
constexpr unsigned kRefusedCallsMax = 3;

void send_at_once(int fd) {
  const int yes = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

}  // namespace

void mesh_service::accept_all() {
  for (unsigned accepted = 0; accepted < kAcceptsMax; ++accepted) {
    net_address from;
    from.bytes = sizeof from.where;
    const int fd = ::accept4(listener_, reinterpret_cast<sockaddr*>(&from.where), &from.bytes,
                             SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) {
      if (errno == EINTR || errno == ECONNABORTED || make_room_among_files(errno)) continue;
      if (errno != EAGAIN) stop_accepting(errno);
      return;
    }
    no_descriptor_ns_ = 0;
    send_at_once(fd);
    make_room_for_caller();
    greetings_.push_back({next_id_++, fd, false, base::now_ns() + kGreetingNs, to_text(from),
                          handshake(fd, key_, build_)});
    watch(fd, source::greeting, greetings_.back().id);
    advance(std::prev(greetings_.end()));
  }
}

// Those who have said nothing go first; end(): there are no callers.
std::list<mesh_service::pending>::iterator mesh_service::least_of_callers() {
  const auto silent = [](const pending& g) { return !g.caller && g.talk.silent(); };
  const auto oldest = std::ranges::find_if(greetings_, silent);
  return oldest != greetings_.end() ? oldest
                                    : std::ranges::find(greetings_, false, &pending::caller);
}

void mesh_service::make_room_for_caller() {
  const auto callers = std::ranges::count(greetings_, false, &pending::caller);
  if (std::size_t(callers) < kStrangersMax + controls_.size()) return;
  const auto least = least_of_callers();
  refuse(*least, "too many connections at once that prove nothing");
  drop(least);
}

// Where descriptors are few, strangers take none for long.
bool mesh_service::make_room_among_files(int error) {
  if (error != EMFILE && error != ENFILE) return false;
  const auto least = least_of_callers();
  if (least == greetings_.end()) return false;
  const std::uint64_t began_ns = least->deadline_ns - kGreetingNs;
  if (!least->talk.silent() && base::now_ns() < began_ns + kNoDescriptorNs / 2) return false;
  refuse(*least, "no descriptors are left for connections that prove nothing");
  drop(least);
  return true;
}

// Callers wait until the next tick.
void mesh_service::stop_accepting(int error) {
  loop_.forget(listener_);
  accepting_ = false;
  note_no_descriptor(error);
}

// After a while without any descriptor this rank cannot go on.
void mesh_service::note_no_descriptor(int error) {
  const std::uint64_t now = base::now_ns();
  if (no_descriptor_ns_ == 0) no_descriptor_ns_ = now;
  if (now - no_descriptor_ns_ < kNoDescriptorNs) return;
  ::close(listener_);  // to count descriptors takes one
  say("cannot connect to other ranks: %s; %llu files are open, and the limit is %llu (ulimit -Hn)",
      std::strerror(error), static_cast<unsigned long long>(base::count_open_files() + 1),
      static_cast<unsigned long long>(base::raise_open_files()));
  base::end_process(base::kExitJobLost);
}

// Of two ports the higher one calls, whoever needs the connection: so there is one.
void mesh_service::place_order(const greeting& about) {
  if (about.what == purpose::control) return call(about);
  if (about.from > about.to) return call_once(about);
  send_news(about.to / job_.layout.endpoints,
            {news::call, about.to, std::int32_t(about.from), 0});
}

void mesh_service::call_once(const greeting& about) {
  if (called_.emplace(about.from, about.to).second) call(about);
}

void mesh_service::call(const greeting& about) {
  const unsigned each = about.what == purpose::control ? 1 : job_.layout.endpoints;
  const net_address& where = addresses_[about.to / each].connections;
  const int fd = ::socket(where.where.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0 || (::connect(fd, reinterpret_cast<const sockaddr*>(&where.where), where.bytes) != 0 &&
                 errno != EINPROGRESS)) {
    const int error = errno;
    if (fd >= 0) ::close(fd);
    if (error == EMFILE || error == ENFILE) note_no_descriptor(error);
    return failed_call(about, to_text(where),
                       error == ECONNREFUSED ? kNobodyListens : std::strerror(error));
  }
  no_descriptor_ns_ = 0;
  send_at_once(fd);
  greetings_.push_back({next_id_++, fd, true, base::now_ns() + kGreetingNs, to_text(where),
                        handshake(fd, key_, build_, about)});
  watch(fd, source::greeting, greetings_.back().id, EPOLLIN | EPOLLOUT);
}

void mesh_service::advance(std::list<pending>::iterator g) {
  switch (g->talk.advance()) {
    case handshake::state::under_way:
      watch(g->fd, source::greeting, g->id, g->talk.wants_room() ? EPOLLOUT : EPOLLIN);
      return;
    case handshake::state::proved:
      return admit(g);
    case handshake::state::refused:
      refuse(*g, g->talk.why());
      return drop(g);
  }
}

bool mesh_service::is_valid(const greeting& about, bool caller) const {
  const std::uint32_t mine = caller ? about.from : about.to;
  const std::uint32_t theirs = caller ? about.to : about.from;
  const unsigned each = about.what == purpose::control ? 1 : job_.layout.endpoints;
  return mine / each == unsigned(job_.rank) && theirs / each < job_.ranks &&
         !job_.near(theirs / each);
}

// The other end has proved the key: the connection goes to where it belongs.
void mesh_service::admit(std::list<pending>::iterator g) {
  const greeting about = g->talk.about();
  if (!is_valid(about, g->caller)) {
    refuse(*g, "it asks for a connection that cannot be");
    return drop(g);
  }
  {
    const std::lock_guard lock(mutex_);
    ++steps_;
  }
  const int fd = g->fd;
  const std::string peer = g->peer;
  const std::uint32_t mine = g->caller ? about.from : about.to;
  const std::uint32_t theirs = g->caller ? about.to : about.from;
  if (about.what == purpose::control && !g->caller && controls_[theirs].was_connected)
    return answer_lost_rank(g, theirs);
  loop_.forget(fd);
  greetings_.erase(g);
  if (about.what == purpose::control) return adopt_control(theirs, fd, peer);
  deliver(mine, {fd, theirs});
}

void mesh_service::deliver(std::uint32_t port, const channel_connection& c) {
  std::string last_words;
  {
    const std::lock_guard lock(mutex_);
    inbox& i = inboxes_[port % inboxes_.size()];
    last_words = i.last_words;
    if (last_words.empty()) {
      i.waiting.push_back(c);
      i.arrived.fetch_add(1, std::memory_order_relaxed);  // ordered by the mutex
    }
  }
  if (last_words.empty()) return note_news(port);
  send_last_words(c.fd, last_words);
  linger(c.fd);
}

// It is made again: to a channel's peer while that lives, which is what its control connection
// says; for a control connection as long as the start may take.
void mesh_service::failed_call(const greeting& about, const std::string& peer, const char* why) {
  if (about.what == purpose::control && controls_[about.to].verdict_until_ns != 0) {
    if (why == kNobodyListens) return note_death(about.to, controls_[about.to].loss);
    return again_.push_back(about);
  }
  again_.push_back(about);
  if (about.what == purpose::channel) return;
  unsigned& refused = refused_calls_[about.to];
  refused = why == kNobodyListens ? refused + 1 : 0;
  const std::lock_guard lock(mutex_);
  trouble_ = "no connection to rank " + std::to_string(about.to) + " (" + peer + "): " + why;
  if (refused >= kRefusedCallsMax) not_listening_ = int(about.to);
}

// A caller that only went away before it had proved anything was not refused.
void mesh_service::refuse(const pending& g, const char* why) {
  if (g.caller) return failed_call(g.talk.about(), g.peer, why);
  if (why == kConnectionLost) return;
  const std::uint64_t now = base::now_ns();
  if (refusals_unsaid_ != 0 || now - refusal_said_ns_ < refusal_pause_ns_) {
    ++refusals_unsaid_;
    return;
  }
  refusal_said_ns_ = now;
  refusal_pause_ns_ = kRefusalPauseNs;
  say("refused a connection from %s: %s", g.peer.c_str(), why);
}

// Further ones are counted, in one line after a pause, which doubles while they go on.
void mesh_service::report_refusals(std::uint64_t now) {
  if (refusals_unsaid_ == 0 || now - refusal_said_ns_ < refusal_pause_ns_) return;
  say("refused %llu more connections", static_cast<unsigned long long>(refusals_unsaid_));
  refusals_unsaid_ = 0;
  refusal_said_ns_ = now;
  refusal_pause_ns_ = std::min(2 * refusal_pause_ns_, kRefusalPauseMaxNs);
}

void mesh_service::refuse_slow(std::uint64_t now) {
  for (auto g = greetings_.begin(); g != greetings_.end();) {
    const auto slow = g++;
    if (now < slow->deadline_ns) continue;
    refuse(*slow, "it did not prove that it belongs to the job in time");
    drop(slow);
  }
}

void mesh_service::drop(std::list<pending>::iterator g) {
  loop_.forget(g->fd);
  ::close(g->fd);
  greetings_.erase(g);
}

}  // namespace ramjet::mesh
