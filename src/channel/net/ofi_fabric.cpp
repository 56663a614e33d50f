// SPDX-License-Identifier: Apache-2.0
#include "channel/net/ofi_fabric.hpp"

#include <netinet/in.h>
#include <rdma/fi_cm.h>
#include <sodium.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/hexadecimal.hpp"
#include "job/join.hpp"
#include "mesh/address.hpp"
#include "ramjet/detail/base/check.hpp"

namespace ramjet::channel {

namespace {

constexpr std::uint32_t kApi = FI_VERSION(1, 17);
constexpr std::size_t kCompletionsMax = 1024;
constexpr std::uint64_t kCopies = FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE;

struct ofi_fabric {
  const ofi_library* library = nullptr;
  ofi_info info;
  ofi_ptr<fid_fabric> fabric;
  std::vector<ofi_port> ports;  // [endpoints]
};

// A pointer, so that the end of the process does not close what libfabric may have closed before.
ofi_fabric* the_fabric = nullptr;

std::string why(const ofi_library& library, const char* call, ssize_t error) {
  return std::string(call) + ": " + library.strerror(int(-error));
}

// What a provider has to have: reliable messages between peers that need no connection. No order:
// the packets are numbered.
ofi_info offers_of(const ofi_library& library, const std::string& provider, bool copies) {
  ofi_info hints(library.dupinfo(nullptr), {&library});
  if (hints == nullptr) return hints;
  hints->caps = FI_MSG | FI_REMOTE_COMM;
  if (copies) hints->caps |= FI_RMA | kCopies;
  hints->mode = FI_CONTEXT | FI_CONTEXT2;
  hints->ep_attr->type = FI_EP_RDM;
  hints->domain_attr->threading = FI_THREAD_DOMAIN;
  hints->domain_attr->control_progress = FI_PROGRESS_MANUAL;
  hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
  hints->domain_attr->resource_mgmt = FI_RM_ENABLED;
  hints->domain_attr->mr_mode =
      FI_MR_LOCAL | FI_MR_ALLOCATED | FI_MR_VIRT_ADDR | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
  if (!provider.empty()) hints->fabric_attr->prov_name = ::strdup(provider.c_str());
  fi_info* found = nullptr;
  if (library.getinfo(kApi, nullptr, nullptr, 0, hints.get(), &found) != 0) found = nullptr;
  return {found, {&library}};
}

bool same_host(const sockaddr* a, const sockaddr* b) {
  if (a->sa_family != b->sa_family) return false;
  if (a->sa_family == AF_INET)
    return reinterpret_cast<const sockaddr_in*>(a)->sin_addr.s_addr ==
           reinterpret_cast<const sockaddr_in*>(b)->sin_addr.s_addr;
  if (a->sa_family != AF_INET6) return false;
  return std::memcmp(&reinterpret_cast<const sockaddr_in6*>(a)->sin6_addr,
                     &reinterpret_cast<const sockaddr_in6*>(b)->sin6_addr, sizeof(in6_addr)) == 0;
}

bool is_internet(const fi_info& i) {
  return i.src_addr != nullptr &&
         (i.addr_format == FI_SOCKADDR_IN || i.addr_format == FI_SOCKADDR_IN6 ||
          i.addr_format == FI_SOCKADDR);
}

// Which of the provider's offers is of the chosen interface: by its address, or, where the network
// has addresses of its own, by its device's name.
class chosen_interface {
 public:
  bool find(std::string& message) {
    const job::membership& m = job::self();
    wanted_ = m.settings.network_interface;
    internet_ = mesh::choose_address(wanted_, m.launched, where_, message) == status::ok;
    return internet_ || !wanted_.empty();
  }
  bool has(const fi_info& i) const {
    if ((i.caps & FI_REMOTE_COMM) == 0) return false;
    const auto* mine = reinterpret_cast<const sockaddr*>(&where_.where);
    if (is_internet(i)) return internet_ && same_host(static_cast<sockaddr*>(i.src_addr), mine);
    return wanted_.empty() || wanted_ == i.domain_attr->name;
  }

