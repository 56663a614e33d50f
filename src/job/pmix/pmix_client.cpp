// SPDX-License-Identifier: Apache-2.0
#include "job/pmix/pmix_client.hpp"

#include <pmix.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/exit_status.hpp"
#include "base/library.hpp"
#include "base/process_label.hpp"
#include "base/standard_output.hpp"

namespace ramjet::job {

struct pmix_functions {
  base::library library;
  decltype(&PMIx_Init) init;
  decltype(&PMIx_Finalize) finalize;
  decltype(&PMIx_Abort) abort;
  decltype(&PMIx_Put) put;
  decltype(&PMIx_Commit) commit;
  decltype(&PMIx_Fence_nb) fence;
  decltype(&PMIx_Get) get;
  decltype(&PMIx_Get_nb) get_later;
  decltype(&PMIx_Error_string) error_string;
  decltype(&PMIx_Register_event_handler) on_event;
  decltype(&PMIx_Query_info_nb) query;
};

namespace {

constexpr const char* kLibrary = "libpmix.so.2";
constexpr const char* kPackage = "libpmix2";
constexpr unsigned kMeetMs = 60'000;
constexpr unsigned kMeetAgainMs = 10;
constexpr unsigned kSearchMs = 1'000;  // for one rank's value, when it is unlikely to be there
constexpr std::uint64_t kMs = 1'000'000;
// How often a waiting rank looks for dead ones. A look of every rank costs the launcher the square
// of their number.
constexpr unsigned kLookMsMin = 250, kLookMsPerRank = 10;
constexpr unsigned kAnswerMs = 1'000;  // for the launcher's table of processes
constexpr unsigned kLooksByNow = 4, kLookByNowMs = 50;

// What a callback of the library brings. Both sides own it: a call may be given up before.
struct awaited {
  std::mutex lock;
  std::condition_variable changed;
  bool done = false;
  int error = PMIX_SUCCESS;
  std::string value;

  void finish(int with, std::string brought) {
    const std::lock_guard held(lock);
    error = with;
    value = std::move(brought);
    done = true;
    changed.notify_all();
  }
  bool wait(std::uint64_t timeout_ns) {
    std::unique_lock held(lock);
    return changed.wait_for(held, std::chrono::nanoseconds(timeout_ns), [this] { return done; });
  }
};
using awaited_pointer = std::shared_ptr<awaited>;

// A question for the launcher's table of processes, which the library reads until it answers.
struct process_table : awaited {
  explicit process_table(const std::string& nspace) : nspace_(nspace) {
    std::strncpy(of_job_.key, PMIX_NSPACE, PMIX_MAX_KEYLEN);
    of_job_.value.type = PMIX_STRING;
    of_job_.value.data.string = nspace_.data();
    question.keys = keys_;
    question.qualifiers = &of_job_;
    question.nqual = 1;
  }
  process_table(const process_table&) = delete;
  process_table& operator=(const process_table&) = delete;

  pmix_query_t question{};
  int dead = -1;  // once done

