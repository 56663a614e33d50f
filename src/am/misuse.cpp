// SPDX-License-Identifier: Apache-2.0
// Broken contracts of messages: each ends the process with one line that names the call, the
// handler, the rank, and what to do.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "am/coproc.hpp"
#include "am/engine_cold.hpp"
#include "am/runtime.hpp"
#include "base/process_label.hpp"
#include "job/join.hpp"
#include "ramjet/am.hpp"
#include "ramjet/job.hpp"
#include "ramjet/threads.hpp"
#include "trace/handler_label.hpp"

namespace ramjet::detail {

namespace {

std::string thread_handler_of(message_origin from) {
  return "the thread of " + trace::handler_label(from.handler) + ", which rank " +
         std::to_string(from.source.rank) + " requested";
}

[[noreturn]] void die_of_dropped_token(message_origin from, const char* how) noexcept {
  die_of_misuse((thread_handler_of(from) + ", dropped its thread_token" + how +
                 " without a reply: the requester would wait for ever. Reply, or call "
                 "thread_token::dismiss if it does not wait")
                    .c_str());
}

}  // namespace

void misuse(status s, const char* call, const char* handler, address to,
            std::size_t bytes) noexcept {
  const job::membership& m = job::self();
  const std::string name = trace::handler_label(handler);
  if (!initialized() || current_engine->ranks() == 0) no_endpoint(call);
  if (s == status::bad_rank) {
    std::fprintf(stderr,
                 "%s: %s<%s>: there is no rank %d, endpoint %u: the ranks are 0 to %u, their "
                 "endpoints 0 to %u (options::endpoints)\n",
                 base::process_label(), call, name.c_str(), to.rank, to.endpoint, m.ranks - 1,
                 m.layout.endpoints - (coprocessors_run() ? 2 : 1));
  } else if (s == status::too_large) {
    std::fprintf(stderr,
                 "%s: %s<%s> to rank %d: %zu bytes are over medium_bytes_max (%zu); send a long "
                 "message, or pieces\n",
                 base::process_label(), call, name.c_str(), to.rank, bytes, kMediumBytesMax);
  } else {
    std::fprintf(stderr, "%s: %s<%s> to rank %d: %s\n", base::process_label(), call, name.c_str(),
                 to.rank, to_string(s));
  }
  std::fflush(stderr);
  std::abort();
}

void refuse_destination(const char* call, const char* handler, address to, const void* destination,
                        std::size_t bytes) noexcept {
  const job::membership& m = job::self();
  const std::string name = trace::handler_label(handler);
  if (!initialized() || current_engine->ranks() == 0) no_endpoint(call);
  const std::uint64_t in_window =
      std::uint64_t(reinterpret_cast<std::uintptr_t>(destination)) - m.layout.window_base;
  const bool is_local = in_window < m.layout.segment_bytes;
  std::fprintf(
      stderr, "%s: %s<%s> to rank %d: %zu bytes there do not lie in that rank's segment (%s%s)\n",
      base::process_label(), call, name.c_str(), to.rank, bytes, to_string(status::bad_address),
      is_local ? ": it is what local() of a global pointer gives, which names this rank's "
                 "own memory; pass the global pointer itself, "
                 "in C its splitc_segment_address"
               : "");
  std::fflush(stderr);
  std::abort();
}

void refuse_late_reply(address source, std::uint64_t header) noexcept {
  const std::string name = trace::handler_label(handler_name(handler_of(header), false));
  die_of_misuse(("the request_token of " + name + ", which rank " + std::to_string(source.rank) +
                 " requested, was used after its handler had returned: reply inside the handler, "
                 "or use spawn_request, whose thread_token may be answered later")
                    .c_str());
}

void drop_thread_token(message_origin from) noexcept {
  if (!initialized() || !alive(from.source.rank)) return;
  if (std::uncaught_exceptions() == 0 || !current_engine->is_open()) die_of_dropped_token(from, "");
  current_engine->parts().dropped = {from.source.rank, from.handler};
}

void message_thread_threw(message_origin from) noexcept {
  die_of_exception(thread_handler_of(from).c_str());
}

void report_dropped_token(engine& e) noexcept {
  const auto& d = e.parts().dropped;
  if (d.handler != nullptr && alive(d.source))
    die_of_dropped_token({d.source, d.handler}, " in an exception");
}

}  // namespace ramjet::detail
