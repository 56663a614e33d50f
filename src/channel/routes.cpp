// SPDX-License-Identifier: Apache-2.0
#include "channel/routes.hpp"

#include <charconv>
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

status open_channel(const std::string& name, unsigned port, std::unique_ptr<channel>& into,
                    std::string& message) {
  std::unique_ptr<channel> own = std::make_unique<self_channel>(port);
  std::unique_ptr<channel> node = std::make_unique<shm_channel>(port);
  const std::string faulty = "faulty:";
  if (name.rfind(faulty, 0) == 0) {
    std::uint64_t seed = 0;
    const char* end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data() + faulty.size(), end, seed);
    if (error != std::errc{} || stop != end) {
      message = "RAMJET_CHANNEL=" + name + ": the seed of the faulty channel is a number";
      return status::environment;
    }
    own = std::make_unique<faulty_channel>(port, std::move(own), seed);
    node = std::make_unique<faulty_channel>(port, std::move(node), seed);
  }
  into = std::make_unique<routes>(port, std::move(own), std::move(node));
  return status::ok;
}

}  // namespace ramjet::channel
