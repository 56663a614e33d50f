// SPDX-License-Identifier: Apache-2.0
#include "channel/net/ofi_transport.hpp"

#include <rdma/fi_rma.h>
#include <sched.h>
#include <sodium.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/clock.hpp"
#include "base/hexadecimal.hpp"
#include "base/who.hpp"
#include "channel/net/networks.hpp"
#include "job/join.hpp"
#include "mesh/mesh.hpp"
#include "ramjet/detail/base/check.hpp"

namespace ramjet::channel {

namespace {

constexpr std::size_t kOutgoing = 64;
constexpr std::size_t kIncoming = 256;
constexpr std::uint32_t kWindowMin = 4, kWindowMax = 32;
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
  const std::array<std::uint8_t, 32> whole = job::prove(&text, sizeof text);
  ofi_token token;
  std::copy_n(whole.begin(), token.size(), token.begin());
  return token;
}

}  // namespace

struct ofi_transport::buffer {
  enum class use : std::uint8_t { send, receive, copy };
  fi_context2 context{};  // the provider's, while the buffer is with it
  std::byte* bytes = nullptr;
  peer* to = nullptr;       // unless it receives
  std::uint32_t count = 0;  // payload
  use what = use::send;
};

struct ofi_transport::peer {
  unsigned port;
  fi_addr_t address;
  ofi_token mine, theirs;  // that packets to it and from it bring
  packet_window window;
  std::array<buffer*, kWindowMax> early{};  // by number: before their turn
  std::deque<buffer*> arrived;              // in turn, to be read
  std::size_t read = 0;     // of the first of them
  bool broken = false;      // nothing can be sent to it
  bool closed = false;      // it has said so
  bool asked = false;       // to tell what it has taken, before a copy
  bool wants_word = false;  // asks to be told whenever all is taken
  bool unread = false;      // nobody reads what it sends any more
  bool in_debt = false;
  std::string key;          // of its segment, for copies; empty: they cannot be had
  buffer copying{};         // context of the copy that is under way
  bool copies = false;      // one is
  ofi_ptr<fid_mr> here;     // registration of what is written, where the provider wants one
  std::unique_ptr<std::byte[]> room;  // what was fetched
  ofi_ptr<fid_mr> registered_room;

  buffer*& early_at(std::uint32_t sequence) { return early[sequence % early.size()]; }
};

unsigned ofi_transport::port_of(const peer& p) { return p.port; }

// --- Set-up --------------------------------------------------------------------------------------

ofi_transport::ofi_transport(unsigned port)
    : port_(port), ofi_(take_ofi_port(port % job::self().layout.endpoints)) {
  const unsigned ports = job::self().layout.ports;
  peers_.resize(ports);
  // The same at both ends: from the job's size alone.
  window_ = std::clamp<std::uint32_t>(std::uint32_t(kIncoming / ports), kWindowMin, kWindowMax);
  inject_bytes_ = std::min(ofi_.about->tx_attr->inject_size, kInjectMax);
  RAMJET_CHECK(ofi_.about->ep_attr->max_msg_size >= kPacketBytes,
               "the libfabric provider's messages are too short");
  make_pool(outgoing_, std::min(ofi_.about->tx_attr->size, kOutgoing));
  make_pool(incoming_, std::min(ofi_.about->rx_attr->size, kIncoming));
  for (buffer& b : incoming_.all) {
    b.what = buffer::use::receive;
    post(b);
  }
  if (ofi_.ready_fd >= 0) job::watch_set(port_, ofi_.ready_fd);
}

ofi_transport::~ofi_transport() {
  finish();
  if (ofi_.ready_fd >= 0) job::forget_set(ofi_.ready_fd);
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
    job::give_up(port / job::self().layout.endpoints, "its address in the network is none");
    return nullptr;
  }
  peers_[port] = std::make_unique<peer>(port, address, token_of(port_, port), token_of(port, port_),
                                        packet_window(window_));
  if (ofi_.segment != nullptr && slash != card.size()) peers_[port]->key = card.substr(slash + 1);
  opened_.push_back(peers_[port].get());
  return opened_.back();
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
        put(to, {to.mine, port_, to.window.next(), to.window.taken(), count}, a, b);
    if (error == -FI_EAGAIN) break;
    if (error != 0) {
      to.broken = true;
      break;
    }
    to.window.send();
    to.window.told();
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
      put(to, {to.mine, port_, std::uint32_t(what), to.window.taken(), 0}, {}, {});
  if (error == 0) to.window.told();
  if (error != 0 && error != -FI_EAGAIN) to.broken = true;
  return error != -FI_EAGAIN;
}

// Tells how much is taken, at once or when there is room.
void ofi_transport::tell(peer& to) {
  if (to.in_debt || to.broken || send_note(to, note::taken)) return;
  to.in_debt = true;
  debts_.push_back(&to);
}

