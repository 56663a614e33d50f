// SPDX-License-Identifier: Apache-2.0
// One rank of a UCX program: its context and worker, an endpoint to every other rank, and handlers
// that count and check what arrives. A rank is one thread: handlers run inside progress(), and all
// state is the rank's own. Worker addresses are exchanged through memory shared by all ranks.
#pragma once

#include <ucp/api/ucp.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "measure.hpp"
#include "payload.hpp"
#include "raw.hpp"

namespace peers {

inline void check_ok(ucs_status_t status) {
  if (status != UCS_OK) {
    std::fprintf(stderr, "UCX: %s\n", ucs_status_string(status));
  }
  PEERS_CHECK(status == UCS_OK);
}

struct address_slot {
  size_t bytes;
  char address[8192];
};

enum message_id : unsigned {
  kRequest,    // 8 bytes to rank 1, answered by kReply with the same 8 bytes
  kReply,      // 8 bytes back to rank 0
  kOneWay,     // 8 bytes
  kEcho,       // 1 KiB to rank 1, answered by kEchoReply with the same bytes
  kEchoReply,  // 1 KiB back to rank 0
  kBlock,      // 64 KiB, or as many as start_over() was told, to rank 1
};

class ucx_rank {
 public:
  ucx_rank(raw& bare, address_slot* addresses);
  ~ucx_rank();
  ucx_rank(const ucx_rank&) = delete;
  ucx_rank& operator=(const ucx_rank&) = delete;

  void progress() { ucp_worker_progress(worker_); }

  // The bytes must stay as they are while UCX holds them: `held` counts up if it does, and down
  // when it has let go of them.
  void send(message_id id, int to, const void* data, size_t bytes, uint64_t& held) {
    send_parameters_.user_data = &held;
    ucs_status_ptr_t request = ucp_am_send_nbx(endpoints_[static_cast<size_t>(to)], id, nullptr, 0,
                                               data, bytes, &send_parameters_);
    if (request != nullptr) [[unlikely]] {
      PEERS_CHECK(!UCS_PTR_IS_ERR(request));
      ++held;
    }
  }

  // Keeps making progress until no rank waits for this one any more.
  void drain();

  // Before a measurement: all counts are zero on all ranks.
  void start_over(content kind = content::same, size_t block_bytes = kBlockBytes);

  uint64_t handled = 0;  // requests, one-way messages and echoes that ran here
  uint64_t replied = 0;  // replies and echo replies that ran here
  uint64_t sum = 0;  // of the one-way messages' values
  uint64_t blocks_taken() const { return blocks_.taken(); }

 private:
  struct fetch {
    ucx_rank* owner = nullptr;
    bool arrived = false;
    std::vector<uint64_t> words;
  };

  using handler = void (ucx_rank::*)(void* data, size_t bytes);

  void on_request(void* data, size_t bytes);
  void on_reply(void* data, size_t bytes);
  void on_one_way(void* data, size_t bytes);
  void on_echo(void* data, size_t bytes);
  void on_echo_reply(void* data, size_t bytes);
  void on_block(void* data, size_t bytes);
  void on_announced_block(void* announced, size_t bytes);
  void take_arrived_blocks();

  template <handler Member>
  void set_handler(message_id id);
  void set_handlers();
  void open_worker();
  void connect(address_slot* addresses);
  void finish(ucs_status_ptr_t request);
  void meet() {
    bare_.meet([this] { progress(); });
  }

