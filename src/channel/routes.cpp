// SPDX-License-Identifier: Apache-2.0
#include "channel/routes.hpp"

#include <utility>

#include "channel/faulty/faulty_channel.hpp"
#include "channel/self/self_channel.hpp"
#include "channel/shm/shm_channel.hpp"

namespace ramjet::channel {

routes::routes(unsigned port, std::unique_ptr<channel> own, std::unique_ptr<channel> node)
    : port_(port), own_(std::move(own)), node_(std::move(node)) {}

unsigned routes::pump() {
  unsigned moved = 0;
  if (own_->pumps()) moved += own_->pump();
  if (node_->pumps()) moved += node_->pump();
  return moved;
}

int routes::take_lost() {
  const int lost = own_->take_lost();
  return lost >= 0 ? lost : node_->take_lost();
}

status open_channel(const std::string& name, unsigned port, std::unique_ptr<channel>& into,
                    std::string& message) {
  std::unique_ptr<channel> own = std::make_unique<self_channel>(port);
  std::unique_ptr<channel> node = std::make_unique<shm_channel>(port);
  if (name != "shm") {
    fault_plan plan;
    if (!parse_fault_plan(name, plan)) {
      message =
          "RAMJET_CHANNEL is \"" + name + "\"; it can be shm, faulty:SEED or faulty:SEED:drop";
      return status::environment;
    }
    own = std::make_unique<faulty_channel>(port, std::move(own), plan);
    node = std::make_unique<faulty_channel>(port, std::move(node), plan);
  }
  into = std::make_unique<routes>(port, std::move(own), std::move(node));
  return status::ok;
}

}  // namespace ramjet::channel