 private:
  std::string nspace_;
  std::string key_ = PMIX_QUERY_PROC_TABLE;
  char* keys_[2] = {key_.data(), nullptr};
  pmix_info_t of_job_{};
};

bool has_ended(const pmix_proc_info_t& process) {
  switch (process.state) {
    case PMIX_PROC_STATE_TERMINATED:
    case PMIX_PROC_STATE_KILLED_BY_CMD:
    case PMIX_PROC_STATE_ABORTED:
    case PMIX_PROC_STATE_FAILED_TO_START:
    case PMIX_PROC_STATE_ABORTED_BY_SIG:
    case PMIX_PROC_STATE_TERM_WO_SYNC:
    case PMIX_PROC_STATE_CALLED_ABORT:
    case PMIX_PROC_STATE_TERM_NON_ZERO:
    case PMIX_PROC_STATE_FAILED_TO_LAUNCH:
      return true;
    default:
      return false;
  }
}

// Of the ranks in the table, one that has ended. A rank that a signal killed comes first: one that
// exited may have done so because of that. Open MPI 4 gives 0 for every exit status.
int first_dead(std::span<const pmix_proc_info_t* const> table) {
  int exited = -1;
  for (const pmix_proc_info_t* process : table) {
    if (process->state == PMIX_PROC_STATE_ABORTED_BY_SIG) return int(process->proc.rank);
    if (exited < 0 && has_ended(*process)) exited = int(process->proc.rank);
  }
  return exited;
}

// The standard's table is an array of processes; Open MPI 4 gives one of values that are processes.
std::vector<const pmix_proc_info_t*> rows_of(const pmix_info_t& answer) {
  std::vector<const pmix_proc_info_t*> rows;
  if (answer.value.type != PMIX_DATA_ARRAY || answer.value.data.darray == nullptr) return rows;
  const pmix_data_array_t& array = *answer.value.data.darray;
  for (std::size_t i = 0; i < array.size; ++i) {
    if (array.type == PMIX_PROC_INFO) {
      rows.push_back(static_cast<const pmix_proc_info_t*>(array.array) + i);
    } else if (array.type == PMIX_INFO) {
      const pmix_value_t& value = static_cast<const pmix_info_t*>(array.array)[i].value;
      if (value.type == PMIX_PROC_INFO && value.data.pinfo != nullptr)
        rows.push_back(value.data.pinfo);
    }
  }
  return rows;
}

void on_table(pmix_status_t error, pmix_info_t* answers, std::size_t count, void* data,
              pmix_release_cbfunc_t release, void* release_data) {
  const std::unique_ptr<std::shared_ptr<process_table>> to(
      static_cast<std::shared_ptr<process_table>*>(data));
  if (error == PMIX_SUCCESS && count != 0) (*to)->dead = first_dead(rows_of(answers[0]));
  if (release != nullptr) release(release_data);
  (*to)->finish(error, {});
}

void on_value(pmix_status_t error, pmix_value_t* value, void* data) {
  const std::unique_ptr<awaited_pointer> to(static_cast<awaited_pointer*>(data));
  std::string bytes;
  if (error == PMIX_SUCCESS && value != nullptr && value->type == PMIX_BYTE_OBJECT)
    bytes.assign(value->data.bo.bytes, value->data.bo.size);
  else if (error == PMIX_SUCCESS)
    error = PMIX_ERR_TYPE_MISMATCH;
  (*to)->finish(error, std::move(bytes));
}

void on_done(pmix_status_t error, void* data) {
  const std::unique_ptr<awaited_pointer> to(static_cast<awaited_pointer*>(data));
  (*to)->finish(error, {});
}

// Who serves this process, told before the library may say that it has gone. PMIX_RANK_UNDEF: the
// library does not know.
pmix_proc_t server_of_this_process;

// A library that does not know its server says nothing but that one has gone.
bool is_of_the_server(const pmix_proc_t* lost) {
  const pmix_proc_t& server = server_of_this_process;
  return lost == nullptr || server.rank == PMIX_RANK_UNDEF ||
         (lost->rank == server.rank &&
          std::strncmp(lost->nspace, server.nspace, PMIX_MAX_NSLEN) == 0);
}

// The launcher that would end this process when the job ends is gone. What else is lost is no
// concern of this process: the server tells, too, that a process of the program before has ended.
void on_lost_connection(std::size_t, pmix_status_t, const pmix_proc_t* lost, pmix_info_t[],
                        std::size_t, pmix_info_t*, std::size_t,
                        pmix_event_notification_cbfunc_fn_t done, void* data) {
  if (!is_of_the_server(lost)) {
    if (done != nullptr) done(PMIX_SUCCESS, nullptr, 0, nullptr, nullptr, data);
    return;
  }
  std::fprintf(stderr, "%s: the launcher that started this rank has gone; it ends too\n",
               base::process_label());
  std::fflush(stderr);
  base::end_process(base::kExitJobLost);
}

// The fence of a program is counted as broken where a rank's process of the program before it is
// seen to end. All processes in that fence are told, and none of those that come for it later.
bool is_of_a_lost_process(int error) {
  return error == PMIX_ERR_PARTIAL_SUCCESS || error == PMIX_ERR_LOST_CONNECTION;
}

std::uint64_t look_interval_ns(unsigned ranks) {
  return std::max(kLookMsMin, ranks * kLookMsPerRank) * kMs;
}

pmix_proc_t process(const std::string& nspace, pmix_rank_t rank) {
  pmix_proc_t p{};
  nspace.copy(p.nspace, PMIX_MAX_NSLEN);
  p.rank = rank;
  return p;
}

pmix_info_t yes(const char* key) {
  pmix_info_t info{};
  std::strncpy(info.key, key, PMIX_MAX_KEYLEN);
  info.value.type = PMIX_BOOL;
  info.value.data.flag = true;
  return info;
}

// What the library knows of a process without asking anybody, if it has the type that it should.
class known_value {
 public:
  known_value(const pmix_functions& call, const pmix_proc_t& of, const char* key,
              pmix_data_type_t type) {
    pmix_value_t* value = nullptr;
    error_ = call.get(&of, key, nullptr, 0, &value);
    value_.reset(value);
    if (error_ == PMIX_SUCCESS && value != nullptr && value->type != type) value_.reset();
  }
  explicit operator bool() const noexcept { return error_ == PMIX_SUCCESS && value_ != nullptr; }
  const pmix_value_t* operator->() const noexcept { return value_.get(); }
  int error() const noexcept { return error_; }

