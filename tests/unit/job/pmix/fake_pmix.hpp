// SPDX-License-Identifier: Apache-2.0
// A libpmix whose every answer a test decides: built as a library of that name, found by
// LD_LIBRARY_PATH. What it does stands in one object, which the test finds in it by name.
#pragma once

#include <pmix.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

struct fake_pmix {
  std::uint32_t rank = 0, ranks = 1;
  std::map<std::string, int> errors;  // of calls by name; PMIX_SUCCESS otherwise
  pmix_data_type_t size_type = PMIX_UINT32, value_type = PMIX_BYTE_OBJECT;
  bool fence_answers_at_once = false;  // by PMIX_OPERATION_SUCCEEDED, without the callback
  int fence_result = PMIX_SUCCESS;     // what the callback brings
  bool fence_is_silent = false;  // the callback never comes
  unsigned broken_fences = 0;  // this many bring broken_result first
  int broken_result = PMIX_ERR_PARTIAL_SUCCESS;
  std::map<std::pair<std::uint32_t, std::string>, std::string> published;  // by rank and key
  unsigned early_reads = 0;  // this many do not find what is published
  std::map<std::uint32_t, pmix_proc_state_t> process_states;  // by rank, for the table of processes
  bool table_of_values = false;  // as Open MPI 4 has it, not as the standard
  std::string server_nspace = "a server";  // empty: the library does not know its server
  std::uint32_t server_rank = 4;
  pmix_notification_fn_t on_event = nullptr;  // the program's
  std::vector<std::string> calls;  // in their order
  std::string abort_message;
  int abort_status = 0;
};

// Of the library: fake_pmix* fake_pmix_state().
inline constexpr const char* kFakePmixState = "fake_pmix_state";
