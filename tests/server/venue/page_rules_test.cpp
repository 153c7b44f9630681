// SPDX-License-Identifier: MIT
// Roles and moves whose names HRF does not have, as pages are told them.
#include <gmock/gmock.h>

#include "server/game/rulesheet.h"
#include "server/venue/manager_words.h"

namespace ludens::server {
namespace {

TEST(PageRules, RolesAndMovesHaveOneNameInRulesAndMessages) {
  const Rulesheet sheet =
      read_rulesheet("names",
                     "(role White) (role b-2) (init (control White)) (goal White 1) (goal b-2 1)\n"
                     "(<= (next (control b-2)) (true (control White)))\n"
                     "(<= (next (control White)) (true (control b-2)))\n"
                     "(<= (legal ?r (put a-1 X)) (true (control ?r)))\n"
                     "(<= (legal ?r noop) (role ?r) (not (true (control ?r))))\n"
                     "(<= (next over) (does b-2 (put a-1 X))) (<= terminal (true over))");
  const auto rules = write_page_rules(*sheet.rules);
  ASSERT_TRUE(rules) << rules.error().text;
  EXPECT_THAT(rules->ruleset, testing::StartsWith("ruleset(role(white),role(b_2),"));
  EXPECT_THAT(rules->ruleset, testing::HasSubstr("legal(put(a_1,x))"));
  EXPECT_EQ(rules->for_page("White"), "white");
  EXPECT_EQ(rules->for_page("b-2"), "b_2");
  EXPECT_EQ(rules->last_move({"noop", "( put a-1 X )"}), "put(a_1,x)");
  EXPECT_EQ(rules->last_move({}), "[]");
  EXPECT_EQ(rules->of_page("put(a_1,x)"), "(put a-1 x)");
}

}  // namespace
}  // namespace ludens::server
