// SPDX-License-Identifier: Apache-2.0
// The thread behind mesh.hpp: one loop over everything that can become ready.
//
//   listener --accept--> greeting --proved--> control connection, or a port's inbox
//                            \--refused, too slow--> closed, with a line
//   request() --connect--> greeting --proved--> the port's inbox
//   control:  left (before closing), died {rank} (as noticed here), alive (where datagrams fail)
//   heartbeats: a datagram from node to node, by the lowest rank of each that runs
//
// Threads: the loop owns greetings, controls and lingering connections. The inboxes and the orders
// to the loop are shared, under the mutex. Descriptors stay open until the loop closes them.
//
// Files: service.cpp has the loop and what others order; greetings.cpp how connections come to be;
// control.cpp the control connections; living.cpp signs of life; verdict.cpp deaths and leaving.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/event_loop.hpp"
#include "job/join.hpp"
#include "mesh/address.hpp"
#include "mesh/connection_watch.hpp"
#include "mesh/control_queue.hpp"
#include "mesh/handshake.hpp"
#include "mesh/heartbeat.hpp"
#include "mesh/loss.hpp"
#include "mesh/mesh.hpp"
#include "mesh/silence.hpp"
#include "mesh/thread_look.hpp"

namespace ramjet::mesh {

constexpr std::uint64_t kMs = 1'000'000;  // in ns
// The launcher on this machine knows more of the ranks here than others do: it goes first.
constexpr std::uint64_t kConfirmNs = 300 * kMs;
constexpr std::uint64_t kLingerNs = 2'000 * kMs;

// Whether the peer's system has all that was sent by the connection, or never will: the connection
// is gone.
bool all_sent(int fd);
// On a connection for a port that takes none any more.
void send_last_words(int fd, std::string_view bytes);

class mesh_service {
 public:
  // The membership outlives it. `machine` is as this_machine() says.
  explicit mesh_service(const membership& job, std::uint64_t machine = this_machine());
  ~mesh_service();
  mesh_service(const mesh_service&) = delete;
  mesh_service& operator=(const mesh_service&) = delete;

  // Opens the listener at this address, and leaves in `card` what others need to reach it.
  status listen(net_address where, std::string& card, std::string& message);
  status connect(const std::vector<std::string>& cards, const job_key& key, std::uint64_t build,
                 const std::function<int()>& dead_rank, std::string& message);
  std::array<std::uint8_t, 32> prove(const void* bytes, std::size_t count) const noexcept;
  void request(std::uint32_t from, std::uint32_t to);
  std::uint32_t arrived(std::uint32_t port) const noexcept;
  bool take(std::uint32_t port, channel_connection& into);
  std::vector<std::uint32_t> refuse_connections(std::uint32_t port, std::string_view last_words);
  void announce_closed(std::uint32_t port);
  bool is_announced_closed(std::uint32_t port) const noexcept {
    return closed_ports_[port].load(std::memory_order_relaxed);
  }
  void linger(int fd);
  void watch_set(std::uint32_t port, int epoll_fd);
  void wake_on_ready(std::uint32_t port, int epoll_fd) noexcept;
  void forget_set(int epoll_fd) noexcept;
  void attend_port(std::uint32_t port, attend_function attend);
  connection_watch& channel_connections() noexcept { return channel_connections_; }
  void give_up(unsigned rank, const char* why);
  void note_broken(int fd, int error) { channel_connections_.note_broken(fd, error); }
  // Ends the thread; what follows is the caller's.
  void stop();
  void say_good_bye();

 private:
  enum class source : std::uint32_t { listener, orders, greeting, control, set, heartbeats };
  enum class news : std::uint32_t {
    alive = 1,
    left = 2,
    died = 3,
    call = 4,
    broke = 5,
    closed = 6,
  };

