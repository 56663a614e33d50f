// SPDX-License-Identifier: Apache-2.0
// What a program does by hand to send a stream of items to another machine: blocks of them by a
// plain socket, received while it waits to send. Both ranks send one stream, and receive one.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "harness/raw_tcp.hpp"

namespace bench {

template <class Item>
class hand_socket {
 public:
  // `due` items will come.
  hand_socket(raw_tcp& tcp, std::size_t due) : tcp_(tcp), due_(due * sizeof(Item)) {
    out_.reserve(kItems);
  }

  // use(items) for what comes meanwhile.
  template <class Use>
  void add(const Item& item, Use&& use) {
    out_.push_back(item);
    if (out_.size() == kItems) send_block(use);
  }
  // Sends the rest, and takes what is still to come.
  template <class Use>
  void finish(Use&& use) {
    send_block(use);
    while (due_ != 0) take(use);
  }

 private:
  static constexpr std::size_t kItems = 64 * 1024 / sizeof(Item);

  template <class Use>
  void send_block(Use&& use) {
    const auto bytes = std::as_bytes(std::span<const Item>(out_));
    for (std::size_t sent = 0; sent < bytes.size(); take(use))
      sent += tcp_.send_some(bytes.data() + sent, bytes.size() - sent);
    out_.clear();
  }
  template <class Use>
  void take(Use&& use) {
    if (due_ == 0) return;
    auto* const first = reinterpret_cast<std::byte*>(in_.data());
    const std::size_t got = tcp_.receive_some(first + partly_, in_.size() * sizeof(Item) - partly_);
    due_ -= got;
    const std::size_t have = partly_ + got, whole = have / sizeof(Item);
    use(std::span<const Item>(in_.data(), whole));
    partly_ = have % sizeof(Item);
    std::memmove(first, first + whole * sizeof(Item), partly_);
  }

  raw_tcp& tcp_;
  std::vector<Item> out_, in_ = std::vector<Item>(kItems);
  std::size_t due_, partly_ = 0;  // bytes: still to come; of an item that came in part
};

}  // namespace bench