// --- Copies --------------------------------------------------------------------------------------

void ofi_transport::end_copy(peer& to) {
  to.copies = false;
  to.here.reset();
}

stream::copy ofi_transport::copied(const peer& to) {
  return to.broken ? stream::copy::failed : to.copies ? stream::copy::runs : stream::copy::done;
}

// Null where the provider does without, or cannot.
ofi_ptr<fid_mr> ofi_transport::register_here(const std::byte* bytes, std::size_t count) {
  fid_mr* mr = nullptr;
  if ((ofi_.about->domain_attr->mr_mode & FI_MR_LOCAL) != 0 &&
      ::fi_mr_reg(ofi_.domain.get(), bytes, count, FI_READ | FI_WRITE, 0, 0, 0, &mr, nullptr) != 0)
    mr = nullptr;
  return ofi_ptr<fid_mr>(mr);
}

bool ofi_transport::in_own_segment(const piece& bytes) const {
  const job::membership& m = job::self();
  const std::uint64_t offset = reinterpret_cast<std::uintptr_t>(bytes.bytes) -
                               m.layout.segment_base - unsigned(m.rank) * m.layout.segment_bytes;
  return offset < m.layout.segment_bytes && bytes.count <= m.layout.segment_bytes - offset;
}

// yes: nothing is in the way.
stream::begun ofi_transport::may_copy(peer& to, std::uint64_t at, std::size_t bytes) {
  using begun = stream::begun;
  const job::geometry& g = job::self().layout;
  const std::uint64_t offset = at - to.port / g.endpoints * g.segment_bytes;  // in the peer's
  if (to.key.empty() || to.broken || bytes > ofi_.about->ep_attr->max_msg_size ||
      offset >= g.segment_bytes)
    return begun::never;
  if (to.copies) return begun::not_yet;
  if (!to.window.all_acknowledged()) {  // what was sent before is taken before
    if (!to.asked) to.asked = send_note(to, note::please_tell);
    return begun::not_yet;
  }
  to.asked = false;
  return begun::yes;
}

// begin(message) hands the copy to the provider.
template <class Begin>
stream::begun ofi_transport::begin_copy(peer& to, std::uint64_t at, const piece& here,
                                        fid_mr* registered, Begin&& begin) {
  using begun = stream::begun;
  const int mode = ofi_.about->domain_attr->mr_mode;
  if ((mode & FI_MR_LOCAL) != 0 && registered == nullptr) return begun::never;
  const job::geometry& g = job::self().layout;
  const std::uint64_t first = to.port / g.endpoints * g.segment_bytes;
  const std::uint64_t base = (mode & FI_MR_VIRT_ADDR) != 0 ? g.segment_base + first : 0;
  const iovec local{const_cast<std::byte*>(here.bytes), here.count};
  const fi_rma_iov there{base + (at - first), here.count,
                         std::strtoull(to.key.c_str(), nullptr, 16)};
  void* key = registered != nullptr ? ::fi_mr_desc(registered) : nullptr;
  to.copying.what = buffer::use::copy;
  to.copying.to = &to;
  const fi_msg_rma message{&local, &key, 1, to.address, &there, 1, &to.copying.context, 0};
  const ssize_t error = begin(message);
  to.copies = error == 0;
  if (error == 0) return begun::yes;
  if (error == -FI_EAGAIN) return begun::not_yet;
  to.key.clear();  // the provider cannot do it after all
  return begun::never;
}

// The segment is registered for the whole job. Other memory may be unmapped at any time, and is
// registered for each copy: providers for which that takes long keep registrations themselves, and
// know when they end.
stream::begun ofi_transport::write(peer& to, std::uint64_t at, const piece& bytes) {
  if (const auto may = may_copy(to, at, bytes.count); may != stream::begun::yes) return may;
  const bool own = in_own_segment(bytes);
  if (!own && to.here == nullptr) to.here = register_here(bytes.bytes, bytes.count);
  return begin_copy(
      to, at, bytes, own ? ofi_.segment.get() : to.here.get(), [this](const fi_msg_rma& message) {
        return ::fi_writemsg(ofi_.endpoint.get(), &message, FI_DELIVERY_COMPLETE | FI_COMPLETION);
      });
}

bool ofi_transport::fetches(const peer& from) const {
  return !from.key.empty() && !from.broken &&
         ofi_.about->ep_attr->max_msg_size >= access::kFetchBytesMax;
}

