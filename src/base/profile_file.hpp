// SPDX-License-Identifier: Apache-2.0
// Where a machine's profile is kept between jobs: a file of some lines of text, by host and build,
// in the user's cache folder. Nothing in it is believed before it is checked.
//
//   ramjet-profile 3
//   machine AMD EPYC, 2 processors
//   build ramjet 0.1.0, GNU C++ 12.2.0, optimised
//   made 2026-01-31T12:00:00Z
//   samples many                           or few
//   drift 104                              the machine's slowest pace over its fastest, percent
//   block_bytes 4096                       a line for each figure that was measured
//   end 8c1f0e6a35b2d947                   FNV-1a of the lines between the first and this
//
// Threads: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/machine_profile.hpp"

namespace ramjet::base {

inline constexpr unsigned kProfileVersion = 3;
inline constexpr std::size_t kProfileBytesMax = 4096;

// What a profile holds for: this kind of processor, and how many of them.
std::string machine_name();
// The version of the library, its compiler, and how it was compiled.
std::string build_name();

// In XDG_CACHE_HOME, or else in .cache of HOME; empty if there is neither. No file need be there.
std::string profile_path();

// How a profile was measured.
struct profile_quality {
  bool is_quick = false;  // of few samples: its figures vary from run to run
  // Of the machine's paces meanwhile the slowest over the fastest: at least 100.
  std::uint64_t drift_percent = 100;
};
inline constexpr std::uint64_t kDriftPercentMax = 1'000'000;

struct found_profile {
  machine_profile profile = built_in_profile();
  std::string path;  // of the file that was looked for; empty: none
  bool is_used = false;  // `profile` is the file's
  std::string made;  // when, as the file says
  profile_quality quality;  // as the file says
  // One sentence: why the file that is there is ignored. Empty: there is none, or it is used.
  std::string problem;
  std::uint64_t took_ns = 0;  // to find, read and check it
};

// RAMJET_PROFILE's value: empty for this user's file, "none", or the name of another one.
inline constexpr const char* kNoProfile = "none";
found_profile find_profile(const std::string& setting);

// Puts it at `path`, in a folder that is made for it, at once as a whole and for this user alone.
// False leaves one sentence.
bool store_profile(const machine_profile& profile, const profile_quality& quality,
                   const std::string& path, std::string& problem);
// Whether that can be done, before anything is measured for it. Leaves no file.
bool can_store_profile(const std::string& path, std::string& problem);

// What stands in a file: `profile`, `made` and `quality`; false leaves why it cannot be used, as
// the end of "the profile FILE ...".
bool parse_profile(const std::string& text, found_profile& into, std::string& why_not);
std::string profile_text(const machine_profile& profile, const profile_quality& quality,
                         const std::string& made);

}  // namespace ramjet::base
