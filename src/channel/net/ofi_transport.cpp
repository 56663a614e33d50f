// SPDX-License-Identifier: Apache-2.0
#include "channel/net/ofi_transport.hpp"

#include <sched.h>
#include <sodium.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/clock.hpp"
#include "base/hexadecimal.hpp"
#include "base/process_label.hpp"
#include "channel/net/frame.hpp"
#include "channel/net/networks.hpp"
#include "channel/net/ofi_peer.hpp"
#include "job/join.hpp"
#include "mesh/mesh.hpp"
#include "ramjet/detail/base/check.hpp"

namespace ramjet::channel {

namespace {

constexpr std::size_t kOutgoing = 64;
constexpr std::size_t kIncoming = 256;
constexpr std::uint32_t kWindowMin = 4;
constexpr std::size_t kInjectMax = 512;
constexpr int kReads = 8;  // of the completion queue in one progress
constexpr std::uint64_t kFinishNs = 2'000'000'000;

ofi_token token_of(std::uint32_t from, std::uint32_t to) {
  struct {
    char what[16] = "ramjet ofi";
    std::uint32_t from, to;
  } text;
  text.from = from;
  text.to = to;
  const std::array<std::uint8_t, 32> whole = mesh::prove(&text, sizeof text);
  ofi_token token;
  std::copy_n(whole.begin(), token.size(), token.begin());
  return token;
}

}  // namespace

unsigned ofi_transport::port_of(const peer& p) { return p.port; }

// --- Set-up --------------------------------------------------------------------------------------

ofi_transport::ofi_transport(unsigned port)
    : port_(port), ofi_(take_ofi_port(port % job::self().layout.endpoints)) {
  const unsigned ports = job::self().layout.ports;
  peers_.resize(ports);
  // The same at both ends: from the job's size alone.
  window_ = std::clamp<std::uint32_t>(std::uint32_t(kIncoming / ports), kWindowMin, kOfiWindowMax);
  inject_bytes_ = std::min(ofi_.about->tx_attr->inject_size, kInjectMax);
  RAMJET_CHECK(ofi_.about->ep_attr->max_msg_size >= kPacketBytes,
               "the libfabric provider's messages are too short");
  make_pool(outgoing_, std::min(ofi_.about->tx_attr->size, kOutgoing));
  make_pool(incoming_, std::min(ofi_.about->rx_attr->size, kIncoming));
  for (buffer& b : incoming_.all) {
    b.what = buffer::use::receive;
    post(b);
  }
  if (ofi_.ready_fd >= 0) mesh::watch_set(port_, ofi_.ready_fd);
}

ofi_transport::~ofi_transport() {
  finish();
  mesh::announce_closed(port_);
  if (ofi_.ready_fd >= 0) mesh::forget_set(ofi_.ready_fd);
  mesh::forget_endpoints(port_);
  ofi_.endpoint.reset();
  for (const std::unique_ptr<peer>& p : peers_)
    if (p != nullptr) p->here.reset(), p->registered_room.reset();
  outgoing_.registered.reset();
  incoming_.registered.reset();
}

void ofi_transport::make_pool(pool& of, std::size_t count) {
  const std::size_t bytes = count * kPacketBytes;
  of.memory = std::make_unique_for_overwrite<std::byte[]>(bytes);
  const int mode = ofi_.about->domain_attr->mr_mode;
  if ((mode & FI_MR_LOCAL) != 0) {
    fid_mr* mr = nullptr;
    RAMJET_CHECK(::fi_mr_reg(ofi_.domain.get(), of.memory.get(), bytes, FI_SEND | FI_RECV, 0, 0, 0,
                             &mr, nullptr) == 0,
                 "packets cannot be registered; raise the limit (ulimit -l)");
    of.registered.reset(mr);
    if ((mode & FI_MR_ENDPOINT) != 0) {
      RAMJET_CHECK(::fi_mr_bind(mr, &ofi_.endpoint->fid, 0) == 0 && ::fi_mr_enable(mr) == 0,
                   "packets cannot be registered with the endpoint");
    }
  }
  of.all.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    of.all[i].bytes = of.memory.get() + i * kPacketBytes;
    of.free.push_back(&of.all[i]);
  }
}

void ofi_transport::open_peer(unsigned port) {
  if (peers_[port] == nullptr) create_peer(port);
}

