// SPDX-License-Identifier: Apache-2.0
#include "channel/net/ofi_network.hpp"

namespace ramjet::channel {

namespace {

class ofi_stream final : public stream {
 public:
  ofi_stream(ofi_transport& packets, ofi_transport::peer& other)
      : packets_(packets), other_(other) {}
  ~ofi_stream() override { packets_.leave(other_); }
  std::ptrdiff_t send(const piece& first, const piece& second) override {
    return packets_.send(other_, first, second);
  }
  std::ptrdiff_t receive(std::byte* into, std::size_t most) override {
    return packets_.receive(other_, into, most);
  }
  begun write(std::uint64_t at, const piece& bytes) override {
    return packets_.write(other_, at, bytes);
  }
  begun fetch(std::uint64_t at, std::size_t bytes) override {
    return packets_.fetch(other_, at, bytes);
  }
  bool fetches() const override { return packets_.fetches(other_); }
  const std::byte* fetched() const override { return packets_.fetched(other_); }
  copy copied() override { return packets_.copied(other_); }
  void finish() override {}  // the transport sees to it when the port closes

 private:
  ofi_transport& packets_;
  ofi_transport::peer& other_;
};

}  // namespace

std::unique_ptr<stream> ofi_network::take(unsigned& peer) {
  ofi_transport::peer* opened = packets_.take_opened();
  if (opened == nullptr) return nullptr;
  peer = ofi_transport::port_of(*opened);
  return std::make_unique<ofi_stream>(packets_, *opened);
}

}  // namespace ramjet::channel