  // What passes over control connections.
  struct control_message {
    news what;
    // Of call: the port that is to call, and in `signal` the one to be called; of closed: the
    // port.
    std::uint32_t rank;
    std::int32_t signal;
    std::int32_t exit_status;
    loss_cause cause{};  // of died and broke
    std::uint32_t checksum = 0;  // of all before it; as it is sent
  };
  // A connection whose ends do not know each other yet.
  struct pending {
    std::uint32_t id;
    int fd;
    bool caller;
    std::uint64_t deadline_ns;
    std::string peer;  // the address of the other end, as text
    handshake talk;
  };
  struct control {
    int fd = -1;
    bool was_connected = false;
    bool left = false;
    bool watches_room = false;  // the loop waits until it is writable
    bool reads_at_tick = false;  // the system had no memory for it; the loop does not watch it
    std::uint64_t verdict_until_ns = 0;  // not 0: it is lost, and the lower rank is asked
    loss_cause loss;  // how the connection was lost
    std::string ends;  // "ADDRESS PORT to ADDRESS PORT"
    control_queue out;
    std::uint64_t asked_ns = 0;  // when `answers` was last advanced
    answer_clock answers;
    control_message in{};
    std::size_t in_bytes = 0;
  };
  struct inbox {
    std::atomic<std::uint32_t> arrived{0};  // written under the mutex; a count to be polled
    std::vector<channel_connection> waiting;
    std::string last_words;  // for each that comes; empty: it waits
  };
  // A connection that its owner has closed, until the peer has all that was sent.
  struct lingering_connection {
    int fd;
    std::uint64_t deadline_ns;
  };
  // A rank of this machine that a rank of another one has declared dead.
  struct reported_death {
    unsigned rank;
    std::uint64_t confirm_at_ns;
    loss_cause cause;
  };
  // A rank that an endpoint cannot reach any more.
  struct loss {
    unsigned rank;
    loss_cause cause;
    std::string ends;  // of the connection, as in control
    std::uint64_t since_ns = 0;
  };
  // A control connection on which a send has failed.
  struct unsendable {
    unsigned rank;
    int error;
  };
  // For which port a layer above is called.
  struct attended_port {
    std::uint32_t port = 0;
    attend_function attend = nullptr;  // null: for none
  };
  // Where another rank is reached.
  struct peer_address {
    net_address connections, heartbeats;
  };
  // Another node, as this rank knows it.
  struct node_view {
    std::uint64_t datagram_ns = 0;  // when the last datagram came; 0: never
    bool hears_us = false;  // as it said
    unsigned probed = 0;  // the rank that the last message by TCP went to
    unsigned turn = 0;  // counts probes
    silence_clock silence;
    starvation_watch starvation;  // of its agent
  };
  // Another rank of this node.
  struct near_view {
    unsigned rank;
    silence_clock silence;
    starvation_watch starvation;
  };
  // A rank that this one has given up, to be notified by heartbeats for a while.
  struct notice {
    unsigned rank;
    std::uint64_t until_ns;
  };

  bool start_thread(std::string& message);
  void run();
  void watch(int fd, source what, std::uint32_t index, std::uint32_t events = EPOLLIN) noexcept;
  void dispatch(source what, std::uint32_t id);
  void tick(std::uint64_t now);
  void forgive_lateness(std::uint64_t now);
  void take_orders();
  void close_lingering(std::uint64_t now);
  void note_news(std::uint32_t port);
  void call_attend(port_news what);
  void call_again();
  status read_cards(const std::vector<std::string>& cards, unsigned& elsewhere,
                    std::string& message);
  status check_open_files(unsigned elsewhere, std::string& message) const;
  status wait_for_connections(unsigned elsewhere, const std::function<int()>& dead_rank,
                              std::string& message);
  std::string missing_rank() const;

  // greetings.cpp
  void accept_all();
  std::list<pending>::iterator least_of_callers();
  void make_room_for_caller();
  bool make_room_among_files(int error);
  void stop_accepting(int error);
  void note_no_descriptor(int error);
  void place_order(const greeting& about);
  void call_once(const greeting& about);
  void call(const greeting& about);
  void advance(std::list<pending>::iterator g);
  void admit(std::list<pending>::iterator g);
  void deliver(std::uint32_t port, const channel_connection& c);
  void failed_call(const greeting& about, const std::string& peer, const char* why);
  void refuse(const pending& g, const char* why);
  void refuse_slow(std::uint64_t now);
  void report_refusals(std::uint64_t now);
  void drop(std::list<pending>::iterator g);
  bool is_valid(const greeting& about, bool caller) const;

  // control.cpp
  void adopt_control(unsigned rank, int fd, const std::string& peer);
  void read_control(unsigned rank);
  void read_again(unsigned rank);
  void take_news(unsigned from, const control_message& m);
  static std::uint32_t checksum_of(const control_message& m);
  void send_news(unsigned to, const control_message& m);
  void send_to_all(const control_message& m);
  void flush_control(unsigned rank);
  void settle_unsendable();
  void lose_control(unsigned rank, const loss_cause& cause);
  void check_verdicts(std::uint64_t now);
  void answer_lost_rank(std::list<pending>::iterator g, unsigned rank);

