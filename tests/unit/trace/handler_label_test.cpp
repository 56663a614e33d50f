// SPDX-License-Identifier: Apache-2.0
// The names of handlers as traces and messages print them.
#include "trace/handler_label.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "am/runtime.hpp"
#include "ramjet/hash_table.hpp"
#include "ramjet/procedure.hpp"
#include "ramjet/ramjet.hpp"
#include "ramjet/threads.hpp"

namespace {

using ramjet::trace::handler_label;
using testing::HasSubstr;
using testing::Not;

void on_ping(ramjet::request_token) {}
int twice(int x) { return 2 * x; }
std::int64_t add(std::int64_t* to, std::int64_t x) { return *to += x; }
void note(std::int64_t& value, std::int64_t x) { value = x; }
std::int64_t ask(const std::int64_t* value) { return value == nullptr ? 0 : *value; }

template <auto F>
std::string label() {
  return handler_label(ramjet::detail::handler<F>::name());
}
template <auto F>
using handlers = decltype(ramjet::detail::call_handlers_of<F>(F));

TEST(HandlerLabel, OfAUsersHandlerIsItsName) {
  EXPECT_EQ(label<on_ping>(), "on_ping");
  EXPECT_EQ(handler_label("... [with auto F = a::{anonymous}::on_b]"), "a::on_b");
  EXPECT_EQ(handler_label("... [F = &a::(anonymous namespace)::on_b]"), "a::on_b");
  EXPECT_EQ(handler_label("chosen in C"), "chosen in C");
}

TEST(HandlerLabel, OfACallIsTheFunctionsName) {
  EXPECT_EQ(label<&handlers<twice>::run>(), "twice");
  EXPECT_EQ(label<&handlers<twice>::done>(), "twice: result");
  EXPECT_EQ(label<&ramjet::detail::delivers<&handlers<twice>::done_by_number>::run>(),
            "twice: result");
  EXPECT_EQ(handler_label("... [with auto F = ramjet::detail::starts<{anonymous}::on_question, "
                          "ramjet::detail::argument_list<long int>, void>::run]"),
            "on_question");
}

TEST(HandlerLabel, OfAnOperationAtAnElementIsTheFunctionsName) {
  using procedure = ramjet::detail::procedure_of<add>;
  EXPECT_EQ(label<&handlers<&procedure::run>::run>(), "add");
  using part = ramjet::detail::table_part<std::int64_t, std::int64_t, std::hash<std::int64_t>>;
  EXPECT_EQ((label<&decltype(part::updates_with<note>(note))::run>()), "note");
  using questions = decltype(part::questions_with<ask>(ask));
  EXPECT_EQ(label<&handlers<&questions::answer>::run>(), "ask");
  EXPECT_EQ(label<&part::erase>(), "hash table: erase");
}

// A new handler of the library needs a label in src/trace/handler_label.cpp.
TEST(HandlerLabel, OfEachHandlerOfTheLibraryIsPlain) {
  ramjet::detail::number_handlers();
  for (const bool reply : {false, true}) {
    const unsigned count = reply ? ramjet::detail::reply_handlers().count
                                 : ramjet::detail::request_handlers().count;
    EXPECT_GT(count, 4u);
    for (unsigned i = 0; i < count; ++i) {
      const std::string name = ramjet::detail::handler_name(i, reply);
      const std::string shown = handler_label(name);
      EXPECT_THAT(shown, Not(HasSubstr("detail::"))) << name;
      EXPECT_THAT(shown, Not(HasSubstr("anonymous"))) << name;
      EXPECT_THAT(shown, Not(HasSubstr("ramjet"))) << name;
    }
  }
}

}  // namespace