ofi_transport::peer* ofi_transport::create_peer(unsigned port) {
  const std::string card = address_of("ofi", port);  // "ADDRESS" or "ADDRESS/KEY"
  const std::size_t slash = std::min(card.find('/'), card.size());
  std::string name;
  const bool named = base::from_hexadecimal(std::string_view(card).substr(0, slash), name);
  fi_addr_t address = FI_ADDR_UNSPEC;
  if (!named || name.empty() ||
      ::fi_av_insert(ofi_.peers.get(), name.data(), 1, &address, 0, nullptr) != 1) {
    mesh::give_up(port / job::self().layout.endpoints,
                  "it gave no address in the network that joins the two");
    return nullptr;
  }
  peers_[port] = std::make_unique<peer>(port, address, token_of(port_, port), token_of(port, port_),
                                        packet_window(window_));
  watch(port, name);
  if (ofi_.segment != nullptr && slash != card.size()) peers_[port]->key = card.substr(slash + 1);
  opened_.push_back(peers_[port].get());
  return opened_.back();
}

// A provider that stands on TCP does not tell of a connection whose packets vanish.
void ofi_transport::watch(unsigned port, const std::string& name) {
  if (std::string_view(ofi_.about->fabric_attr->prov_name).find("tcp") == std::string_view::npos)
    return;
  std::string own;
  if (!base::from_hexadecimal(std::string_view(ofi_.address).substr(0, ofi_.address.find('/')),
                              own))
    return;
  const mesh::tcp_end here = mesh::end_of(own.data(), own.size());
  const mesh::tcp_end there = mesh::end_of(name.data(), name.size());
  if (here.port != 0 && there.port != 0) mesh::watch_endpoints({port_, port, here, there});
}

ofi_transport::peer* ofi_transport::take_opened() {
  if (opened_.empty()) return nullptr;
  return std::exchange(opened_, {opened_.begin() + 1, opened_.end()}).front();
}

// --- Sending -------------------------------------------------------------------------------------

std::ptrdiff_t ofi_transport::send(peer& to, piece first, piece second) {
  constexpr std::size_t kMost = kPacketBytes - sizeof(ofi_head);
  std::ptrdiff_t total = 0;
  while (first.count + second.count != 0 && !to.broken && to.window.may_send()) {
    const piece a{first.bytes, std::min(first.count, kMost)};
    const piece b{second.bytes, std::min(second.count, kMost - a.count)};
    const auto count = std::uint32_t(a.count + b.count);
    const ssize_t error =
        put(to, {0, to.mine, port_, to.window.next(), to.window.taken(), count}, a, b);
    if (error == -FI_EAGAIN) break;
    if (error != 0) {
      to.broken = true;
      break;
    }
    to.window.send();
    to.window.announced();
    first = {first.bytes + a.count, first.count - a.count};
    second = {second.bytes + b.count, second.count - b.count};
    total += std::ptrdiff_t(count);
  }
  // What came before the break is read first: it may be a good-bye.
  return total == 0 && to.broken && to.arrived.empty() ? stream::kBroken : total;
}

// Hands a packet to the provider; -FI_EAGAIN if there is no room for it.
ssize_t ofi_transport::put(peer& to, const ofi_head& head, const piece& first,
                           const piece& second) {
  const std::size_t bytes = sizeof head + head.bytes;
  std::byte small[kInjectMax];
  buffer* b = nullptr;
  if (bytes > inject_bytes_) {
    if (outgoing_.free.empty()) return -FI_EAGAIN;
    b = outgoing_.free.back();
  }
  std::byte* at = b != nullptr ? b->bytes : small;
  std::memcpy(at, &head, sizeof head);
  if (first.count != 0) std::memcpy(at + sizeof head, first.bytes, first.count);
  if (second.count != 0) std::memcpy(at + sizeof head + first.count, second.bytes, second.count);
  const std::uint32_t checksum = checksum_of_packet(at, bytes);  // of the copy, which stays
  std::memcpy(at, &checksum, sizeof checksum);
  if (b == nullptr) return ::fi_inject(ofi_.endpoint.get(), small, bytes, to.address);
  b->to = &to;
  void* key = outgoing_.registered != nullptr ? ::fi_mr_desc(outgoing_.registered.get()) : nullptr;
  const ssize_t error =
      ::fi_send(ofi_.endpoint.get(), b->bytes, bytes, key, to.address, &b->context);
  if (error == 0) outgoing_.free.pop_back();
  return error;
}

bool ofi_transport::send_note(peer& to, note what) {
  const ssize_t error =
      put(to, {0, to.mine, port_, std::uint32_t(what), to.window.taken(), 0}, {}, {});
  if (error == 0) to.window.announced();
  if (error != 0 && error != -FI_EAGAIN) to.broken = true;
  return error != -FI_EAGAIN;
}