  // living.cpp
  bool is_joined(unsigned rank) const;
  rank_line& line_of_node(unsigned node) const;
  std::vector<unsigned> joined_ranks(unsigned node) const;
  bool is_agent(std::uint64_t now) const;
  void send_signs_of_life(std::uint64_t now);
  void send_sign_of_life(unsigned node, std::uint64_t now);
  void send_notices(std::uint64_t now);
  void take_heartbeats();
  void take_sign_of_life(const heartbeat& beat, std::uint64_t now);
  void note_heard(unsigned rank, std::uint64_t now);
  bool was_heard(unsigned node, std::uint64_t now) const;
  void watch_silence(std::uint64_t now, std::uint64_t elapsed_ns);
  void look(silence_clock& silence, starvation_watch& watch, std::uint32_t thread,
            std::uint64_t limit_ns);
  void judge_neighbour(near_view& v);
  void judge_node(unsigned node, std::uint64_t now);
  bool answers(unsigned rank) const;
  bool is_way_sound(unsigned rank, std::uint64_t now, std::uint64_t elapsed_ns);
  void check_connections(std::uint64_t now);

  // verdict.cpp
  bool is_dead(unsigned rank) const;
  void handle_loss(const loss& l);
  void judge_losses(std::uint64_t now);
  void take_complaint(unsigned from, const loss_cause& cause);
  void give_up_rank(unsigned rank, const loss_cause& cause);
  void confirm_deaths(std::uint64_t now);
  void announce_deaths();
  void report_nodes(unsigned rank, const control_message& m);
  void note_death(unsigned rank, const loss_cause& cause);
  void note_cause(unsigned rank, const loss_cause& cause);
  loss_cause cause_of(unsigned rank) const;
  void end_if_given_up();
  bool declare_dead(unsigned rank, int signal, int exit_status);
  bool listens(unsigned rank, std::uint64_t deadline_ns) const;
  void settle_verdicts(std::uint64_t deadline_ns);
  void flush_until(std::uint64_t deadline_ns);
  [[noreturn]] void end_given_up(int by, const loss_cause& cause);
  void say(const char* format, ...) __attribute__((format(printf, 2, 3)));

  const membership& job_;
  const std::uint64_t machine_;
  std::vector<std::vector<unsigned>> ranks_of_;  // [nodes]
  int listener_ = -1, orders_fd_ = -1;
  base::event_loop<source> loop_;
  heartbeat_socket heartbeats_;
  job_key key_{};
  std::uint64_t build_ = 0;
  std::vector<peer_address> addresses_;  // [ranks]; of ranks elsewhere
  std::uint64_t timeout_ns_ = 0;  // 0: nobody is given up for being silent
  std::uint64_t tick_ns_ = 0;
  std::uint64_t period_ns_ = 0;  // of signs of life
  std::thread thread_;

  // The loop's own.
  std::list<pending> greetings_;
  std::vector<control> controls_;  // [ranks]
  std::vector<lingering_connection> lingering_;
  std::vector<reported_death> reported_deaths_;
  std::vector<loss> losses_;  // to be judged
  std::vector<unsendable> unsendable_;
  std::vector<node_view> node_views_;  // [nodes]
  std::vector<near_view> near_views_;
  std::vector<notice> notices_;
  std::uint32_t next_id_ = 0;
  std::uint64_t ticked_ns_ = 0, spoken_ns_ = 0, checked_ns_ = 0;
  std::uint32_t thread_number_ = 0;  // of the loop
  std::uint64_t refusal_said_ns_ = 0, refusal_pause_ns_ = 0;  // of the last line, until the next
  std::uint64_t refusals_unsaid_ = 0;
  std::uint32_t failures_seen_ = 0;
  std::uint64_t no_descriptor_ns_ = 0;  // since when there are none for connections; 0: there are
  attended_port attended_;
  std::uint64_t attend_at_ns_ = 0;  // 0: not before there are news
  bool accepting_ = true;  // false: the listener is not watched until the next tick
  std::vector<unsigned> refused_calls_;  // [ranks]: how many in a row found nobody listening
  std::vector<bool> death_announced_;  // [ranks]
  std::set<std::pair<std::uint32_t, std::uint32_t>> called_;  // ports here, ports there
  std::vector<greeting> again_;  // calls that failed, to be made once more

  connection_watch channel_connections_;  // its own mutex

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  unsigned connected_ = 0;  // ranks elsewhere with a control connection
  std::uint64_t steps_ = 0;  // counts proved connections: progress while the job starts
  int not_listening_ = -1;  // a rank that had a listener and has none any more
  std::string trouble_;  // the last failed call for a control connection
  std::vector<inbox> inboxes_;  // [endpoints]
  std::vector<greeting> requests_;
  std::vector<loss> lost_;
  std::vector<int> to_linger_;
  attended_port to_attend_;
  std::vector<control_message> to_announce_;  // of ports
  // The loop writes, ports' threads read; no order.
  std::vector<std::atomic<bool>> closed_ports_;
  std::atomic<bool> ending_{false};  // written by stop(), read by the loop; it orders nothing
};

}  // namespace ramjet::mesh
