// SPDX-License-Identifier: Apache-2.0
// The words in which a launcher or a rank says what a job is doing: the hang report, and who waited
// when something ended it. Pure functions of a snapshot.
#pragma once

#include <string>

#include "report/snapshot.hpp"

namespace ramjet::report {

// The whole report: `headline`, a table of ranks, a table of lanes with a line that reconciles
// their counters, and a diagnosis where one is evident. Of ranks that are not seen it names those
// that somebody waits for. Lines end in '\n'.
std::string hang_report(const job_snapshot& snapshot, const std::string& headline);

// "1", or "1.0" where ranks have several ports.
std::string port_text(const job_snapshot& snapshot, unsigned port);

// What is wrong, in one sentence without a full stop; empty if nothing stands out.
std::string diagnosis(const job_snapshot& snapshot);

// "rank 0 was waiting for it in barrier for 12 ms, and 2 others waited"; empty if nobody waited.
std::string who_waited_for(const job_snapshot& snapshot, unsigned rank);

// "rank 0 was waiting for rank 1 in call for 5.0 s, rank 1 was not in a Ramjet call".
std::string who_waited(const job_snapshot& snapshot);

}  // namespace ramjet::report
