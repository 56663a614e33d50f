// SPDX-License-Identifier: Apache-2.0
// The networks of this rank: opened while the job starts, chosen for each peer by the cards.
//
// Threads: the one that joins the job opens and closes; every port's thread reads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "channel/net/network.hpp"
#include "ramjet/status.hpp"

namespace ramjet::channel {

// Opens the networks that RAMJET_NETWORK lists, as far as they are available; an error if none is.
// `card` is what others need to reach this rank.
status open_networks(std::string& card, std::string& message);
// Reads the cards of all ranks and chooses; an error if a rank elsewhere has no network in common
// with this one. Once in a job on several nodes, before the first port opens.
status choose_networks(const std::vector<std::string>& cards, std::string& message);
// After the last port of this rank.
void close_networks();

// By what each rank elsewhere is reached: an index below networks_in_use().
unsigned network_to(unsigned rank) noexcept;
unsigned networks_in_use() noexcept;
std::unique_ptr<network> make_network(unsigned index, unsigned port);
// Whether nothing arrives at a port by this network while the port is not polled.
bool network_needs_polls(unsigned index) noexcept;
// A port of this rank that nobody will open: peers that send to it are told that it is closed.
// Returns the ports that have sent to it, or have begun to.
std::vector<std::uint32_t> refuse_streams(unsigned port);
// The address of a port elsewhere in the network of that name; empty if it gave none.
std::string address_of(const std::string& name, unsigned port);

}  // namespace ramjet::channel
