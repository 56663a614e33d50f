// SPDX-License-Identifier: Apache-2.0
// What makes a Perfetto trace one of ours: its version, its tracks, categories and annotations.
// Whoever writes a trace and whoever reads one (`ramjet trace`) agree by this.
#pragma once

#include <cstdint>
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
inline constexpr const char* kJobCategory = "job";
inline constexpr const char* kSendCategory = "send";
inline constexpr const char* kHandlerCategory = "handler";
inline constexpr const char* kReplyCategory = "reply";
inline constexpr const char* kWaitCategory = "wait";
inline constexpr const char* kCollectiveCategory = "collective";
inline constexpr const char* kAccessCategory = "access";
inline constexpr const char* kThreadCategory = "thread";
inline constexpr const char* kRingCategory = "ring";
inline constexpr const char* kEndCategory = "end";

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
};

}  // namespace ramjet::trace