 private:
  std::string wanted_;
  mesh::net_address where_;
  bool internet_ = false;
};

// The first, and so the best, that suits; null if none does.
fi_info* first_of(const ofi_info& all, const chosen_interface& on) {
  fi_info* i = all.get();
  while (i != nullptr && !on.has(*i)) i = i->next;
  return i;
}

// Whether nothing between two ends alters bytes without being noticed. TCP's own checksum, of 16
// bits, is not enough, and what a provider copies by itself has none of ours.
bool is_safe_wire(const fi_info& i) {
  if (!is_internet(i)) return true;  // such networks check each packet by 32 bits
  const auto* at = static_cast<const sockaddr*>(i.src_addr);
  if (at->sa_family == AF_INET)
    return (ntohl(reinterpret_cast<const sockaddr_in*>(at)->sin_addr.s_addr) >> 24) ==
           IN_LOOPBACKNET;
  return at->sa_family == AF_INET6 &&
         IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6*>(at)->sin6_addr);
}

// Whether the same provider lets peers read and write a segment. That is mostly address space, so
// the provider must not want the memory behind it (FI_MR_ALLOCATED); and whoever has the key may
// read and write, so it must be a secret: of 64 bits, drawn here (no FI_MR_PROV_KEY).
bool can_copy(const fi_info& copier, const fi_info& best) {
  constexpr int kNotForSegments = FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
  return (copier.caps & kCopies) == kCopies && is_safe_wire(copier) &&
         (copier.domain_attr->mr_mode & kNotForSegments) == 0 &&
         copier.domain_attr->mr_key_size == sizeof(std::uint64_t) &&
         std::strcmp(copier.fabric_attr->prov_name, best.fabric_attr->prov_name) == 0 &&
         std::strcmp(copier.domain_attr->name, best.domain_attr->name) == 0;
}

status choose(ofi_fabric& f, std::string& message) {
  const std::string& provider = job::self().settings.ofi_provider;
  chosen_interface on;
  if (!on.find(message)) return status::environment;
  const ofi_info all = offers_of(*f.library, provider, false);
  if (fi_info* best = first_of(all, on)) {
    const ofi_info copiers = offers_of(*f.library, provider, true);
    fi_info* copier = first_of(copiers, on);
    if (copier != nullptr && can_copy(*copier, *best)) best = copier;
    f.info = ofi_info(f.library->dupinfo(best), {f.library});
    return status::ok;
  }
  message = "libfabric offers no reliable datagrams (FI_EP_RDM) to other machines" +
            (provider.empty() ? std::string() : " by RAMJET_OFI_PROVIDER=" + provider) +
            " on the chosen interface; see fi_info, or choose RAMJET_NETWORK=tcp";
  return status::environment;
}

// A queue that can wake a sleeper, if the provider has such, else one that has to be polled.
ssize_t open_queue(ofi_port& p) {
  fi_cq_attr attributes{};
  attributes.size = kCompletionsMax;
  attributes.format = FI_CQ_FORMAT_MSG;
  attributes.wait_obj = FI_WAIT_FD;
  fid_cq* queue = nullptr;
  ssize_t error = ::fi_cq_open(p.domain.get(), &attributes, &queue, nullptr);
  const bool can_wait = error == 0;
  if (!can_wait) {
    attributes.wait_obj = FI_WAIT_NONE;
    error = ::fi_cq_open(p.domain.get(), &attributes, &queue, nullptr);
  }
  if (error != 0) return error;
  p.done.reset(queue);
  if (can_wait && ::fi_control(&queue->fid, FI_GETWAIT, &p.ready_fd) != 0) p.ready_fd = -1;
  return 0;
}

void open_segment(ofi_port& p) {
  if (!can_copy(*p.about, *p.about)) return;
  std::uint64_t secret;
  ::randombytes_buf(&secret, sizeof secret);
  const job::membership& m = job::self();
  const std::uint64_t at = m.layout.segment_base + unsigned(m.rank) * m.layout.segment_bytes;
  fid_mr* mr = nullptr;
  if (::fi_mr_reg(p.domain.get(), reinterpret_cast<const void*>(at), m.layout.segment_bytes,
                  kCopies, 0, secret, 0, &mr, nullptr) != 0)
    return;
  p.segment.reset(mr);
  char key[17];
  std::snprintf(key, sizeof key, "%llx", static_cast<unsigned long long>(::fi_mr_key(mr)));
  p.address += std::string("/") + key;
}

status open_port(ofi_fabric& f, ofi_port& p, std::string& message) {
  const auto failed = [&](const char* call, ssize_t error) {
    message = std::string("libfabric (") + f.info->fabric_attr->prov_name +
              ") cannot be used: " + why(*f.library, call, error);
    return status::environment;
  };
  p.about = f.info.get();
  p.fabric = f.fabric.get();
  fid_domain* domain = nullptr;
  if (ssize_t e = ::fi_domain(p.fabric, p.about, &domain, nullptr); e != 0)
    return failed("fi_domain", e);
  p.domain.reset(domain);
  fi_av_attr table{};
  table.type = FI_AV_UNSPEC;
  fid_av* peers = nullptr;
  if (ssize_t e = ::fi_av_open(domain, &table, &peers, nullptr); e != 0)
    return failed("fi_av_open", e);
  p.peers.reset(peers);
  if (ssize_t e = open_queue(p); e != 0) return failed("fi_cq_open", e);
  fid_ep* endpoint = nullptr;
  if (ssize_t e = ::fi_endpoint(domain, p.about, &endpoint, nullptr); e != 0)
    return failed("fi_endpoint", e);
  p.endpoint.reset(endpoint);
  ssize_t e = ::fi_ep_bind(endpoint, &peers->fid, 0);
  if (e == 0) e = ::fi_ep_bind(endpoint, &p.done->fid, FI_TRANSMIT | FI_RECV);
  if (e == 0) e = ::fi_enable(endpoint);
  if (e != 0) return failed("fi_enable", e);
  std::array<std::byte, 256> address;
  std::size_t bytes = address.size();
  if (e = ::fi_getname(&endpoint->fid, address.data(), &bytes); e != 0)
    return failed("fi_getname", e);
  p.address = base::hexadecimal(address.data(), std::min(bytes, address.size()));
  open_segment(p);
  return status::ok;
}

}  // namespace