// Announces how much is taken, at once or when there is room.
void ofi_transport::announce(peer& to) {
  if (to.in_unannounced || to.broken || send_note(to, note::taken)) return;
  to.in_unannounced = true;
  unannounced_.push_back(&to);
}

// --- Receiving -----------------------------------------------------------------------------------

std::ptrdiff_t ofi_transport::receive(peer& from, std::byte* into, std::size_t most) {
  std::size_t total = 0;
  while (total < most && !from.arrived.empty()) {
    buffer& b = *from.arrived.front();
    const std::size_t n = std::min(most - total, b.count - from.read);
    std::memcpy(into + total, b.bytes + sizeof(ofi_head) + from.read, n);
    total += n;
    from.read += n;
    if (from.read != b.count) break;
    from.read = 0;
    from.arrived.pop_front();
    --unread_packets_;
    post(b);
    from.window.take();
    if (from.window.should_announce() || (from.wants_ack && from.arrived.empty())) announce(from);
  }
  if (total != 0) return std::ptrdiff_t(total);
  // A port that closes has had all acknowledged before it is announced: this comes last.
  if (mesh::is_announced_closed(from.port) && most >= sizeof kBye) {
    std::memcpy(into, &kBye, sizeof kBye);
    return sizeof kBye;
  }
  return from.broken ? stream::kBroken : 0;
}

void ofi_transport::post(buffer& b) {
  void* key = incoming_.registered != nullptr ? ::fi_mr_desc(incoming_.registered.get()) : nullptr;
  const ssize_t error =
      ::fi_recv(ofi_.endpoint.get(), b.bytes, kPacketBytes, key, FI_ADDR_UNSPEC, &b.context);
  if (error != 0) unposted_.push_back(&b);
}

void ofi_transport::progress() {
  std::array<fi_cq_msg_entry, 32> done;
  for (int i = 0; i < kReads; ++i) {
    const ssize_t n = ::fi_cq_read(ofi_.done.get(), done.data(), done.size());
    if (n == -FI_EAVAIL) {
      take_error();
      continue;
    }
    for (ssize_t k = 0; k < n; ++k) complete(done[std::size_t(k)]);
    if (n < ssize_t(done.size())) break;
  }
  if (!unannounced_.empty() || !unposted_.empty()) retry();
}

// Does again what there was no room for.
void ofi_transport::retry() {
  for (buffer* b : std::exchange(unposted_, {})) post(*b);
  for (peer* p : std::exchange(unannounced_, {})) {
    p->in_unannounced = false;
    if (!p->window.all_announced()) announce(*p);
  }
}

void ofi_transport::complete(const fi_cq_msg_entry& done) {
  buffer& b = *static_cast<buffer*>(done.op_context);
  if (b.what == buffer::use::copy) return end_copy(*b.to);
  if (b.what == buffer::use::send) {
    outgoing_.free.push_back(&b);
    return;
  }
  if (done.len < sizeof(ofi_head) || done.len > kPacketBytes) {
    refuse();
    return post(b);
  }
  b.count = std::uint32_t(done.len - sizeof(ofi_head));
  take_packet(b);
}

// What could not be sent breaks the stream; what could not be received was not a packet of ours.
void ofi_transport::take_error() {
  fi_cq_err_entry error{};
  if (::fi_cq_readerr(ofi_.done.get(), &error, 0) < 1 || error.op_context == nullptr) return;
  buffer& b = *static_cast<buffer*>(error.op_context);
  if (b.what == buffer::use::copy) {
    b.to->broken = true;
    end_copy(*b.to);
  } else if (b.what == buffer::use::send) {
    b.to->broken = true;
    outgoing_.free.push_back(&b);
  } else if (error.err != FI_ECANCELED) {
    refuse();
    post(b);
  }
}

void ofi_transport::take_packet(buffer& b) {
  ofi_head head;
  std::memcpy(&head, b.bytes, sizeof head);
  const bool altered = checksum_of_packet(b.bytes, sizeof head + b.count) != head.checksum;
  peer* p = altered ? author_of_altered(head) : head.bytes == b.count ? author_of(head) : nullptr;
  if (p == nullptr) {
    refuse();
    return post(b);
  }
  if (altered) {
    post(b);
    return give_up(*p, mesh::kBytesAltered);
  }
  const bool right = p->window.acknowledge(head.taken) &&
                     (b.count == 0 ||
                      (p->window.may_come(head.sequence) && p->early_at(head.sequence) == nullptr));
  if (!right || b.count == 0) post(b);
  if (right && b.count == 0) take_note(*p, head);
  if (right && b.count != 0) {
    p->early_at(head.sequence) = &b;
    take_in_turn(*p);
  }
  if (!right) give_up(*p, "it sent a packet that makes no sense");
}

