// SPDX-License-Identifier: Apache-2.0
#include "channel/net/choice.hpp"

#include <string_view>

#include "base/settings.hpp"

namespace ramjet::channel {

namespace {

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(at);
    parts.emplace_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string to_text(const std::vector<network_offer>& card) {
  std::string text;
  for (const network_offer& o : card) {
    if (!text.empty()) text += ' ';
    text += o.name + ':' + o.fit + ':';
    for (const std::string& a : o.addresses) text += (&a == &o.addresses[0] ? "" : ",") + a;
  }
  return text;
}

bool from_text(const std::string& text, std::vector<network_offer>& card) {
  card.clear();
  if (text.empty()) return false;
  for (const std::string& word : split(text, ' ')) {
    const std::vector<std::string> parts = split(word, ':');
    if (parts.size() != 3 || !base::is_network(parts[0])) return false;
    network_offer& o = card.emplace_back(network_offer{parts[0], parts[1], {}});
    if (!parts[2].empty()) o.addresses = split(parts[2], ',');
  }
  return true;
}

int choose_network(const std::vector<network_offer>& lower,
                   const std::vector<network_offer>& higher) {
  for (std::size_t i = 0; i < lower.size(); ++i)
    for (const network_offer& o : higher)
      if (o.name == lower[i].name && o.fit == lower[i].fit) return int(i);
  return -1;
}

}  // namespace ramjet::channel
