// SPDX-License-Identifier: Apache-2.0
// Atomic procedures of C programs. A message names its procedure by the index that the registry
// gave to the procedure's name, so ranks that know different ones do not join one job.
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "c/status.hpp"
#include "ramjet/ramjet.hpp"
#include "ramjet/splitc.h"

using ramjet::detail::engine;
using ramjet::detail::peer;
using ramjet::detail::word;

// What splitc_procedure_named returns; lives as long as the process.
struct splitc_procedure {
  splitc_function function;
  std::size_t element_bytes;
  std::string name;
  std::uint16_t index = 0;
  ramjet::detail::handler_record record{};
};

namespace ramjet::c {
namespace {

using words = std::array<std::uint64_t, RAMJET_ARGUMENTS_MAX>;

std::vector<std::unique_ptr<splitc_procedure>>& procedures() {
  static std::vector<std::unique_ptr<splitc_procedure>> all;
  return all;
}

// The record only holds a name's place: no message runs it.
void refuse(engine&, peer&, word*, std::uint64_t) {
  RAMJET_CHECK(false, "a message names an atomic procedure as its handler");
}

const splitc_procedure& procedure_of(std::uint32_t index) {
  for (const auto& p : procedures())
    if (p->index == index) return *p;
  RAMJET_CHECK(false, "a message names no atomic procedure of this program");
  __builtin_unreachable();
}

std::uint64_t run_procedure(std::uint32_t index, std::uint64_t bits, std::uint32_t count,
                            words arguments) {
  const splitc_procedure& f = procedure_of(index);
  RAMJET_CHECK(
      ramjet::detail::rank_of(bits) == ramjet::detail::space.rank() && count <= arguments.size(),
      "an atomic procedure came to the wrong rank, or with too many arguments");
  return f.function(ramjet::detail::reach(bits, f.element_bytes, "atomic procedure"),
                    arguments.data(), count);
}

ramjet::future<std::uint64_t> start(const splitc_procedure* f, splitc_global at,
                                    const std::uint64_t* arguments, unsigned count) {
  RAMJET_CHECK(f != nullptr, "splitc_atomic names no procedure");
  RAMJET_CHECK(count <= RAMJET_ARGUMENTS_MAX,
               "an atomic procedure takes at most 8 argument words (RAMJET_ARGUMENTS_MAX)");
  RAMJET_CHECK(count == 0 || arguments != nullptr,
               "an atomic procedure's arguments are null, and their count is not 0");
  static_cast<void>(ramjet::detail::reach(at.bits, f->element_bytes, "splitc_atomic"));
  words copied{};
  if (count != 0) std::memcpy(copied.data(), arguments, count * sizeof *arguments);
  return ramjet::call<&run_procedure>(splitc_toproc(at), std::uint32_t(f->index), at.bits,
                                      std::uint32_t(count), copied);
}

}  // namespace
}  // namespace ramjet::c

extern "C" {

splitc_procedure* splitc_procedure_named(const char* name, splitc_function f,
                                         size_t element_bytes) {
  RAMJET_CHECK(name != nullptr && f != nullptr, "an atomic procedure has a name and a function");
  const std::string full_name = std::string(name) + " (atomic procedure)";
  for (const auto& p : ramjet::c::procedures())
    RAMJET_CHECK(p->name != full_name, "an atomic procedure's name is taken");
  ramjet::c::procedures().push_back(std::make_unique<splitc_procedure>());
  splitc_procedure* p = ramjet::c::procedures().back().get();
  p->function = f;
  p->element_bytes = element_bytes;
  p->name = full_name;
  p->record = {p->name.c_str(), &ramjet::c::refuse, p, &p->index, false, nullptr};
  ramjet::detail::register_handler(&p->record);
  return p;
}

ramjet_status splitc_atomic(const splitc_procedure* f, splitc_global at, const uint64_t* arguments,
                            unsigned count) {
  return c_status(ramjet::detail::end_at_sync(ramjet::c::start(f, at, arguments, count)));
}

ramjet_status splitc_atomic_call(const splitc_procedure* f, splitc_global at,
                                 const uint64_t* arguments, unsigned count, uint64_t* result) {
  auto ended = ramjet::c::start(f, at, arguments, count);
  const ramjet::status s = ended.wait();
  if (s == ramjet::status::ok && result != nullptr) *result = ended.get();
  return c_status(s);
}

}  // extern "C"
