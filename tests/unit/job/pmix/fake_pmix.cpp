// SPDX-License-Identifier: Apache-2.0
#include "fake_pmix.hpp"

#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

fake_pmix state;

int called(const char* name) {
  state.calls.emplace_back(name);
  const auto found = state.errors.find(name);
  return found == state.errors.end() ? PMIX_SUCCESS : found->second;
}

}  // namespace

extern "C" {

fake_pmix* fake_pmix_state() { return &state; }

pmix_status_t PMIx_Init(pmix_proc_t* proc, pmix_info_t*, std::size_t) {
  std::strcpy(proc->nspace, "a job");
  proc->rank = state.rank;
  return called("PMIx_Init");
}
pmix_status_t PMIx_Finalize(const pmix_info_t*, std::size_t) { return called("PMIx_Finalize"); }
pmix_status_t PMIx_Abort(int status, const char message[], pmix_proc_t*, std::size_t) {
  state.abort_status = status;
  state.abort_message = message;
  return called("PMIx_Abort");
}
pmix_status_t PMIx_Put(pmix_scope_t, const char* key, pmix_value_t* value) {
  const int error = called("PMIx_Put");
  if (error == PMIX_SUCCESS)
    state.published[{state.rank, key}] = {value->data.bo.bytes, value->data.bo.size};
  return error;
}
pmix_status_t PMIx_Commit() { return called("PMIx_Commit"); }
pmix_status_t PMIx_Fence_nb(const pmix_proc_t*, std::size_t, const pmix_info_t*, std::size_t,
                            pmix_op_cbfunc_t done, void* data) {
  const int error = called("PMIx_Fence_nb");
  if (error != PMIX_SUCCESS) return error;
  if (state.fence_answers_at_once) return PMIX_OPERATION_SUCCEEDED;
  if (state.fence_is_silent) return PMIX_SUCCESS;
  if (state.broken_fences != 0) {
    --state.broken_fences;
    done(state.broken_result, data);
    return PMIX_SUCCESS;
  }
  done(state.fence_result, data);
  return PMIX_SUCCESS;
}
pmix_status_t PMIx_Get(const pmix_proc_t*, const char* key, const pmix_info_t*, std::size_t,
                       pmix_value_t** value) {
  const int error = called("PMIx_Get");
  if (error != PMIX_SUCCESS) return error;
  const std::string_view asked = key;
  if (asked != PMIX_JOB_SIZE && state.server_nspace.empty()) return PMIX_ERR_NOT_FOUND;
  *value = static_cast<pmix_value_t*>(std::calloc(1, sizeof(pmix_value_t)));
  if (asked == PMIX_SERVER_NSPACE) {
    (*value)->type = PMIX_STRING;
    (*value)->data.string = ::strdup(state.server_nspace.c_str());
  } else if (asked == PMIX_SERVER_RANK) {
    (*value)->type = PMIX_PROC_RANK;
    (*value)->data.rank = state.server_rank;
  } else {
    (*value)->type = state.size_type;
    (*value)->data.uint32 = state.ranks;
  }
  return PMIX_SUCCESS;
}
pmix_status_t PMIx_Get_nb(const pmix_proc_t* proc, const char* key, const pmix_info_t*, std::size_t,
                          pmix_value_cbfunc_t done, void* data) {
  const int error = called("PMIx_Get_nb");
  if (error != PMIX_SUCCESS) return error;
  const auto found = state.published.find({proc->rank, key});
  if (found == state.published.end() || state.early_reads != 0) {
    if (state.early_reads != 0) --state.early_reads;
    done(PMIX_ERR_NOT_FOUND, nullptr, data);
    return PMIX_SUCCESS;
  }
  pmix_value_t value{};
  value.type = state.value_type;
  value.data.bo.bytes = found->second.data();
  value.data.bo.size = found->second.size();
  done(PMIX_SUCCESS, &value, data);
  return PMIX_SUCCESS;
}
const char* PMIx_Error_string(pmix_status_t error) {
  return error == PMIX_ERR_NOT_FOUND ? "it is not there" : nullptr;
}
pmix_status_t PMIx_Query_info_nb(pmix_query_t queries[], std::size_t, pmix_info_cbfunc_t done,
                                 void* data) {
  const int error = called("PMIx_Query_info_nb");
  if (error != PMIX_SUCCESS) return error;
  if (std::string_view(queries[0].keys[0]) != PMIX_QUERY_PROC_TABLE) return PMIX_ERR_NOT_SUPPORTED;
  std::vector<pmix_proc_info_t> rows;
  for (const auto& [rank, process_state] : state.process_states) {
    pmix_proc_info_t row{};
    row.proc.rank = rank;
    row.state = process_state;
    rows.push_back(row);
  }
  std::vector<pmix_info_t> values(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    values[i].value.type = PMIX_PROC_INFO;
    values[i].value.data.pinfo = &rows[i];
  }
  pmix_data_array_t table{};
  table.type = state.table_of_values ? PMIX_INFO : PMIX_PROC_INFO;
  table.size = rows.size();
  table.array = state.table_of_values ? static_cast<void*>(values.data()) : rows.data();
  pmix_info_t answer{};
  answer.value.type = PMIX_DATA_ARRAY;
  answer.value.data.darray = &table;
  done(PMIX_SUCCESS, &answer, 1, data, nullptr, nullptr);
  return PMIX_SUCCESS;
}
pmix_status_t PMIx_Register_event_handler(pmix_status_t[], std::size_t, pmix_info_t[], std::size_t,
                                          pmix_notification_fn_t handler, pmix_hdlr_reg_cbfunc_t,
                                          void*) {
  state.on_event = handler;
  return called("PMIx_Register_event_handler");
}

}  // extern "C"
