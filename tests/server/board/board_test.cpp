// SPDX-License-Identifier: MIT
#include "server/board/board.h"

#include <string>

#include "server/board/text_board.h"
#include "server/game/rulesheet.h"
#include "server/match/scrambler.h"
#include "tests/server/board/drawn_boards.h"

namespace ludens::server {
namespace {

const char* const kMarks =
    "(role x) (role o) (n 1) (n 2) (n 3) (init (control x))"
    "(<= (init (cell ?c ?r blank)) (n ?c) (n ?r))"
    "(<= (legal ?p (mark ?c ?r)) (true (cell ?c ?r blank)) (role ?p))"
    "(<= (next (cell ?c ?r ?p)) (does ?p (mark ?c ?r)))"
    "(<= (next (cell ?c ?r ?v)) (true (cell ?c ?r ?v)))"
    "(<= (next (control o)) (true (control x)))";

const char* const kEmptyMarks =
    "( ( cell 1 1 blank ) ( cell 1 2 blank ) ( cell 1 3 blank ) ( cell 2 1 blank ) ( cell 2 2 "
    "blank ) ( cell 2 3 blank ) ( cell 3 1 blank ) ( cell 3 2 blank ) ( cell 3 3 blank ) ( control "
    "x ) )";

TEST(Board, DrawsAGridWithTheFirstCoordinateAcrossAndRowOneBelow) {
  EXPECT_EQ(drawn(kMarks, kEmptyMarks,
                  "( ( cell 1 1 x ) ( cell 1 2 blank ) ( cell 3 3 o ) ( control o ) )"),
            "3  . . o\n"
            "2  . . .\n"
            "1  x . .\n"
            "   1 2 3\n"
            "control o\n");
}

TEST(Board, FindsSquaresThatAreEmptyUntilSomethingIsThere) {
  const char* const rules =
      "(role red) (role black) (col a) (col b) (col c) (row 1) (row 2) (init (control red))"
      "(<= (legal ?p (drop ?c ?r)) (col ?c) (row ?r) (role ?p))"
      "(<= (next (at ?c ?r ?p)) (does ?p (drop ?c ?r)))";
  EXPECT_EQ(drawn(rules, "( ( control red ) )", "( ( at a 1 red ) ( at c 2 black ) )"),
            "2  . . b\n"
            "1  r . .\n"
            "   a b c\n"
            "b black, r red\n");
}

TEST(Board, WritesTwoSidesInUpperAndLowerCase) {
  const char* const rules =
      "(role white) (role black) (row 1) (row 2) (row 3) (row 4) (file a) (file b)"
      "(init (cell a 1 wk)) (init (cell b 1 wp)) (init (cell a 4 bk)) (init (cell b 4 bp))"
      "(<= (init (cell ?f 2 b)) (file ?f)) (<= (init (cell ?f 3 b)) (file ?f))";
  EXPECT_EQ(drawn(rules,
                  "( ( cell a 1 wk ) ( cell b 1 wp ) ( cell a 4 bk ) ( cell b 4 bp ) ( cell a 2 b "
                  ") ( cell b 2 b ) ( cell a 3 b ) ( cell b 3 b ) )",
                  "( ( cell a 1 wk ) ( cell b 1 b ) ( cell a 4 bk ) ( cell b 4 bp ) ( cell a 2 b ) "
                  "( cell b 2 wp ) ( cell a 3 b ) ( cell b 3 b ) )"),
            "4  k p\n"
            "3  . .\n"
            "2  . P\n"
            "1  K .\n"
            "   a b\n"
            "k bk, p bp, K wk, P wp\n");
}

TEST(Board, OrdersCoordinatesByASuccessorChain) {
  const char* const rules =
      "(role r) (succ zo ka) (succ ka mi) (cell_of zo) (cell_of mi) (cell_of ka)"
      "(<= (next (stone ?x ?y)) (does r (put ?x ?y)))"
      "(<= (legal r (put ?x ?y)) (cell_of ?x) (cell_of ?y))";
  EXPECT_EQ(drawn(rules, "( )", "( ( stone ka mi ) ( stone zo zo ) )"),
            "mi   .  s  .\n"
            "ka   .  .  .\n"
            "zo   s  .  .\n"
            "    zo ka mi\n"
            "s stone\n");
}

/// Pairs of them would take hours.
TEST(Board, IsNotLookedForInAHundredThousandArguments) {
  std::string names, variables;
  for (int i = 0; i < 100'000; ++i) {
    names += " c";
    variables += " ?x" + std::to_string(i);
  }
  const std::string rules = "(role r) (legal r go) (init (f" + names + ")) (<= (next (f" +
                            variables + ")) (true (f" + variables + ")))";
  EXPECT_FALSE(Board(*read_rulesheet("test", rules).rules, "( ( f" + names + " ) )").found());
}

TEST(Board, DoesNotDependOnNames) {
  const Rulesheet plain = read_rulesheet("test", kMarks);
  const Scrambler scrambler(*plain.rules->source, 11);
  const Rulesheet scrambled = read_rulesheet("test", scrambler.scramble(kMarks));
  const Board board(*scrambled.rules, scrambler.scramble(kEmptyMarks));
  ASSERT_TRUE(board.found());
  const Picture picture =
      board.picture(scrambler.scramble("( ( cell 2 1 x ) ( cell 2 2 blank ) )"));
  ASSERT_EQ(picture.grids.size(), 1u);
  EXPECT_EQ(picture.grids[0].cells[2][1], (std::vector<std::string>{scrambler.scramble("x")}));
  EXPECT_EQ(board.symbols().empty_name, scrambler.scramble("blank"));
}

TEST(Board, TakesHeapsAndCountersForWhatTheyAre) {
  const char* const rules =
      "(role p) (init (heap a 2)) (init (heap b 3)) (init (step 0)) (init open)"
      "(succ 0 1) (succ 1 2) (succ 2 3) (<= (next (heap ?h ?n)) (true (heap ?h ?m)) (succ ?n ?m))";
  EXPECT_EQ(drawn(rules, "( ( heap a 2 ) ( heap b 3 ) ( step 0 ) open )",
                  "( ( heap a 2 ) ( heap b 3 ) ( step 0 ) open )"),
            "step 0\n"
            "heap: a 2, b 3\n"
            "open\n");
}

TEST(Board, PutsEveryFluentInOnePlace) {
  const Rulesheet sheet = read_rulesheet("test", kMarks);
  const Picture picture =
      Board(*sheet.rules, kEmptyMarks)
          .picture("( ( cell 9 9 x ) ( cell 1 1 ( pair a b ) ) ( new 1 2 ) p )");
  std::size_t shown = 0;
  for (const auto& row : picture.grids[0].cells) {
    for (const auto& things : row) shown += things.size();
  }
  for (const auto* groups : {&picture.controls, &picture.facts}) {
    for (const FactGroup& group : *groups) shown += group.facts.size();
  }
  EXPECT_EQ(shown, 4u);
}

TEST(Board, LaysLayersBesideOneAnother) {
  const char* const rules =
      "(role x) (n 1) (n 2) (<= (legal x (mark ?a ?b ?c)) (n ?a) (n ?b) (n ?c))"
      "(<= (next (cell ?a ?b ?c ?p)) (does ?p (mark ?a ?b ?c)))";
  EXPECT_EQ(drawn(rules, "( )", "( ( cell 1 1 1 x ) ( cell 2 1 2 x ) )"),
            "   1         2\n"
            "2  . .    2  . .\n"
            "1  x .    1  . x\n"
            "   1 2       1 2\n");
}

}  // namespace
}  // namespace ludens::server
