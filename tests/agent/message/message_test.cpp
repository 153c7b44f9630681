// SPDX-License-Identifier: MIT
// Messages as values: whether rules hide information, and what was perceived in the words of a
// game.
#include "agent/message/message.h"

#include <gtest/gtest.h>

#include "agent/message/moves.h"
#include "tests/agent/hidden_games.h"

namespace ludens::agent {
namespace {

TEST(HidesInformation, WhereAnyRuleTellsPercepts) {
  EXPECT_TRUE(hides_information(part_of(kHiding)));
  EXPECT_TRUE(hides_information(part_of("((role a) (sees a x))"))) << "a fact";
  EXPECT_TRUE(hides_information(part_of("((<= (SEES a x) (true y)))"))) << "letter case";
  EXPECT_FALSE(hides_information(part_of("((role a) (<= (next (sees a)) (true (sees a))))")));
  EXPECT_FALSE(hides_information(part_of("((role sees) (legal sees sees))")));
}

TEST(HidesInformation, NothingInWhatIsNoListOfRules) {
  EXPECT_FALSE(hides_information({}));
  for (const char* odd : {"sees", "()", "(sees)", "((<=))", "(())", "((()))", "((<= sees))"}) {
    EXPECT_FALSE(hides_information(part_of(odd))) << odd;
  }
}

class PerceivedTerms : public testing::Test {
 protected:
  PerceivedTerms() {
    const Part rules = part_of(kHiding);
    names.emplace(gdl::normalise(rules.tree, rules.node).rules);
  }
  std::optional<gdl::Vocabulary> names;
};

TEST_F(PerceivedTerms, OfTextAndOfCellsAreTheSame) {
  const auto id = intern_percept(*names, part_of("(FOUND A)"));
  ASSERT_TRUE(id);
  EXPECT_EQ(names->percept_name(*id), "( found a )") << "in the spelling of the rules";
  const Part text = part_of("( found a )");
  const auto cells = gdl::ground_term(names->rules().symbols, *text.tree, text.node);
  ASSERT_TRUE(cells);
  EXPECT_EQ(intern_percept(*names, *cells), id);
  EXPECT_EQ(intern_move(*names, ReportedTerm(*cells)).has_value(), true);
  EXPECT_EQ(term_text(names->rules(), *cells), "( found a )");
  EXPECT_EQ(term_text(names->rules(), text), "( found a )");
}

TEST_F(PerceivedTerms, HaveTheWordsOfTheGame) {
  EXPECT_EQ(intern_percept(*names, part_of("( found z )")), std::nullopt);
  EXPECT_EQ(intern_percept(*names, part_of("( ( found ) a )")), std::nullopt);
  EXPECT_EQ(intern_percept(*names, part_of("( a )")), intern_percept(*names, part_of("a")));
}

TEST_F(PerceivedTerms, AreNoMoves) {
  EXPECT_EQ(move_count(Perceived{1, part_of("( look a )"), {part_of("( found a )")}}), 0u);
}

}  // namespace
}  // namespace ludens::agent
