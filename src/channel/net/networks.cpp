// SPDX-License-Identifier: Apache-2.0
#include "channel/net/networks.hpp"

#include <algorithm>
#include <utility>

#include "base/no_destroy.hpp"
#include "channel/net/choice.hpp"
#include "channel/net/ofi_fabric.hpp"
#include "channel/net/ofi_network.hpp"
#include "channel/net/tcp_network.hpp"
#include "channel/net/unopened_ports.hpp"
#include "job/join.hpp"
#include "mesh/mesh.hpp"

namespace ramjet::channel {

namespace {

struct choices {
  std::vector<std::vector<network_offer>> cards;  // by rank
  std::vector<std::string> in_use;
  std::vector<std::uint8_t> to;  // [ranks]; index in in_use
};
constinit base::no_destroy<choices> all_choices;
constexpr choices& chosen = all_choices.value;

std::string names_of(const std::vector<network_offer>& card) {
  std::string text;
  for (const network_offer& o : card) text += (text.empty() ? "" : ", ") + o.name;
  return text;
}

}  // namespace

status open_networks(std::string& card, std::string& message) {
  std::vector<network_offer> offers;
  std::string trouble;
  for (const std::string& name : job::self().settings.networks) {
    network_offer o{name, "", {}};
    if (name == "ofi" && open_ofi(o, message) != status::ok) {
      trouble = std::exchange(message, {});
      continue;
    }
    offers.push_back(std::move(o));
  }
  if (offers.empty()) {
    message = trouble;
    return status::environment;
  }
  card = to_text(offers);
  return status::ok;
}

status choose_networks(const std::vector<std::string>& cards, std::string& message) {
  const job::membership& m = job::self();
  const unsigned me = unsigned(m.rank);
  chosen = {};
  chosen.cards.resize(m.ranks);
  chosen.to.resize(m.ranks);
  for (unsigned r = 0; r < m.ranks; ++r) {
    if (m.near(r) && r != me) continue;
    if (from_text(cards[r], chosen.cards[r])) continue;
    message = "rank " + std::to_string(r) + " does not say which networks it has";
    return status::mismatch;
  }
  for (unsigned r = 0; r < m.ranks; ++r) {
    if (m.near(r)) continue;
    const auto& mine = chosen.cards[me];
    const auto& theirs = chosen.cards[r];
    const auto& lower = r < me ? theirs : mine;
    const int index = choose_network(lower, r < me ? mine : theirs);
    if (index < 0) {
      message = "rank " + std::to_string(r) + " (" + names_of(theirs) + ") and rank " +
                std::to_string(me) + " (" + names_of(mine) +
                ") have no network in common; is RAMJET_NETWORK right on both machines?";
      return status::mismatch;
    }
    const std::string& name = lower[unsigned(index)].name;
    auto found = std::find(chosen.in_use.begin(), chosen.in_use.end(), name);
    if (found == chosen.in_use.end()) found = chosen.in_use.insert(found, name);
    chosen.to[r] = std::uint8_t(found - chosen.in_use.begin());
  }
  return status::ok;
}

void close_networks() {
  close_unopened_ports();
  close_ofi();
  chosen = {};
}

unsigned network_to(unsigned rank) noexcept { return chosen.to[rank]; }
unsigned networks_in_use() noexcept { return unsigned(chosen.in_use.size()); }

std::unique_ptr<network> make_network(unsigned index, unsigned port) {
  if (chosen.in_use[index] == "ofi") return std::make_unique<ofi_network>(port);
  return std::make_unique<tcp_network>(port);
}

bool network_needs_polls(unsigned index) noexcept { return chosen.in_use[index] == "ofi"; }

std::vector<std::uint32_t> refuse_streams(unsigned port) {
  std::vector<std::uint32_t> senders = senders_to_unopened(port);
  if (std::ranges::find(chosen.in_use, "ofi") != chosen.in_use.end()) mesh::announce_closed(port);
  const std::vector<std::uint32_t> by_tcp = tcp_network::refuse_streams(port);
  senders.insert(senders.end(), by_tcp.begin(), by_tcp.end());
  return senders;
}

std::string address_of(const std::string& name, unsigned port) {
  const unsigned endpoints = job::self().layout.endpoints;
  for (const network_offer& o : chosen.cards[port / endpoints])
    if (o.name == name && port % endpoints < o.addresses.size())
      return o.addresses[port % endpoints];
  return {};
}

}  // namespace ramjet::channel
