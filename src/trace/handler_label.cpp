// SPDX-License-Identifier: Apache-2.0
#include "trace/handler_label.hpp"

#include <algorithm>

namespace ramjet::trace {

namespace {

struct library_handler {
  std::string_view name;  // within ramjet::, without anonymous namespaces and template arguments
  std::string_view label;
};

constexpr library_handler kLibrary[] = {
    {"on_notify", "barrier"},
    {"note_entry", "store sync: stores sent"},
    {"detail::on_short", "collective: short message"},
    {"detail::on_part", "collective: part of a message"},
    {"detail::on_taken_wanted", "collective: question for received messages"},
    {"detail::on_taken", "collective: messages received"},
    {"detail::on_overdue", "collective: comparison of calls"},
    {"detail::on_enter", "agenda: entry"},
    {"detail::on_give", "agenda: tasks"},
    {"detail::on_done", "agenda: tasks done"},
    {"detail::on_over", "agenda: end"},
    {"detail::on_wake", "global memory: wake"},
    {"detail::far_request", "global memory: access"},
    {"detail::on_far_answer", "global memory: answer"},
    {"detail::table_part::set_to", "hash table: assign"},
    {"detail::table_part::copy_of", "hash table: find"},
    {"detail::table_part::erase", "hash table: erase"},
    {"c::run_procedure", "global memory: atomic procedure"},
    {"detail::trace_gathering::on_part", "trace: part of a file"},
    {"detail::trace_gathering::on_joined", "trace: file complete"},
    {"detail::trace_gathering::end_part", "trace: end of a part"},
    {"detail::trace_gathering::note_compared", "trace: clocks compared"},
    {"detail::trace_gathering::note_end", "trace: end of a rank"},
    {"detail::trace_gathering::report_time", "trace: clock"},
    {"splitc::check::on_answer", "Split-C check: answer"},
    {"splitc::check::on_batch", "Split-C check: accesses"},
    {"splitc::check::on_deposit", "Split-C check: deposit"},
    {"splitc::check::on_fetch", "Split-C check: fetch"},
    {"splitc::check::on_fetched", "Split-C check: fetched data"},
    {"splitc::check::on_pull", "Split-C check: question for accesses"},
    {"splitc::check::on_pulled", "Split-C check: list of accesses"},
    {"tam::on_ask", "TAM: question for work"},
    {"tam::on_ask_block", "TAM: question for a frame's block"},
    {"tam::on_block", "TAM: block of a frame"},
    {"tam::on_end", "TAM: end of the program"},
    {"tam::on_end_region", "TAM: end of a region"},
    {"tam::on_falloc", "TAM: frame allocation"},
    {"tam::on_fetch", "TAM: fetch"},
    {"tam::on_fetch_for", "TAM: fetch for a frame"},
    {"tam::on_fetch_line", "TAM: fetch of a line"},
    {"tam::on_fetch_outside", "TAM: fetch outside an array"},
    {"tam::on_fetch_shared", "TAM: fetch from a shared array"},
    {"tam::on_fetched", "TAM: fetched word"},
    {"tam::on_fetched_line", "TAM: fetched line"},
    {"tam::on_fill", "TAM: store"},
    {"tam::on_fill_shared", "TAM: store to a shared array"},
    {"tam::on_gift", "TAM: gift of work"},
    {"tam::on_known", "TAM: spread array known"},
    {"tam::on_length", "TAM: length of an array"},
    {"tam::on_let_go", "TAM: release at the end"},
    {"tam::on_make", "TAM: part of a new array"},
    {"tam::on_part", "TAM: array part made"},
    {"tam::on_parts", "TAM: parts of an array"},
    {"tam::on_spawn", "TAM: spawn"},
    {"tam::on_spawn_in_turn", "TAM: spawn in turn"},
    {"tam::on_token", "TAM: termination token"},
    {"tam::on_words0", "TAM: message without words"},
    {"tam::on_words1", "TAM: message of one word"},
    {"tam::on_words4", "TAM: message of several words"},
};

constexpr std::string_view kOwn = "ramjet::";

// Templates of the library around the function that a program passed.
struct wrapper {
  std::string_view name, member, suffix;
};
constexpr wrapper kWrappers[] = {
    {"call_handlers", "run", ""},
    {"call_handlers", "done", ": result"},
    {"call_handlers", "done_by_number", ": result"},
    {"call_in_thread", "run", ""},
    {"starts", "run", ""},
    {"delivers", "run", ""},
    {"delivers_payload", "run", ""},
    {"procedure", "run", ""},
    {"updates", "run", ""},
    {"questions", "answer", ""},
};

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// Without the qualifiers of anonymous namespaces, as GCC and Clang write them.
std::string without_anonymous(std::string_view text) {
  std::string plain(text);
  for (const std::string_view name : {"{anonymous}::", "(anonymous namespace)::", "<unnamed>::"})
    for (std::size_t at; (at = plain.find(name)) != plain.npos;) plain.erase(at, name.size());
  return plain;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == '&' || text.front() == ' ')) text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// The end of the first of a list of template arguments.
std::size_t end_of_argument(std::string_view list) {
  int depth = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const char c = list[i];
    if (depth == 0 && (c == ',' || c == '>')) return i;
    if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
    if (c == '>' || c == ')' || c == '}' || c == ']') --depth;
  }
  return list.size();
}

// Where the list of template arguments that ends the name starts.
std::size_t start_of_list(std::string_view name) {
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == '>') ++depth;
    if (name[i] == '<' && --depth == 0) return i;
  }
  return 0;
}

std::string_view unqualified(std::string_view name) {
  const std::size_t end = name.rfind("::");
  return end == name.npos ? name : name.substr(end + 2);
}

// Without template arguments.
std::string plain_of(std::string_view name) {
  std::string plain;
  int depth = 0;
  for (const char c : name) {
    if (c == '>') --depth;
    if (depth == 0 && c != '<' && c != '>') plain += c;
    if (c == '<') ++depth;
  }
  return plain;
}

std::string label_of_library(std::string_view name) {
  const std::string plain = plain_of(name);
  for (const library_handler& known : kLibrary)
    if (known.name == plain) return std::string(known.label);
  return "ramjet: " + std::string(unqualified(plain));
}

// Of a name without anonymous namespaces.
std::string label_of(std::string_view name) {
  name = trimmed(name);
  if (!starts_with(name, kOwn)) return std::string(name);
  name.remove_prefix(kOwn.size());
  const std::size_t end = name.rfind("::");
  if (end == name.npos || end == 0 || name[end - 1] != '>') return label_of_library(name);
  const std::size_t list = start_of_list(name.substr(0, end));
  const std::string_view outer = unqualified(name.substr(0, list)), member = name.substr(end + 2);
  for (const wrapper& w : kWrappers) {
    if (outer != w.name || member != w.member) continue;
    const std::string_view arguments = name.substr(list + 1);
    return label_of(arguments.substr(0, end_of_argument(arguments))) + std::string(w.suffix);
  }
  return label_of_library(name);
}

}  // namespace

std::string handler_label(std::string_view registered) {
  const std::size_t start = registered.rfind("F = ");
  if (start == registered.npos) return std::string(registered);
  registered.remove_prefix(start + 4);
  const std::size_t end = std::min(registered.find(';'), registered.rfind(']'));
  return label_of(without_anonymous(registered.substr(0, end)));
}

}  // namespace ramjet::trace
