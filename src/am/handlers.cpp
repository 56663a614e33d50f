// SPDX-License-Identifier: Apache-2.0
// The handler registry. Filled by static initialisers and the start of main, numbered once.
#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "am/runtime.hpp"
#include "ramjet/detail/base/check.hpp"

namespace ramjet::detail {

namespace {

handler_record* first_record = nullptr;
bool numbered = false;
// Never destroyed: while the process exits, a co-processor may still read them.
std::vector<handler_entry>& request_entries = *new std::vector<handler_entry>;
std::vector<handler_entry>& reply_entries = *new std::vector<handler_entry>;
std::vector<const char*>& request_names = *new std::vector<const char*>;
std::vector<const char*>& reply_names = *new std::vector<const char*>;

// FNV-1a.
std::uint64_t hash_text(std::uint64_t h, const char* text) {
  for (; *text != '\0'; ++text) h = (h ^ std::uint8_t(*text)) * 0x100000001b3;
  return (h ^ 0xff) * 0x100000001b3;
}

}  // namespace

bool register_handler(handler_record* record) noexcept {
  RAMJET_CHECK(!numbered,
               "a handler was registered after the job had started; register it (or load "
               "the library that holds it) before ramjet::init");
  record->next = first_record;
  first_record = record;
  return true;
}

std::uint64_t number_handlers() {
  numbered = true;
  std::vector<handler_record*> records;
  for (handler_record* r = first_record; r != nullptr; r = r->next) records.push_back(r);
  std::stable_sort(records.begin(), records.end(),
                   [](auto* a, auto* b) { return std::strcmp(a->name, b->name) < 0; });
  std::uint64_t hash = 0xcbf29ce484222325;
  request_entries.clear();
  reply_entries.clear();
  request_names.clear();
  reply_names.clear();
  for (handler_record* r : records) {
    std::vector<handler_entry>& table = r->reply ? reply_entries : request_entries;
    RAMJET_CHECK(table.size() < kHandlersMax, "more than 65536 handlers of one kind");
    *r->index = std::uint16_t(table.size());
    table.push_back({r->run, r->context});
    (r->reply ? reply_names : request_names).push_back(r->name);
    hash = hash_text(hash, r->name);
  }
  return hash;
}

handler_table request_handlers() noexcept {
  return {request_entries.data(), unsigned(request_entries.size())};
}
handler_table reply_handlers() noexcept {
  return {reply_entries.data(), unsigned(reply_entries.size())};
}

const char* handler_name(unsigned index, bool reply) noexcept {
  return (reply ? reply_names : request_names)[index];
}

bool is_answer(unsigned handler) noexcept {
  return std::string_view(handler_name(handler, false)).find("ramjet::detail::delivers") !=
         std::string_view::npos;
}

}  // namespace ramjet::detail
