// SPDX-License-Identifier: Apache-2.0
// What channels do that share their lanes with the peer; and which rank serves accesses.
#include "channel/channel.hpp"

#include "lane/bell.hpp"
#include "ramjet/detail/base/check.hpp"

namespace ramjet::channel {

void channel::rung(unsigned, detail::lane& out, bool) { lane::ring(out); }

bool channel::deposit(unsigned, deposit_under_way&) {
  RAMJET_CHECK(false, "this channel's peers share their memory: nothing is deposited through it");
  return true;
}

void channel::deposit_in_handler(unsigned, std::uint64_t, const piece&) {
  RAMJET_CHECK(false, "this channel's peers share their memory: nothing is deposited through it");
}

access_start channel::begin_access(unsigned, const access&, bool) {
  RAMJET_CHECK(false, "this channel takes no accesses");
  return access_start::taken;
}

namespace {
constinit access_functions functions{};
}  // namespace

void set_access_functions(const access_functions& all) noexcept { functions = all; }
const access_functions& the_access_functions() noexcept { return functions; }

}  // namespace ramjet::channel
