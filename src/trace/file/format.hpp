// SPDX-License-Identifier: Apache-2.0
// What makes a Perfetto trace one of ours: its version, its tracks, categories and annotations.
// Writers and readers of a trace (`ramjet trace`) agree by this.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

namespace ramjet::trace {

inline constexpr unsigned kFormatVersion = 1;
inline constexpr const char* kFormatName = "ramjet job (trace format ";  // of the first track

inline constexpr std::uint64_t kJobTrack = 1;
constexpr std::uint64_t rank_track(unsigned rank) { return 0x10000 + rank; }
constexpr std::uint64_t endpoint_track(unsigned port) { return 0x20000 + port; }
constexpr std::uint64_t counter_track(unsigned port) { return 0x30000 + port; }
constexpr std::uint64_t running_track(unsigned port) { return 0x40000 + port; }
constexpr std::uint64_t thread_track(unsigned port, std::uint32_t thread) {
  return std::uint64_t(port + 1) << 32 | thread;
}

// Categories of events.
inline constexpr std::string_view kJobCategory = "job";
inline constexpr std::string_view kSendCategory = "send";
inline constexpr std::string_view kHandlerCategory = "handler";
inline constexpr std::string_view kReplyCategory = "reply";
inline constexpr std::string_view kWaitCategory = "wait";
inline constexpr std::string_view kCollectiveCategory = "collective";
inline constexpr std::string_view kAccessCategory = "access";
inline constexpr std::string_view kThreadCategory = "thread";
inline constexpr std::string_view kRingCategory = "ring";
inline constexpr std::string_view kEndCategory = "end";

enum class annotation : std::uint64_t {
  peer = 1,  // a rank
  bytes,
  team,
  call,
  ranks,
  nodes,
  endpoints,
  sample,
  told,
  lost,
  clock_error,
  unfinished,  // of the end of a slice: it lasted for longer than the trace, or its rank died in it
};
inline constexpr std::pair<annotation, const char*> kAnnotationNames[] = {
    {annotation::peer, "rank"},
    {annotation::bytes, "bytes"},
    {annotation::team, "team"},
    {annotation::call, "call"},
    {annotation::ranks, "ranks"},
    {annotation::nodes, "nodes"},
    {annotation::endpoints, "endpoints"},
    {annotation::sample, "one message of"},
    {annotation::told, "events"},
    {annotation::lost, "lost events"},
    {annotation::clock_error, "clock error in ns"},
    {annotation::unfinished, "not ended"},
};

}  // namespace ramjet::trace
