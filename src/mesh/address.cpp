// SPDX-License-Identifier: Apache-2.0
#include "mesh/address.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <memory>

namespace ramjet::mesh {

namespace {

socklen_t bytes_of(const sockaddr* a) {
  return a->sa_family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
}

bool is_internet(const sockaddr* a) {
  return a != nullptr && (a->sa_family == AF_INET || a->sa_family == AF_INET6);
}

// An IPv6 address that is of one link only is of no use to a rank that does not know the link.
bool is_link_local(const sockaddr* a) {
  return a->sa_family == AF_INET6 &&
         IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<const sockaddr_in6*>(a)->sin6_addr);
}

// How well an address of the machine suits; 0: not at all.
int suitability_of(const ifaddrs& i, bool this_machine_only) {
  if (!is_internet(i.ifa_addr) || (i.ifa_flags & IFF_UP) == 0) return 0;
  const bool loopback = (i.ifa_flags & IFF_LOOPBACK) != 0;
  const int family = i.ifa_addr->sa_family == AF_INET ? 1 : 0;
  if (this_machine_only) return loopback ? 3 + family : 0;
  if (loopback) return 1 + family;  // better than nothing: then nobody is elsewhere
  return is_link_local(i.ifa_addr) ? 0 : 3 + family;
}

void set(net_address& into, const sockaddr* from) {
  into.bytes = bytes_of(from);
  std::memcpy(&into.where, from, into.bytes);
}

// Reads a numeric address and, if `port` is not null, a port.
bool read_numeric(const char* host, const char* port, net_address& into) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host, port, &hints, &found) != 0) return false;
  set(into, found->ai_addr);
  ::freeaddrinfo(found);
  return true;
}

}  // namespace

status choose_address(const std::string& wanted, bool this_machine_only, net_address& into,
                      std::string& message) {
  if (!wanted.empty() && read_numeric(wanted.c_str(), nullptr, into)) return status::ok;
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) {
    message = std::string("cannot list the network interfaces: ") + std::strerror(errno);
    return status::environment;
  }
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owner(all, ::freeifaddrs);
  int best = 0;
  std::string names;
  for (const ifaddrs* i = all; i != nullptr; i = i->ifa_next) {
    if (!is_internet(i->ifa_addr)) continue;
    if (names.find(std::string(" ") + i->ifa_name) == names.npos)
      names += std::string(" ") + i->ifa_name;
    const bool named = !wanted.empty() && wanted == i->ifa_name;
    const int suits = named ? 1 + int(i->ifa_addr->sa_family == AF_INET)
                            : (wanted.empty() ? suitability_of(*i, this_machine_only) : 0);
    if (suits <= best) continue;
    best = suits;
    set(into, i->ifa_addr);
  }
  if (best != 0) return status::ok;
  message = wanted.empty() ? "no network interface is up and has an address"
                           : "RAMJET_INTERFACE is \"" + wanted +
                                 "\", which is not an interface with an address and no address of "
                                 "one; there are:" +
                                 names;
  return status::environment;
}

std::string to_text(const net_address& a) {
  char host[NI_MAXHOST] = "", port[NI_MAXSERV] = "";
  ::getnameinfo(reinterpret_cast<const sockaddr*>(&a.where), a.bytes, host, sizeof host, port,
                sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
  return std::string(host) + " " + port;
}

std::string own_end(int fd) {
  net_address here;
  here.bytes = sizeof here.where;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&here.where), &here.bytes) != 0)
    return "an unknown address";
  return to_text(here);
}

std::string ends_of(int fd) {
  net_address there;
  there.bytes = sizeof there.where;
  if (::getpeername(fd, reinterpret_cast<sockaddr*>(&there.where), &there.bytes) != 0)
    return own_end(fd) + " to an unknown address";
  return own_end(fd) + " to " + to_text(there);
}

bool from_text(const std::string& text, net_address& into) {
  const std::size_t space = text.find(' ');
  if (space == text.npos) return false;
  const char* const digits = text.c_str() + space + 1;
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(digits, text.c_str() + text.size(), port);
  return error == std::errc{} && end == text.c_str() + text.size() && port != 0 &&
         read_numeric(text.substr(0, space).c_str(), digits, into);
}

}  // namespace ramjet::mesh
