// SPDX-License-Identifier: Apache-2.0
#include "channel/net/ofi_library.hpp"

#include <cstdlib>

#include "base/library.hpp"

namespace ramjet::channel {

namespace {

struct loaded {
  base::library file;
  ofi_library functions;
};

}  // namespace

kept_signals::kept_signals() noexcept {
  for (int s = 1; s < int(before_.size()); ++s)
    if (::sigaction(s, nullptr, &before_[s]) != 0) before_[s] = {};
}
kept_signals::~kept_signals() {
  for (int s = 1; s < int(before_.size()); ++s)
    if (s != SIGKILL && s != SIGSTOP) ::sigaction(s, &before_[s], nullptr);
}

const ofi_library* load_ofi(std::string& message) {
  static loaded* whole = nullptr;  // never destroyed
  if (whole != nullptr) return &whole->functions;
  // abort() lets its own signal through, to a handler of libinfinipath that waits for ever.
  ::setenv("IPATH_NO_BACKTRACE", "1", 0);
  loaded fresh;
  ofi_library& f = fresh.functions;
  if (!fresh.file.open("libfabric.so.1", "libfabric1", message) ||
      !fresh.file.find("fi_getinfo", f.getinfo, message) ||
      !fresh.file.find("fi_freeinfo", f.freeinfo, message) ||
      !fresh.file.find("fi_dupinfo", f.dupinfo, message) ||
      !fresh.file.find("fi_fabric", f.fabric, message) ||
      !fresh.file.find("fi_strerror", f.strerror, message))
    return nullptr;
  whole = new loaded(std::move(fresh));
  return &whole->functions;
}

}  // namespace ramjet::channel