void ofi_transport::give_up(peer& p, const char* why) {
  if (!std::exchange(p.broken, true)) mesh::give_up(p.port / job::self().layout.endpoints, why);
}

void ofi_transport::take_in_turn(peer& from) {
  while (buffer* next = std::exchange(from.early_at(from.window.turn()), nullptr)) {
    from.window.come();
    from.arrived.push_back(next);
    ++unread_packets_;
  }
  if (from.discarding) discard(from);
}

void ofi_transport::leave(peer& from) {
  from.discarding = true;
  discard(from);
}

// Takes what has come without reading it.
void ofi_transport::discard(peer& from) {
  for (buffer* b : std::exchange(from.arrived, {})) {
    --unread_packets_;
    post(*b);
    from.window.take();
  }
  from.read = 0;
  if (from.wants_ack && !from.window.all_announced()) announce(from);
}

// The sender of the packet; null if it does not prove that it is of the port that it names.
ofi_transport::peer* ofi_transport::author_of(const ofi_head& head) {
  const job::membership& m = job::self();
  if (head.from >= peers_.size() || m.near(head.from / m.layout.endpoints)) return nullptr;
  peer* p = peers_[head.from].get();
  const ofi_token right = p != nullptr ? p->theirs : token_of(head.from, port_);
  if (::sodium_memcmp(right.data(), head.token.data(), right.size()) != 0) return nullptr;
  return p != nullptr ? p : create_peer(head.from);
}

// The peer whose packet was altered, by its token or what is left of it: a stranger's packet has
// none that is nearly right.
ofi_transport::peer* ofi_transport::author_of_altered(const ofi_head& head) {
  const job::membership& m = job::self();
  for (std::uint32_t port = 0; port < peers_.size(); ++port) {
    if (m.near(port / m.layout.endpoints)) continue;
    peer* const p = peers_[port].get();
    if (is_nearly(p != nullptr ? p->theirs : token_of(port, port_), head.token))
      return p != nullptr ? p : create_peer(port);
  }
  return nullptr;
}

void ofi_transport::take_note(peer& from, const ofi_head& head) {
  if (head.sequence == std::uint32_t(note::closed)) from.closed = true;
  if (head.sequence != std::uint32_t(note::ack_request)) return;
  from.wants_ack = true;
  if (from.arrived.empty()) announce(from);
}

// A line for the first, and for each time that there were twice as many.
void ofi_transport::refuse() {
  if (!std::has_single_bit(++refused_)) return;
  std::fprintf(stderr, "%s: refused a packet that does not prove this job's key (%llu by now)\n",
               base::process_label(), static_cast<unsigned long long>(refused_));
}

bool ofi_transport::wake_when_ready() {
  if (ofi_.ready_fd < 0 || unread_packets_ != 0 || !unannounced_.empty() || !unposted_.empty())
    return false;
  fid* what = &ofi_.done->fid;
  if (::fi_trywait(ofi_.fabric, &what, 1) != FI_SUCCESS) return false;
  mesh::wake_on_ready(port_, ofi_.ready_fd);
  return true;
}

// --- The end -------------------------------------------------------------------------------------

bool ofi_transport::awaited(const peer& p) const {
  return !p.broken && !p.closed && !p.window.all_acknowledged() && !job::port_is_gone(p.port) &&
         !mesh::is_announced_closed(p.port);
}

// The peers have all that was sent before the endpoint closes: what is on its way then is lost.
void ofi_transport::finish() {
  std::vector<peer*> to_ask;
  for (const std::unique_ptr<peer>& p : peers_) {
    if (p == nullptr) continue;
    leave(*p);
    to_ask.push_back(p.get());
  }
  const std::uint64_t deadline = base::now_ns() + kFinishNs;
  std::erase_if(to_ask, [&](peer* p) { return !awaited(*p) || send_note(*p, note::ack_request); });
  const auto waits = [&] {
    return std::any_of(peers_.begin(), peers_.end(),
                       [&](const auto& p) { return p != nullptr && awaited(*p); });
  };
  while (waits() && base::now_ns() < deadline) {
    progress();
    std::erase_if(to_ask,
                  [&](peer* p) { return !awaited(*p) || send_note(*p, note::ack_request); });
    ::sched_yield();
  }
  for (const std::unique_ptr<peer>& p : peers_)
    if (p != nullptr && !p->broken && !job::port_is_gone(p->port)) send_note(*p, note::closed);
  while (outgoing_.free.size() != outgoing_.all.size() && base::now_ns() < deadline) {
    progress();
    ::sched_yield();
  }
}

}  // namespace ramjet::channel
