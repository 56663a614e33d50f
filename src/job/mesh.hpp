// SPDX-License-Identifier: Apache-2.0
// What a rank of a job on several machines has beside its channels: a listener, a proven connection
// to every rank on another machine, and a thread that serves them. The thread
//   - lets peers in that prove the job's key, and refuses everybody else with one line;
//   - makes connections for the channels, and hands over those that peers made for them;
//   - says every second that this rank lives, and notices who does not say so any more;
//   - writes on the board of this machine which ranks of others have left or died.
//
// Threads: everything here may be called by any thread of the process, after open_mesh.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "job/bootstrap.hpp"
#include "ramjet/status.hpp"

namespace ramjet::job {

// Opens the listener on the chosen interface; `card` is what others need to find it.
status open_mesh(std::string& card, std::string& message);

// Connects to every rank on another machine, by what open_mesh gave there. Returns once all have
// proved the key to each other; names the first rank that did not in time.
status connect_mesh(const std::vector<std::string>& cards, const job_key& key,
                    std::string& message);

// This rank leaves the job in order: tells the others, and ends the thread.
void close_mesh();

}  // namespace ramjet::job
