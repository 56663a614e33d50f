// SPDX-License-Identifier: Apache-2.0
// Copies between this memory and a peer's segment, past the packets, where the provider can.
#include <sys/uio.h>

#include <cstdlib>
#include <cstring>

#include <rdma/fi_rma.h>

#include "channel/net/ofi_peer.hpp"
#include "job/join.hpp"

namespace ramjet::channel {

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
  const node::geometry& g = job::self().layout;
  const std::uint64_t offset = at - to.port / g.endpoints * g.segment_bytes;  // in the peer's
  if (to.key.empty() || to.broken || bytes > ofi_.about->ep_attr->max_msg_size ||
      offset >= g.segment_bytes)
    return begun::never;
  if (to.copies) return begun::not_yet;
  if (!to.window.all_acknowledged()) {  // what was sent before is taken before
    if (!to.ack_requested) to.ack_requested = send_note(to, note::ack_request);
    return begun::not_yet;
  }
  to.ack_requested = false;
  return begun::yes;
}

// begin(message) hands the copy to the provider.
template <class Begin>
stream::begun ofi_transport::begin_copy(peer& to, std::uint64_t at, const piece& here,
                                        fid_mr* registered, Begin&& begin) {
  using begun = stream::begun;
  const int mode = ofi_.about->domain_attr->mr_mode;
  if ((mode & FI_MR_LOCAL) != 0 && registered == nullptr) return begun::never;
  const node::geometry& g = job::self().layout;
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

}  // namespace ramjet::channel
