// SPDX-License-Identifier: Apache-2.0
// Which ranks of a job are on one machine: those that can hand descriptors to each other and watch
// each other's processes. Two network namespaces of one computer are two machines.
//
// Threads: any; nothing is kept.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ramjet::job {

// The same text in every process that this one can share memory with, and in no other.
bool identify_machine(std::string& into, std::string& message);

// Numbers machines from 0 in the order of their lowest ranks; `of_rank` are their texts by rank.
std::vector<std::uint16_t> number_machines(const std::vector<std::string>& of_rank);

}  // namespace ramjet::job
