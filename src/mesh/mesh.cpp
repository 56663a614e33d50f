// SPDX-License-Identifier: Apache-2.0
#include "mesh/mesh.hpp"

#include <sodium.h>

#include <utility>

#include "job/join.hpp"
#include "mesh/address.hpp"
#include "mesh/service.hpp"

namespace ramjet::mesh {

namespace {

// Lives until close_mesh or abandon_mesh. A process that ends without them says no good-bye.
mesh_service* service = nullptr;

}  // namespace

status open_mesh(std::string& card, std::string& message) {
  if (::sodium_init() < 0) {
    message = "libsodium cannot be used here: no source of random numbers";
    return status::environment;
  }
  const membership& m = self();
  net_address where;
  if (status s = choose_address(m.settings.network_interface, m.launched, where, message);
      s != status::ok)
    return s;
  service = new mesh_service(m);
  return service->listen(where, card, message);
}

status connect_mesh(const std::vector<std::string>& cards, const job_key& key, std::uint64_t build,
                    const std::function<int()>& dead_rank, std::string& message) {
  return service->connect(cards, key, build, dead_rank, message);
}

std::array<std::uint8_t, 32> prove(const void* bytes, std::size_t count) noexcept {
  return service->prove(bytes, count);
}

void close_mesh() {
  service->stop();
  service->say_good_bye();
  delete std::exchange(service, nullptr);
}
void abandon_mesh() { delete std::exchange(service, nullptr); }

void request_connection(std::uint32_t from, std::uint32_t to) { service->request(from, to); }
std::uint32_t connections_for(std::uint32_t port) noexcept { return service->arrived(port); }
bool take_connection(std::uint32_t port, channel_connection& into) {
  return service->take(port, into);
}
std::vector<std::uint32_t> refuse_connections(std::uint32_t port, std::string_view last_words) {
  return service->refuse_connections(port, last_words);
}
void announce_closed(std::uint32_t port) { service->announce_closed(port); }
bool is_announced_closed(std::uint32_t port) noexcept { return service->is_announced_closed(port); }
void linger(int fd) { service->linger(fd); }
void watch_set(std::uint32_t port, int epoll_fd) { service->watch_set(port, epoll_fd); }
void wake_on_ready(std::uint32_t port, int epoll_fd) noexcept {
  service->wake_on_ready(port, epoll_fd);
}
void forget_set(int epoll_fd) noexcept { service->forget_set(epoll_fd); }
void attend_port(std::uint32_t port, attend_function attend) { service->attend_port(port, attend); }
void watch_connection(int fd, std::uint32_t from, std::uint32_t to,
                      const std::atomic<std::uint32_t>* sends) {
  service->channel_connections().add(fd, from, to, sends);
}
void forget_connection(int fd) { service->channel_connections().remove(fd); }
void watch_endpoints(const endpoint_pair& pair) {
  service->channel_connections().add_endpoints(pair);
}
void forget_endpoints(std::uint32_t from) { service->channel_connections().remove_endpoints(from); }
void note_broken(int fd, int error) { service->note_broken(fd, error); }
void give_up(unsigned rank, const char* why) { service->give_up(rank, why); }

}  // namespace ramjet::mesh
