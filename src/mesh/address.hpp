// SPDX-License-Identifier: Apache-2.0
// Where on a network a rank listens: chosen here, written on its card, read from the others' cards.
#pragma once

#include <sys/socket.h>

#include <string>

#include "ramjet/status.hpp"

namespace ramjet::mesh {

struct net_address {
  sockaddr_storage where{};
  socklen_t bytes = 0;
};

// The address to listen on, port 0. `wanted` is an interface's name ("eth0") or one of its
// addresses ("10.0.0.2", "fe80::1%eth0"); empty: the loopback if the whole job is on this machine,
// else the first interface that is up and has an address, IPv4 before IPv6.
status choose_address(const std::string& wanted, bool this_machine_only, net_address& into,
                      std::string& message);

// The local end of a socket, and that with its peer's: "10.0.0.1 4711 to 10.0.0.2 4712".
std::string own_end(int fd);
std::string ends_of(int fd);

// "10.0.0.2 40123": an address and a port.
std::string to_text(const net_address& a);
// False if the text is not such an address.
bool from_text(const std::string& text, net_address& into);

}  // namespace ramjet::mesh
