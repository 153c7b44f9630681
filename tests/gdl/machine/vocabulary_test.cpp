// SPDX-License-Identifier: MIT
#include "gdl/machine/vocabulary.h"

#include <thread>

#include "tests/gdl/rules/rulesheet.h"

namespace ludens::gdl {
namespace {

class VocabularyTest : public testing::Test {
 protected:
  VocabularyTest()
      : vocabulary(normalise_text("(role White) (legal white (Move a (pos 1 2))) (legal white noop)"
                                  "(terminal) (goal white 0)")
                       .rules) {}
  [[nodiscard]] std::uint32_t symbol(const char* name) const {
    return *vocabulary.rules().symbols.find(name);
  }
  /// ( Move a ( pos 1 2 ) )
  [[nodiscard]] std::vector<std::uint32_t> move_cells() const {
    return {symbol("move") * 2 + 1, 2, symbol("a") * 2, symbol("pos") * 2 + 1, 2, symbol("1") * 2,
            symbol("2") * 2};
  }
  Vocabulary vocabulary;
};

TEST_F(VocabularyTest, IdsAreGivenInOrderAndKept) {
  const std::vector<std::uint32_t> noop{symbol("noop") * 2};
  EXPECT_EQ(vocabulary.move(move_cells()), 0U);
  EXPECT_EQ(vocabulary.move(noop), 1U);
  EXPECT_EQ(vocabulary.move(move_cells()), 0U);
  EXPECT_EQ(vocabulary.move_count(), 2U);
  EXPECT_EQ(vocabulary.fluent_count(), 0U) << "fluents have ids of their own";
  EXPECT_EQ(vocabulary.fluent(noop), 0U);
  EXPECT_EQ(vocabulary.move_term(0), move_cells());
}

TEST_F(VocabularyTest, PrintsAsTheRulesheetSpells) {
  vocabulary.move(move_cells());
  EXPECT_EQ(vocabulary.move_name(0), "( Move a ( pos 1 2 ) )");
  const std::vector<std::uint32_t> noop{symbol("noop") * 2};
  EXPECT_EQ(vocabulary.fluent_name(vocabulary.fluent(noop)), "noop");
}

/// What the vocabulary of these rules calls a constant that they name.
std::string name_of(const char* constant, const char* rules) {
  Vocabulary vocabulary(normalise_text(rules).rules);
  const std::vector<std::uint32_t> cells{*vocabulary.rules().symbols.find(constant) * 2};
  const std::string name = vocabulary.move_name(vocabulary.move(cells));
  EXPECT_EQ(vocabulary.rules().print(vocabulary.rules().rules.back().arguments[0]), name);
  return name;
}

TEST(VocabularySpelling, KeepsTheParenthesesOfConstants) {
  EXPECT_EQ(name_of("rock", "(q (rock))"), "( rock )");
  EXPECT_EQ(name_of("rock", "(q rock)"), "rock");
  EXPECT_EQ(name_of("rock", "(rock) (q rock)"), "rock") << "a relation is no constant";
  EXPECT_EQ(name_of("rock", "(q rock (rock)) (q rock)"), "rock") << "the first counts";
  EXPECT_EQ(name_of("rock", "(q rock) (legal a (rock)) (q (rock))"), "( rock )") << "or legal";
  EXPECT_EQ(name_of("rock", "(q (rock)) (legal a rock) (legal a (rock)) (q rock)"), "rock");
  EXPECT_EQ(name_of("a", "(role (a)) (q (a))"), "a") << "roles are words";
}

TEST(VocabularySpelling, KeepsThoseWithinTerms) {
  Vocabulary vocabulary(normalise_text("(p (f (x) y (g (x))))").rules);
  const Symbols& symbols = vocabulary.rules().symbols;
  const auto cell = [&](const char* name) { return *symbols.find(name) * 2; };
  const std::vector<std::uint32_t> cells{cell("f") + 1, 3, cell("x"), cell("y"),
                                         cell("g") + 1, 1, cell("x")};
  EXPECT_EQ(vocabulary.fluent_name(vocabulary.fluent(cells)), "( f ( x ) y ( g ( x ) ) )");
  EXPECT_EQ(vocabulary.find_fluent("(f x (y) (g x))"), 0U);
}

TEST_F(VocabularyTest, FindsMovesWithoutRegardToCase) {
  vocabulary.move(move_cells());
  const std::vector<std::uint32_t> noop{symbol("noop") * 2};
  vocabulary.move(noop);
  EXPECT_EQ(vocabulary.find_move("(move A (POS 1 2))"), 0U);
  EXPECT_EQ(vocabulary.find_move("NOOP"), 1U);
  EXPECT_EQ(vocabulary.find_move(" noop "), 1U);
}

TEST_F(VocabularyTest, FindsConstantsInParentheses) {
  vocabulary.move(move_cells());
  const std::vector<std::uint32_t> noop{symbol("noop") * 2};
  vocabulary.move(noop);
  EXPECT_EQ(vocabulary.find_move("( noop )"), 1U);
  EXPECT_EQ(vocabulary.find_move("( move ( a ) ( pos 1 ( 2 ) ) )"), 0U);
}

TEST_F(VocabularyTest, WhatIsNoKnownMoveIsNotFound) {
  const std::vector<std::uint32_t> noop{symbol("noop") * 2};
  vocabulary.move(noop);
  for (const char* text : {"", "(", ")", "( )", "noop noop", "(move a (pos 1 2))", "unheard-of",
                           "( ( noop ) )", "(noop noop)", "( move"}) {
    EXPECT_EQ(vocabulary.find_move(text), std::nullopt) << text;
  }
}

TEST_F(VocabularyTest, ThreadsAgreeOnIds) {
  constexpr std::uint32_t kTerms = 300;
  std::vector<std::vector<std::uint32_t>> ids(3);
  {
    std::vector<std::jthread> threads;
    for (auto& mine : ids) {
      threads.emplace_back([&] {
        for (std::uint32_t i = 0; i < kTerms; ++i) {
          std::vector<std::uint32_t> cells;  // a tower of i times `pos`
          for (std::uint32_t d = 0; d < i; ++d) {
            cells.insert(cells.end(), {symbol("pos") * 2 + 1, 1});
          }
          cells.push_back(symbol("a") * 2);
          mine.push_back(vocabulary.fluent(cells));
        }
      });
    }
  }
  EXPECT_EQ(ids[0], ids[1]);
  EXPECT_EQ(ids[0], ids[2]);
  EXPECT_EQ(vocabulary.fluent_count(), kTerms);
}

}  // namespace
}  // namespace ludens::gdl
