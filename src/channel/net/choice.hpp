// SPDX-License-Identifier: Apache-2.0
// Which network joins two ranks: each writes on its card the networks that it has, best first, and
// each pair takes the first of the lower rank's that both have. (SCALE Suite 1997, section 3,
// Figure 8: several networks in one job.)
//
//   card:  "ofi:FIT:ADDRESS,ADDRESS tcp"     FIT and addresses of all ports of the rank
#pragma once

#include <string>
#include <vector>

namespace ramjet::channel {

// A network that a rank has.
struct network_offer {
  std::string name;
  std::string fit;  // two of this name understand each other if theirs is equal
  std::vector<std::string> addresses;  // by endpoint; none if the mesh's connections are used
};

std::string to_text(const std::vector<network_offer>& card);
// False if the text has not that form.
bool from_text(const std::string& text, std::vector<network_offer>& card);

// The index in the lower rank's card of what both have; -1 if there is nothing.
int choose_network(const std::vector<network_offer>& lower,
                   const std::vector<network_offer>& higher);

}  // namespace ramjet::channel
