// SPDX-License-Identifier: Apache-2.0
// The innermost binding of a name, and what leaving a scope takes back.
#include "languages/splitc/compiler/semantics/scopes.hpp"

#include <gtest/gtest.h>

#include "languages/splitc/compiler/lex/lexer.hpp"
#include "languages/support/arena.hpp"

namespace splitcc {
namespace {

struct ScopeStack : testing::Test {
  arena memory;
  identifier_table identifiers;
  scope_stack scopes{memory};
  identifier* x = identifiers.find("x");
  entity outer, inner;
  type tagged;
};

TEST_F(ScopeStack, TheInnermostMeaningCounts) {
  EXPECT_EQ(scopes.look_up(x), nullptr);
  scopes.bind(x, &outer);
  scopes.enter();
  EXPECT_EQ(scopes.look_up(x), &outer);
  scopes.bind(x, &inner);
  EXPECT_EQ(scopes.look_up(x), &inner);
  scopes.leave();
  EXPECT_EQ(scopes.look_up(x), &outer);
  EXPECT_EQ(scopes.depth(), 0u);
}

TEST_F(ScopeStack, TagsHaveTheirOwnNames) {
  scopes.bind_tag(x, &tagged);
  EXPECT_EQ(scopes.look_up(x), nullptr);
  scopes.enter();
  EXPECT_EQ(scopes.look_up_tag(x), &tagged);
  EXPECT_EQ(scopes.look_up_tag_here(x), nullptr);
  scopes.bind(x, &inner);
  scopes.leave();
  EXPECT_EQ(scopes.look_up(x), nullptr);
  EXPECT_EQ(scopes.look_up_tag_here(x), &tagged);
}

TEST_F(ScopeStack, ThePrototypesScopeIsEnteredAgainWithTheBody) {
  std::vector<kept_name> kept;
  scopes.enter();
  scopes.bind(x, &inner);
  scopes.bind_tag(x, &tagged);
  scopes.leave(kept);
  EXPECT_EQ(scopes.look_up(x), nullptr);
  EXPECT_EQ(scopes.look_up_tag(x), nullptr);
  scopes.enter(kept);
  EXPECT_EQ(scopes.look_up(x), &inner);
  EXPECT_EQ(scopes.look_up_tag_here(x), &tagged);
  scopes.leave();
  EXPECT_EQ(scopes.look_up(x), nullptr);
}

TEST_F(ScopeStack, OnlyATypedefsIdentifierIsATypedefName) {
  token word{};
  word.kind = token_kind::identifier;
  word.name = x;
  EXPECT_FALSE(scopes.is_typedef_name(word));
  outer.kind = entity_kind::typedef_name;
  scopes.bind(x, &outer);
  EXPECT_TRUE(scopes.is_typedef_name(word));
  scopes.enter();
  inner.kind = entity_kind::variable;
  scopes.bind(x, &inner);
  EXPECT_FALSE(scopes.is_typedef_name(word));
  scopes.leave();
}

}  // namespace
}  // namespace splitcc
