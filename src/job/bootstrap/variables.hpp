// SPDX-License-Identifier: Apache-2.0
// The environment by which `ramjet run` hands a job down to its ranks.
#pragma once

#include <cstdint>
#include <string>

namespace ramjet::job {

inline constexpr const char* kEnvDescriptor = "RAMJET_JOB_FD";  // number of the inherited memfd
inline constexpr const char* kEnvRank = "RAMJET_RANK";
inline constexpr const char* kEnvSize = "RAMJET_SIZE";
inline constexpr const char* kEnvSecret = "RAMJET_JOB_SECRET";  // board::secret, hexadecimal
// On several nodes: number of the inherited directory (directory.hpp).
inline constexpr const char* kEnvDirectory = "RAMJET_DIRECTORY_FD";
// The launcher's process id: its files can be opened through /proc where descriptors were closed.
inline constexpr const char* kEnvLauncher = "RAMJET_LAUNCHER_PID";
// For scripts around a rank: its node, and how many there are.
inline constexpr const char* kEnvNode = "RAMJET_NODE";
inline constexpr const char* kEnvNodes = "RAMJET_NODES";

// "RAMJET_JOB_SECRET=...", as it stands in the environment of every rank and of what it starts.
std::string secret_variable(std::uint64_t secret);

}  // namespace ramjet::job