// Into memory of its own, registered once: the program's may go while the network still writes,
// if the peer is given up meanwhile.
stream::begun ofi_transport::fetch(peer& from, std::uint64_t at, std::size_t bytes) {
  if (bytes > access::kFetchBytesMax) return stream::begun::never;
  if (const auto may = may_copy(from, at, bytes); may != stream::begun::yes) return may;
  if (from.room == nullptr) {
    from.room = std::make_unique_for_overwrite<std::byte[]>(access::kFetchBytesMax);
    from.registered_room = register_here(from.room.get(), access::kFetchBytesMax);
  }
  return begin_copy(from, at, {from.room.get(), bytes}, from.registered_room.get(),
                    [this](const fi_msg_rma& message) {
                      return ::fi_readmsg(ofi_.endpoint.get(), &message, FI_COMPLETION);
                    });
}

const std::byte* ofi_transport::fetched(const peer& from) { return from.room.get(); }

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
    --unread_;
    post(b);
    from.window.take();
    if (from.window.should_tell() || (from.wants_word && from.arrived.empty())) tell(from);
  }
  return total == 0 && from.broken ? stream::kBroken : std::ptrdiff_t(total);
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
  if (!debts_.empty() || !unposted_.empty()) settle();
}

// Does again what there was no room for.
void ofi_transport::settle() {
  for (buffer* b : std::exchange(unposted_, {})) post(*b);
  for (peer* p : std::exchange(debts_, {})) {
    p->in_debt = false;
    if (!p->window.all_told()) tell(*p);
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

// What could not be sent breaks the stream; what could not be received was no packet of ours.
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
  peer* p = head.bytes == b.count ? author_of(head) : nullptr;
  if (p == nullptr) {
    refuse();
    return post(b);
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
  if (!right) {
    p->broken = true;
    job::give_up(p->port / job::self().layout.endpoints, "it sent a packet that makes no sense");
  }
}

void ofi_transport::take_in_turn(peer& from) {
  while (buffer* next = std::exchange(from.early_at(from.window.turn()), nullptr)) {
    from.window.come();
    from.arrived.push_back(next);
    ++unread_;
  }
  if (from.unread) discard(from);
}

void ofi_transport::leave(peer& from) {
  from.unread = true;
  discard(from);
}

// Takes what has come without reading it.
void ofi_transport::discard(peer& from) {
  for (buffer* b : std::exchange(from.arrived, {})) {
    --unread_;
    post(*b);
    from.window.take();
  }
  from.read = 0;
  if (from.wants_word && !from.window.all_told()) tell(from);
}

// Whose packet it is; null if it does not prove that it is of the port that it names.
ofi_transport::peer* ofi_transport::author_of(const ofi_head& head) {
  const job::membership& m = job::self();
  if (head.from >= peers_.size() || m.near(head.from / m.layout.endpoints)) return nullptr;
  peer* p = peers_[head.from].get();
  const ofi_token right = p != nullptr ? p->theirs : token_of(head.from, port_);
  if (::sodium_memcmp(right.data(), head.token.data(), right.size()) != 0) return nullptr;
  return p != nullptr ? p : create_peer(head.from);
}

void ofi_transport::take_note(peer& from, const ofi_head& head) {
  if (head.sequence == std::uint32_t(note::closed)) from.closed = true;
  if (head.sequence != std::uint32_t(note::please_tell)) return;
  from.wants_word = true;
  if (from.arrived.empty()) tell(from);
}

// A line for the first, and for each time that there were twice as many.
void ofi_transport::refuse() {
  if (!std::has_single_bit(++refused_)) return;
  std::fprintf(stderr, "%s: refused a packet that does not prove this job's key (%llu by now)\n",
               base::who(), static_cast<unsigned long long>(refused_));
}

bool ofi_transport::wake_when_ready() {
  if (ofi_.ready_fd < 0 || unread_ != 0 || !debts_.empty() || !unposted_.empty()) return false;
  fid* what = &ofi_.done->fid;
  if (::fi_trywait(ofi_.fabric, &what, 1) != FI_SUCCESS) return false;
  job::wake_on_ready(port_, ofi_.ready_fd);
  return true;
}

// --- The end -------------------------------------------------------------------------------------

bool ofi_transport::awaited(const peer& p) const {
  return !p.broken && !p.closed && !p.window.all_acknowledged() && !job::port_is_gone(p.port);
}

// The peers have all that was sent before the endpoint closes: what is on its way then is lost.
void ofi_transport::finish() {
  std::vector<peer*> asked;
  for (const std::unique_ptr<peer>& p : peers_) {
    if (p == nullptr) continue;
    leave(*p);
    asked.push_back(p.get());
  }
  const std::uint64_t deadline = base::now_ns() + kFinishNs;
  std::erase_if(asked, [&](peer* p) { return !awaited(*p) || send_note(*p, note::please_tell); });
  const auto waits = [&] {
    return std::any_of(peers_.begin(), peers_.end(),
                       [&](const auto& p) { return p != nullptr && awaited(*p); });
  };
  while (waits() && base::now_ns() < deadline) {
    progress();
    std::erase_if(asked, [&](peer* p) { return !awaited(*p) || send_note(*p, note::please_tell); });
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
