// SPDX-License-Identifier: Apache-2.0
#include "languages/support/arguments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "languages/support/failure.hpp"

namespace {

using testing::ThrowsMessage;

TEST(arguments, whole_words_are_taken) {
  EXPECT_EQ(frontend::int_argument("-12"), -12);
  EXPECT_EQ(frontend::int_argument("9223372036854775807"),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(frontend::float_argument("1e-3"), 0.001);
  EXPECT_TRUE(frontend::bool_argument("true"));
  EXPECT_FALSE(frontend::bool_argument("false"));
}

TEST(arguments, other_words_are_refused_by_name) {
  for (const char* const word : {"", " 3", "3 ", "3x", "0x10", "9223372036854775808", "1.5"})
    EXPECT_THAT([&] { frontend::int_argument(word); },
                ThrowsMessage<frontend::usage_error>("the argument '" + std::string(word) +
                                                     "' is not an int"));
  for (const char* const word : {"", "1e400", "x", "1.5f"})
    EXPECT_THAT([&] { frontend::float_argument(word); },
                ThrowsMessage<frontend::usage_error>("the argument '" + std::string(word) +
                                                     "' is not a float"));
  EXPECT_THAT(
      [] { frontend::bool_argument("yes"); },
      ThrowsMessage<frontend::usage_error>("the argument 'yes' is not a bool: true or false"));
}

TEST(arguments, another_number_of_them_is_refused_with_their_types) {
  EXPECT_NO_THROW(frontend::check_argument_count({"1", "2"}, {"int", "float"}));
  EXPECT_THAT([] { frontend::check_argument_count({}, {"int"}); },
              ThrowsMessage<frontend::usage_error>("the program takes 1 argument: int"));
  EXPECT_THAT([] { frontend::check_argument_count({"1"}, {"int", "float"}); },
              ThrowsMessage<frontend::usage_error>("the program takes 2 arguments: int, float"));
  EXPECT_THAT([] { frontend::check_argument_count({"1"}, {}); },
              ThrowsMessage<frontend::usage_error>("the program takes 0 arguments"));
}

}  // namespace
