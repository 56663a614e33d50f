#pragma once
#include "channel/channel.hpp"
namespace ramjet::channel {
class faulty_channel final : public channel {
 public:
  faulty_channel(unsigned, std::unique_ptr<channel> inner, std::uint64_t) : inner_(std::move(inner)) {}
  const char* name() const noexcept override { return "faulty"; }
  link connect(unsigned peer) override { return inner_->connect(peer); }
 private:
  std::unique_ptr<channel> inner_;
};
}