status open_ofi(network_offer& offer, std::string& message) {
  close_ofi();
  const kept_signals keeper;
  auto f = std::make_unique<ofi_fabric>();
  f->library = load_ofi(message);
  if (f->library == nullptr) return status::environment;
  if (status s = choose(*f, message); s != status::ok) return s;
  fid_fabric* fabric = nullptr;
  if (int e = f->library->fabric(f->info->fabric_attr, &fabric, nullptr); e != 0) {
    message = why(*f->library, "fi_fabric", e);
    return status::environment;
  }
  f->fabric.reset(fabric);
  f->ports.resize(job::self().layout.endpoints);
  const fi_ep_attr& kind = *f->info->ep_attr;
  offer = {"ofi",
           std::to_string(kind.protocol) + '.' + std::to_string(kind.protocol_version) + '.' +
               std::to_string(f->info->addr_format),
           {}};
  for (ofi_port& p : f->ports) {
    if (status s = open_port(*f, p, message); s != status::ok) return s;
    offer.addresses.push_back(p.address);
  }
  the_fabric = f.release();
  return status::ok;
}

ofi_port take_ofi_port(unsigned endpoint) {
  RAMJET_CHECK(the_fabric != nullptr && the_fabric->ports[endpoint].endpoint != nullptr,
               "the port's endpoint is not open");
  return std::move(the_fabric->ports[endpoint]);
}

void close_ofi() { delete std::exchange(the_fabric, nullptr); }

}  // namespace ramjet::channel
