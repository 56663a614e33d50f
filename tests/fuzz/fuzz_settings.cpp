// SPDX-License-Identifier: Apache-2.0
// Whatever the environment says: the settings, and the channel's name with its seed.
//
// The input is one text for each setting, each ended by a zero byte.
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "base/settings.hpp"
#include "channel/channel.hpp"
#include "fuzz_input.hpp"

namespace {

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  fuzz::input in(data, bytes);
  for (const auto& setting : ramjet::base::all_settings())
    setenv(setting.name, in.text(64).c_str(), 1);
  ramjet::base::settings got{};
  std::string problem;
  if (!ramjet::base::read_settings(got, problem)) {
    expect(!problem.empty(), "a setting was refused without a word");
    return 0;
  }
  expect(problem.empty(), "a good setting left a complaint");
  std::unique_ptr<ramjet::channel::channel> channel;
  const ramjet::status s = ramjet::channel::open_channel(got.channel, 0, channel, problem);
  expect((s == ramjet::status::ok) == (channel != nullptr), "no channel, and no complaint");
  expect((s == ramjet::status::ok) == problem.empty(), "a channel was refused without a word");
  return 0;
}
