// SPDX-License-Identifier: Apache-2.0
// The thread behind mesh.hpp: one loop over everything that can become ready.
//
//   listener --accept--> greeting --proved--> control connection, or a port's inbox
//                            \--refused, too slow--> closed, and told in a line
//   request() --connect--> greeting --proved--> the port's inbox
//   control:  alive (every so often), left (before closing), died {rank} (as noticed here)
//
// Threads: the loop owns greetings, controls and lingering connections. The inboxes and the orders
// to the loop are shared, under the mutex. Descriptors stay open until the loop closes them.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "mesh/address.hpp"
#include "mesh/connection_watch.hpp"
#include "mesh/handshake.hpp"
#include "mesh/mesh.hpp"

namespace ramjet::mesh {

// Whether the peer's system has all that was sent by the connection.
bool all_sent(int fd);

class mesh_service {
 public:
  mesh_service();
  ~mesh_service();
  mesh_service(const mesh_service&) = delete;
  mesh_service& operator=(const mesh_service&) = delete;

  status listen(net_address& where, std::string& message);
  status connect(const std::vector<std::string>& cards, const job_key& key, std::uint64_t build,
                 std::string& message);
  std::array<std::uint8_t, 32> prove(const void* bytes, std::size_t count) const noexcept;
  void request(std::uint32_t from, std::uint32_t to);
  std::uint32_t arrived(std::uint32_t port) const noexcept;
  bool take(std::uint32_t port, channel_connection& into);
  void linger(int fd);
  void watch_set(std::uint32_t port, int epoll_fd);
  void wake_on_ready(std::uint32_t port, int epoll_fd) noexcept;
  void forget_set(int epoll_fd) noexcept;
  connection_watch& channel_connections() noexcept { return channel_connections_; }
  void give_up(unsigned rank, const char* why);
  // Ends the thread; what follows is the caller's.
  void stop();
  void say_good_bye();

 private:
  enum class source : std::uint32_t { listener, orders, greeting, control, set };
  enum class news : std::uint32_t { alive = 1, left = 2, died = 3, call = 4 };

  // What passes over control connections.
  struct control_message {
    news what;
    std::uint32_t rank;  // of call: the port that is to call, and in `signal` the one to be called
    std::int32_t signal;
    std::int32_t exit_status;
  };
  // A connection whose ends do not know each other yet.
  struct pending {
    std::uint32_t id;
    int fd;
    bool caller;
    std::uint64_t deadline_ns;
    std::string who;  // the other end, as text
    handshake talk;
  };
  struct control {
    int fd = -1;
    bool left = false;
    std::uint64_t heard_ns = 0;
    answer_clock answers;
    control_message in{};
    std::size_t in_bytes = 0;
  };
  struct inbox {
    std::atomic<std::uint32_t> arrived{0};
    std::vector<channel_connection> waiting;
  };
  struct stray {
    int fd;
    std::uint64_t deadline_ns;
  };
  // A rank of this machine that another machine's rank holds for dead.
  struct doubt {
    unsigned rank;
    std::uint64_t until_ns;
  };
  // A rank that an endpoint can reach no more.
  struct loss {
    unsigned rank;
    const char* why;
  };

  bool start_thread(std::string& message);
  void run();
  void dispatch(source what, std::uint32_t id);
  void watch(int fd, source what, std::uint32_t id, std::uint32_t events);
  void tick(std::uint64_t now);
  void take_orders();

  // greetings
  void accept_all();
  void order(const greeting& about);
  void call_once(const greeting& about);
  void call(const greeting& about);
  void advance(std::list<pending>::iterator g);
  void settle(std::list<pending>::iterator g);
  void failed_call(const greeting& about, const std::string& who, const char* why);
  void refuse(const pending& g, const char* why);
  void drop(std::list<pending>::iterator g);
  bool makes_sense(const greeting& about, bool caller) const;

  // control
  void adopt_control(unsigned rank, int fd);
  void read_control(unsigned rank);
  void take_news(unsigned from, const control_message& m);
  void send_news(unsigned to, const control_message& m);
  void tell_all(const control_message& m);
  void lose_control(unsigned rank, const char* why);
  void take_loss(const loss& l);
  void end_doubts(std::uint64_t now);
  void check_connections(std::uint64_t now, std::uint64_t elapsed_ns);
  void look_at_the_living(std::uint64_t now);
  void tell_of_deaths();
  void mourn(unsigned rank, const char* why);
  bool declare_dead(unsigned rank, int signal, int exit_status);
  void say(const char* format, ...) __attribute__((format(printf, 2, 3)));

  int listener_ = -1, epoll_ = -1, orders_fd_ = -1;
  job_key key_{};
  std::uint64_t build_ = 0;
  std::vector<net_address> addresses_;  // [ranks]; of ranks elsewhere
  std::uint64_t timeout_ns_ = 0;  // 0: nobody is given up for being silent
  std::uint64_t tick_ns_ = 0;
  std::thread thread_;

  // The loop's own.
  std::list<pending> greetings_;
  std::vector<control> controls_;  // [ranks]
  std::vector<stray> lingering_;
  std::vector<doubt> doubts_;
  std::uint32_t next_id_ = 0;
  std::uint64_t ticked_ns_ = 0, spoken_ns_ = 0, refusal_told_ns_ = 0;
  std::uint64_t refusals_untold_ = 0;
  std::uint32_t failures_seen_ = 0;
  bool no_descriptor_ = false;  // the listener is not watched until the next tick
  std::vector<bool> death_told_;  // [ranks]
  std::set<std::pair<std::uint32_t, std::uint32_t>> called_;  // ports here, ports there
  std::vector<greeting> again_;  // calls that failed, to be made once more

  connection_watch channel_connections_;  // its own mutex

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  unsigned connected_ = 0;  // ranks elsewhere with a control connection
  std::string trouble_;  // why connect() cannot succeed
  std::vector<inbox> inboxes_;  // [endpoints]
  std::vector<greeting> requests_;
  std::vector<loss> lost_;
  std::vector<int> to_linger_;
  std::atomic<bool> ending_{false};
};

}  // namespace ramjet::mesh