  raw& bare_;
  ucp_context_h context_ = nullptr;
  ucp_worker_h worker_ = nullptr;
  std::vector<ucp_ep_h> endpoints_;
  ucp_request_param_t send_parameters_{};
  uint64_t replies_held_ = 0;
  // At most 64 requests are under way, so no reply is overwritten while UCX still holds it.
  uint64_t replies_[kWindow] = {};
  std::vector<uint64_t> echo_ = std::vector<uint64_t>(kEchoBytes / sizeof(uint64_t));
  size_t whole_bytes_ = 0;
  block_checker blocks_{content::same, kBlockBytes, whole_bytes_};
  uint64_t announced_ = 0;  // blocks that were announced here instead of sent
  std::vector<fetch> fetches_ = std::vector<fetch>(kBlocksInFlight);
};

inline void ucx_rank::on_request(void* data, size_t bytes) {
  PEERS_CHECK(bytes == sizeof(uint64_t));
  uint64_t& value = replies_[handled++ % kWindow];
  std::memcpy(&value, data, sizeof value);
  send(kReply, 0, &value, sizeof value, replies_held_);
}

inline void ucx_rank::on_reply(void* data, size_t bytes) {
  uint64_t value = 0;
  PEERS_CHECK(bytes == sizeof value);
  std::memcpy(&value, data, sizeof value);
  PEERS_CHECK(value == replied);
  ++replied;
}

inline void ucx_rank::on_one_way(void* data, size_t bytes) {
  uint64_t value = 0;
  PEERS_CHECK(bytes == sizeof value);
  std::memcpy(&value, data, sizeof value);
  sum += value;
  ++handled;
}

// The data end with the handler, but UCX may hold what is sent for longer: hence the copy.
inline void ucx_rank::on_echo(void* data, size_t bytes) {
  PEERS_CHECK(bytes == kEchoBytes && replies_held_ == 0);
  std::memcpy(echo_.data(), data, bytes);
  send(kEchoReply, 0, echo_.data(), bytes, replies_held_);
  ++handled;
}

inline void ucx_rank::on_echo_reply(void* data, size_t bytes) {
  PEERS_CHECK(bytes == kEchoBytes);
  const auto* words = static_cast<const uint64_t*>(data);
  if (replied == 0) {
    check_whole(words, bytes, 0);
  } else {
    check_stamp(words, bytes, replied);
  }
  ++replied;
}

inline void ucx_rank::on_block(void* data, size_t bytes) {
  PEERS_CHECK(bytes == blocks_.bytes());
  blocks_.take(static_cast<const uint64_t*>(data));
}

// A large block may be announced only, and then it is the receiver who fetches it.
inline void ucx_rank::on_announced_block(void* announced, size_t bytes) {
  fetch& into = fetches_[announced_++ % kBlocksInFlight];
  PEERS_CHECK(bytes == blocks_.bytes() && !into.arrived);
  into.owner = this;
  ucp_request_param_t parameters{};
  parameters.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  parameters.user_data = &into;
  parameters.cb.recv_am = [](void* request, ucs_status_t status, size_t, void* user_data) {
    check_ok(status);
    auto* done = static_cast<fetch*>(user_data);
    done->arrived = true;
    done->owner->take_arrived_blocks();
    ucp_request_free(request);
  };
  ucs_status_ptr_t request =
      ucp_am_recv_data_nbx(worker_, announced, into.words.data(), bytes, &parameters);
  PEERS_CHECK(!UCS_PTR_IS_ERR(request));
  if (request == nullptr) {
    into.arrived = true;
    take_arrived_blocks();
  }
}

inline void ucx_rank::take_arrived_blocks() {
  while (fetches_[blocks_.taken() % kBlocksInFlight].arrived) {
    fetch& oldest = fetches_[blocks_.taken() % kBlocksInFlight];
    oldest.arrived = false;
    blocks_.take(oldest.words.data());
  }
}

// UCX calls plain functions: one is stamped out for each member function, so that the member is
// called directly.
template <ucx_rank::handler Member>
void ucx_rank::set_handler(message_id id) {
  ucp_am_handler_param_t parameters{};
  parameters.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB |
                          UCP_AM_HANDLER_PARAM_FIELD_ARG;
  parameters.id = id;
  parameters.arg = this;
  parameters.cb = [](void* argument, const void*, size_t, void* data, size_t bytes,
                     const ucp_am_recv_param_t* about) {
    auto* self = static_cast<ucx_rank*>(argument);
    if ((about->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) == 0) {
      (self->*Member)(data, bytes);
      return UCS_OK;
    }
    PEERS_CHECK(Member == &ucx_rank::on_block);
    self->on_announced_block(data, bytes);
    return UCS_INPROGRESS;
  };
  check_ok(ucp_worker_set_am_recv_handler(worker_, &parameters));
}

inline void ucx_rank::set_handlers() {
  set_handler<&ucx_rank::on_request>(kRequest);
  set_handler<&ucx_rank::on_reply>(kReply);
  set_handler<&ucx_rank::on_one_way>(kOneWay);
  set_handler<&ucx_rank::on_echo>(kEcho);
  set_handler<&ucx_rank::on_echo_reply>(kEchoReply);
  set_handler<&ucx_rank::on_block>(kBlock);
}

inline void ucx_rank::open_worker() {
  ucp_params_t context_parameters{};
  context_parameters.field_mask = UCP_PARAM_FIELD_FEATURES;
  context_parameters.features = UCP_FEATURE_AM;
  check_ok(ucp_init(&context_parameters, nullptr, &context_));
  ucp_worker_params_t worker_parameters{};
  worker_parameters.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  worker_parameters.thread_mode = UCS_THREAD_MODE_SINGLE;
  check_ok(ucp_worker_create(context_, &worker_parameters, &worker_));
}

inline void ucx_rank::connect(address_slot* addresses) {
  ucp_address_t* address = nullptr;
  address_slot& mine = addresses[bare_.rank()];
  check_ok(ucp_worker_get_address(worker_, &address, &mine.bytes));
  PEERS_CHECK(mine.bytes <= sizeof mine.address);
  std::memcpy(mine.address, address, mine.bytes);
  ucp_worker_release_address(worker_, address);
  meet();
  for (int other = 0; other < bare_.ranks(); ++other) {
    endpoints_.push_back(nullptr);
    if (other != bare_.rank()) {
      ucp_ep_params_t parameters{};
      parameters.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS;
      parameters.address = reinterpret_cast<ucp_address_t*>(addresses[other].address);
      check_ok(ucp_ep_create(worker_, &parameters, &endpoints_.back()));
    }
  }
  meet();
}

inline ucx_rank::ucx_rank(raw& bare, address_slot* addresses) : bare_(bare) {
  send_parameters_.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  send_parameters_.cb.send = [](void* request, ucs_status_t status, void* held) {
    check_ok(status);
    --*static_cast<uint64_t*>(held);
    ucp_request_free(request);
  };
  open_worker();
  set_handlers();
  connect(addresses);
}

inline void ucx_rank::finish(ucs_status_ptr_t request) {
  PEERS_CHECK(!UCS_PTR_IS_ERR(request));
  if (request == nullptr) {
    return;
  }
  while (ucp_request_check_status(request) == UCS_INPROGRESS) {
    progress();
  }
  check_ok(ucp_request_check_status(request));
  ucp_request_free(request);
}

inline ucx_rank::~ucx_rank() {
  meet();
  for (ucp_ep_h endpoint : endpoints_) {
    if (endpoint != nullptr) {
      const ucp_request_param_t flush{};
      finish(ucp_ep_close_nbx(endpoint, &flush));
    }
  }
  meet();
  ucp_worker_destroy(worker_);
  ucp_cleanup(context_);
}

inline void ucx_rank::drain() {
  while (replies_held_ > 0) {
    progress();
  }
  meet();
}

inline void ucx_rank::start_over(content kind, size_t block_bytes) {
  handled = 0;
  replied = 0;
  sum = 0;
  announced_ = 0;
  blocks_ = block_checker(kind, block_bytes, whole_bytes_);
  for (fetch& each : fetches_) {
    each.words.resize(block_bytes / sizeof(uint64_t));
  }
  // A rank that leaves first may send at once, and its messages must find the counts at zero.
  bare_.barrier();
}

}  // namespace peers