 private:
  struct release {
    void operator()(pmix_value_t* value) const noexcept {
      if (value->type == PMIX_STRING) std::free(value->data.string);
      std::free(value);
    }
  };
  std::unique_ptr<pmix_value_t, release> value_;
  int error_;
};

pmix_proc_t server_of(const pmix_functions& call, const pmix_proc_t& self) {
  const known_value nspace(call, self, PMIX_SERVER_NSPACE, PMIX_STRING);
  const known_value rank(call, self, PMIX_SERVER_RANK, PMIX_PROC_RANK);
  if (!nspace || !rank || nspace->data.string == nullptr) return process("", PMIX_RANK_UNDEF);
  return process(nspace->data.string, rank->data.rank);
}

}  // namespace

bool pmix_client::is_offered() noexcept { return std::getenv("PMIX_NAMESPACE") != nullptr; }

bool pmix_client::load(std::string& message) {
  static const pmix_functions* loaded = nullptr;
  if (loaded == nullptr) {
    auto call = std::make_unique<pmix_functions>();
    base::library& library = call->library;
    if (!library.open(kLibrary, kPackage, message) ||
        !library.find("PMIx_Init", call->init, message) ||
        !library.find("PMIx_Finalize", call->finalize, message) ||
        !library.find("PMIx_Abort", call->abort, message) ||
        !library.find("PMIx_Put", call->put, message) ||
        !library.find("PMIx_Commit", call->commit, message) ||
        !library.find("PMIx_Fence_nb", call->fence, message) ||
        !library.find("PMIx_Get", call->get, message) ||
        !library.find("PMIx_Get_nb", call->get_later, message) ||
        !library.find("PMIx_Error_string", call->error_string, message) ||
        !library.find("PMIx_Register_event_handler", call->on_event, message) ||
        !library.find("PMIx_Query_info_nb", call->query, message))
      return false;
    loaded = call.release();
  }
  call_ = loaded;
  return true;
}

std::string pmix_client::error_text(int error) const {
  const char* text = call_->error_string(error);
  return text != nullptr ? text : "error " + std::to_string(error);
}

status pmix_client::start(std::string& message) {
  pmix_proc_t self{};
  if (const int error = call_->init(&self, nullptr, 0); error != PMIX_SUCCESS) {
    message = "cannot reach the launcher's PMIx server: " + error_text(error);
    return status::environment;
  }
  server_of_this_process = server_of(*call_, self);
  pmix_status_t lost[] = {PMIX_ERR_LOST_CONNECTION, PMIX_ERR_LOST_CONNECTION_TO_SERVER};
  call_->on_event(lost, std::size(lost), nullptr, 0, on_lost_connection, nullptr, nullptr);
  nspace_ = self.nspace;
  rank_ = self.rank;
  const known_value size(*call_, process(nspace_, PMIX_RANK_WILDCARD), PMIX_JOB_SIZE, PMIX_UINT32);
  if (!size) {
    message = "PMIx does not tell the number of ranks: " + error_text(size.error());
    return status::environment;
  }
  ranks_ = size->data.uint32;
  next_look_ns_ = base::now_ns() + look_interval_ns(ranks_);
  return status::ok;
}

status pmix_client::publish(const std::string& key, const std::string& value,
                            std::string& message) {
  pmix_value_t carried{};
  carried.type = PMIX_BYTE_OBJECT;
  carried.data.bo.bytes = const_cast<char*>(value.data());  // it is copied
  carried.data.bo.size = value.size();
  int error = call_->put(PMIX_GLOBAL, key.c_str(), &carried);
  if (error == PMIX_SUCCESS) error = call_->commit();
  if (error == PMIX_SUCCESS) return status::ok;
  message = "cannot publish through PMIx: " + error_text(error);
  return status::environment;
}

// timed_out if the ranks have not come in time, peer_failed if one has died; else the server has
// answered, with `error`.
status pmix_client::fence(std::uint64_t end_ns, int& error) {
  const auto state = std::make_shared<awaited>();
  auto given = std::make_unique<awaited_pointer>(state);
  const pmix_proc_t all = process(nspace_, PMIX_RANK_WILDCARD);
  const pmix_info_t collect = yes(PMIX_COLLECT_DATA);
  error = call_->fence(&all, 1, &collect, 1, on_done, given.get());
  if (error == PMIX_OPERATION_SUCCEEDED) {
    error = PMIX_SUCCESS;
  } else if (error == PMIX_SUCCESS) {
    static_cast<void>(given.release());  // on_done's
    while (!state->wait(kLookMsMin * kMs)) {
      if (dead_rank() >= 0) return status::peer_failed;
      if (base::now_ns() >= end_ns) return status::timed_out;
    }
    error = state->error;
  }
  return status::ok;
}

status pmix_client::meet(const std::string& key, std::string& message) {
  const std::uint64_t end = base::now_ns() + kMeetMs * kMs;
  int error = PMIX_SUCCESS;
  while (base::now_ns() < end) {
    if (dead_rank() >= 0 || fence(end, error) == status::peer_failed) {
      message = death_in_start(dead_);
      return status::peer_failed;
    }
    if (error == PMIX_SUCCESS) return status::ok;
    if (!is_of_a_lost_process(error)) {
      message = "the ranks could not meet at the launcher (PMIx): " + error_text(error);
      return status::environment;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(kMeetAgainMs));
  }
  message = "rank " + std::to_string(first_without(key)) + " did not come within " +
            std::to_string(kMeetMs / 1000) +
            " s of waiting at the launcher (PMIx); does every process call ramjet::init?";
  return status::environment;
}

status pmix_client::find(unsigned rank, const std::string& key, std::uint64_t end_ns,
                         std::string& value, int& error) {
  const auto state = std::make_shared<awaited>();
  auto given = std::make_unique<awaited_pointer>(state);
  const pmix_proc_t owner = process(nspace_, rank);
  error = call_->get_later(&owner, key.c_str(), nullptr, 0, on_value, given.get());
  if (error != PMIX_SUCCESS) return status::environment;
  static_cast<void>(given.release());  // on_value's
  while (!state->wait(std::min(kLookMsMin * kMs, end_ns - std::min(end_ns, base::now_ns())))) {
    error = PMIX_ERR_TIMEOUT;
    if (dead_rank() >= 0) return status::peer_failed;
    if (base::now_ns() >= end_ns) return status::timed_out;
  }
  error = state->error;
  value = std::move(state->value);
  return error == PMIX_SUCCESS ? status::ok : status::environment;
}

status pmix_client::read(unsigned rank, const std::string& key, std::string& value,
                         std::string& message, unsigned within_ms) {
  const std::uint64_t end = base::now_ns() + within_ms * kMs;
  int error = PMIX_SUCCESS;
  do {
    if (find(rank, key, end, value, error) == status::ok) return status::ok;
    if (dead_rank() >= 0) {
      message = death_in_start(dead_);
      return status::peer_failed;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(kMeetAgainMs));
  } while (error == PMIX_ERR_NOT_FOUND && base::now_ns() < end);
  message = "PMIx does not give what rank " + std::to_string(rank) +
            " has published: " + error_text(error);
  return status::environment;
}

unsigned pmix_client::first_without(const std::string& key) {
  std::string value;
  int error;
  for (unsigned r = 0; r < ranks_; ++r)
    if (r != rank_ && find(r, key, base::now_ns() + kSearchMs * kMs, value, error) != status::ok)
      return r;
  return rank_;
}

void pmix_client::look_for_the_dead() {
  const auto table = std::make_shared<process_table>(nspace_);
  auto given = std::make_unique<std::shared_ptr<process_table>>(table);
  int error = call_->query(&table->question, 1, on_table, given.get());
  if (error == PMIX_SUCCESS) {
    static_cast<void>(given.release());  // on_table's
    if (!table->wait(kAnswerMs * kMs)) return;
    error = table->error;
  }
  tells_deaths_ = error == PMIX_SUCCESS;
  if (tells_deaths_) dead_ = table->dead;
}

int pmix_client::dead_rank() {
  if (dead_ < 0 && tells_deaths_ && base::now_ns() >= next_look_ns_) {
    look_for_the_dead();
    next_look_ns_ = base::now_ns() + look_interval_ns(ranks_);
  }
  return dead_;
}

int pmix_client::dead_rank_by_now() {
  for (unsigned look = 0; look < kLooksByNow && dead_ < 0 && tells_deaths_; ++look) {
    if (look != 0) std::this_thread::sleep_for(std::chrono::milliseconds(kLookByNowMs));
    look_for_the_dead();
  }
  return dead_;
}

void pmix_client::let_others_look() {
  if (dead_ < 0) return;
  std::this_thread::sleep_for(std::chrono::nanoseconds(look_interval_ns(ranks_)));
}

std::string death_in_start(int rank) {
  return "rank " + std::to_string(rank) + " died before the job had started";
}

void pmix_client::abort(int exit_status, const char* why) {
  call_->abort(exit_status, why, nullptr, 0);
}

void pmix_client::finish() { call_->finalize(nullptr, 0); }

}  // namespace ramjet::job
