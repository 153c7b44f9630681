// SPDX-License-Identifier: MIT
// What of a game is its board: the rules of thumb, each on a rulesheet of its own.
#include <gtest/gtest.h>

#include <string>

#include "server/board/board.h"
#include "server/board/text_board.h"
#include "server/game/rulesheet.h"
#include "tests/server/board/drawn_boards.h"

namespace ludens::server {
namespace {

std::string numbers(int last) {
  std::string facts;
  for (int n = 0; n < last; ++n) {
    facts += "(succ " + std::to_string(n) + " " + std::to_string(n + 1) + ")";
  }
  return facts;
}

TEST(Finding, LaysBoardsOfLikeNamesBesideOneAnother) {
  const std::string rules =
      "(role red) (role blue) (n 1) (n 2)"
      "(<= (base (cell_left ?x ?y ?p)) (n ?x) (n ?y) (role ?p))"
      "(<= (base (cell_right ?x ?y ?p)) (n ?x) (n ?y) (role ?p))"
      "(<= (legal ?p (left ?x ?y)) (role ?p) (n ?x) (n ?y))"
      "(<= (legal ?p (right ?x ?y)) (role ?p) (n ?x) (n ?y))"
      "(<= (next (cell_left ?x ?y ?p)) (does ?p (left ?x ?y)))"
      "(<= (next (cell_right ?x ?y ?p)) (does ?p (right ?x ?y)))";
  EXPECT_EQ(drawn(rules, "( )", "( ( cell_left 1 1 red ) ( cell_right 2 1 blue ) )"),
            "   cell_left       cell_right\n"
            "2  . .          2  . .\n"
            "1  r .          1  . b\n"
            "   1 2             1 2\n"
            "b blue, r red\n");
  const Board board = board_of(rules, "( )");
  ASSERT_EQ(board.squares_of("( right 2 1 )").squares.size(), 1u);
  EXPECT_EQ(board.squares_of("( right 2 1 )").squares[0], (Square{1, 1, 1}));
  EXPECT_EQ(board.squares_of("( left 2 1 )").squares[0], (Square{1, 1, 0}));
}

TEST(Finding, LaysNamedBoardsBesideOneAnother) {
  const std::string state =
      "( ( cell east 1 1 x ) ( cell east 1 2 b ) ( cell east 2 1 b ) ( cell east 2 2 b )"
      " ( cell west 1 1 b ) ( cell west 1 2 b ) ( cell west 2 1 b ) ( cell west 2 2 o ) )";
  EXPECT_EQ(
      drawn("(role x) (role o) (n 1) (n 2) (half east) (half west) (thing x) (thing o) (thing b)"
            "(<= (init (cell ?h ?x ?y ?t)) (half ?h) (n ?x) (n ?y) (thing ?t))",
            state),
      "   east       west\n"
      "2  . .     2  . o\n"
      "1  x .     1  . .\n"
      "   1 2        1 2\n");
}

TEST(Finding, CutsTheNumbersOfACounterToThoseOfTheBoard) {
  const std::string rules =
      "(role p) (index 1) (index 2) (index 3)" + numbers(20) +
      "(init (at 1 2 king)) (<= (legal p (up ?x ?y)) (true (at ?x ?y king)))"
      "(<= (next (at ?x ?v king)) (does p (up ?x ?y)) (index ?x) (succ ?y ?v))"
      "(<= (next (at ?u ?y king)) (does p (up ?x ?y)) (succ ?x ?u))";
  EXPECT_EQ(drawn(rules, "( ( at 1 2 king ) )"),
            "3  . . .\n"
            "2  k . .\n"
            "1  . . .\n"
            "   1 2 3\n"
            "k king\n");
}

TEST(Finding, TakesSquaresWithNamesBeforePairsOfNumbersThatAreNotThere) {
  std::string rules = "(role red) (role blue)" + numbers(4), state = "(";
  for (const char column : {'a', 'b', 'c'}) {
    for (const char row : {'1', '2', '3'}) {
      const std::string fact = std::string("(cell ") + column + row + " blank)";
      rules += "(init " + fact + ")";
      state += " " + fact;
    }
  }
  rules +=
      "(<= (next (cell ?s ?p)) (does ?p (put ?s)))"
      "(<= (next (score ?a ?b)) (succ ?a ?x) (succ ?b ?y))";
  EXPECT_EQ(drawn(rules, state + " )"),
            "3  . . .\n"
            "2  . . .\n"
            "1  . . .\n"
            "   a b c\n");
}

TEST(Finding, ShowsWhatIsThereFromTheStartAndIsTakenAway) {
  const std::string rules =
      "(role p) (n 1) (n 2) (<= (init (bar ?x ?y)) (n ?x) (n ?y))"
      "(<= (next (bar ?x ?y)) (true (bar ?x ?y)) (not (does p (eat ?x ?y))))";
  const std::string full = "( ( bar 1 1 ) ( bar 1 2 ) ( bar 2 1 ) ( bar 2 2 ) )";
  EXPECT_EQ(drawn(rules, full, "( ( bar 1 1 ) ( bar 1 2 ) ( bar 2 1 ) )"),
            "2  b .\n"
            "1  b b\n"
            "   1 2\n"
            "b bar\n");
}

TEST(Finding, TakesForTheBoardWhatIsAlwaysThere) {
  const std::string rules =
      "(role p) (n 1) (n 2) (n 3)" + numbers(3) +
      "(<= (init (floor ?x ?y)) (n ?x) (n ?y)) (<= (next (floor ?x ?y)) (true (floor ?x ?y)))"
      "(init (place cat 1 2)) (<= (next (place cat ?x ?v)) (true (place cat ?x ?y)) (succ ?y ?v))"
      "(<= (next (place cat ?x ?v)) (true (place cat ?x ?y)) (succ ?v ?y))"
      "(<= (next (place cat ?v ?y)) (true (place cat ?x ?y)) (succ ?x ?v))";
  std::string state = "( ( place cat 1 2 )";
  for (const char x : {'1', '2', '3'}) {
    for (const char y : {'1', '2', '3'}) state += std::string(" ( floor ") + x + " " + y + " )";
  }
  EXPECT_EQ(drawn(rules, state + " )"),
            "3  . . .\n"
            "2  c . .\n"
            "1  . . .\n"
            "   1 2 3\n"
            "c place cat\n");
}

TEST(Finding, LaysHeapsInARow) {
  EXPECT_EQ(drawn("(role p) (init (heap a n3)) (init (heap b n2)) (init (heap c n3))"
                  "(succ n0 n1) (succ n1 n2) (succ n2 n3)"
                  "(<= (next (heap ?h ?m)) (true (heap ?h ?n)) (succ ?m ?n))",
                  "( ( heap a n3 ) ( heap b n2 ) ( heap c n3 ) )"),
            "  3 2 3\n"
            "  a b c\n"
            "2 n2, 3 n3\n");
}

TEST(Finding, LaysPitsThatLeadRoundInTwoRows) {
  const std::string rules =
      "(role p) (next_pit a b) (next_pit b c) (next_pit c d) (next_pit d e) (next_pit e f)"
      "(next_pit f a)" +
      numbers(6) +
      "(init (pit a 1)) (init (pit b 2)) (init (pit c 3)) (init (pit d 4)) (init (pit e 5))"
      "(init (pit f 6)) (<= (next (pit ?h ?m)) (true (pit ?h ?n)) (succ ?m ?n))";
  EXPECT_EQ(
      drawn(rules, "( ( pit a 1 ) ( pit b 2 ) ( pit c 3 ) ( pit d 4 ) ( pit e 5 ) ( pit f 6 ) )"),
      "  f e d\n"
      "  6 5 4\n"
      "  1 2 3\n"
      "  a b c\n");
}

TEST(Finding, DoesNotTakeScoresOfRolesForHeaps) {
  const std::string rules = "(role a) (role b) (role c)" + numbers(3) +
                            "(init (score a 0)) (init (score b 0)) (init (score c 0))"
                            "(<= (next (score ?r ?m)) (true (score ?r ?n)) (succ ?n ?m))";
  EXPECT_EQ(drawn(rules, "( ( score a 0 ) ( score b 0 ) ( score c 0 ) )"),
            "score: a 0, b 0, c 0\n");
}

const char* const kTowers =
    "(role p) (init (on disc1 disc2)) (init (on disc2 disc3)) (init (on disc3 post1))"
    "(init (clear disc1)) (init (clear post2)) (fits disc1 disc2) (fits disc1 disc3)"
    "(fits disc2 disc3) (fits disc1 post1) (fits disc1 post2) (fits disc2 post1) (fits disc2 post2)"
    "(fits disc3 post1) (fits disc3 post2)"
    "(<= (legal p (put ?x ?y)) (true (clear ?x)) (true (clear ?y)) (fits ?x ?y))"
    "(<= (next (on ?x ?y)) (does p (put ?x ?y)))"
    "(<= (next (clear ?y)) (does p (put ?x ?z)) (true (on ?x ?y)))";

TEST(Finding, BuildsTowersOfWhatStandsOnOneAnother) {
  const std::string initial =
      "( ( on disc1 disc2 ) ( on disc2 disc3 ) ( on disc3 post1 ) ( clear disc1 ) ( clear post2 ) "
      ")";
  EXPECT_EQ(drawn(kTowers, initial,
                  "( ( on disc1 post2 ) ( on disc2 disc3 ) ( on disc3 post1 ) ( clear disc1 ) )"),
            "3      .     .\n"
            "2      2     .\n"
            "1      3     1\n"
            "   post1 post2\n"
            "1 disc1, 2 disc2, 3 disc3\n"
            "clear disc1\n");
  const Board board = board_of(kTowers, initial);
  EXPECT_LT(board.appearance("disc1").size, board.appearance("disc3").size);
}

TEST(Finding, BuildsTowersOnATable) {
  const std::string rules =
      "(role p) (init (on c a)) (init (clear c)) (init (clear b)) (init (table a)) (init (table b))"
      "(<= (legal p (stack ?x ?y)) (true (clear ?x)) (true (clear ?y)))"
      "(<= (next (on ?x ?y)) (does p (stack ?x ?y)))"
      "(<= (next (clear ?y)) (does p (stack ?x ?z)) (true (on ?x ?y)))"
      "(<= (next (table ?x)) (does p (drop ?x)))";
  const std::string initial = "( ( on c a ) ( clear c ) ( clear b ) ( table a ) ( table b ) )";
  EXPECT_EQ(drawn(rules, initial),
            "3  . . .\n"
            "2  c . .\n"
            "1  a b .\n"
            "   a b c\n"
            "clear: c, b\n");
}

TEST(Finding, StacksAPermutationWithTheFirstOnTop) {
  const std::string rules =
      "(role p) (init (pile p1 p3 p4 p2))"
      "(<= (next (pile ?b ?a ?c ?d)) (true (pile ?a ?b ?c ?d)))"
      "(<= (next (pile ?d ?a ?b ?c)) (true (pile ?a ?b ?c ?d)))";
  EXPECT_EQ(drawn(rules, "( ( pile p1 p3 p4 p2 ) )"),
            "4     1\n"
            "3     3\n"
            "2     4\n"
            "1     2\n"
            "   pile\n"
            "1 p1, 2 p2, 3 p3, 4 p4\n");
}

TEST(Finding, PutsCoordinatesTogetherThatStandApart) {
  const std::string rules = "(role ship) (init (x 2)) (init (y 0))" + numbers(5) +
                            "(<= (next (x ?v)) (true (x ?u)) (succ ?u ?v))"
                            "(<= (next (x ?v)) (true (x ?u)) (succ ?v ?u))"
                            "(<= (next (y ?v)) (true (y ?u)) (succ ?u ?v))"
                            "(<= (next (y ?v)) (true (y ?u)) (succ ?v ?u))";
  EXPECT_EQ(drawn(rules, "( ( x 2 ) ( y 1 ) )"),
            "5  . . . . . .\n"
            "4  . . . . . .\n"
            "3  . . . . . .\n"
            "2  . . . . . .\n"
            "1  . . s . . .\n"
            "0  . . . . . .\n"
            "   0 1 2 3 4 5\n"
            "s ship\n");
  EXPECT_FALSE(board_of(rules + "(<= (goal ship ?v) (true (x ?v)))", "( ( x 2 ) ( y 1 ) )").found())
      << "what somebody gets in the end is no place";
}

/// A board of 3 x 3 with a cat at 2 2.
const char* const kMaze =
    "(role p) (n 1) (n 2) (n 3) (init (at cat 2 2))"
    "(<= (next (at cat ?x ?y)) (does p (go ?x ?y))) (<= (legal p (go ?x ?y)) (n ?x) (n ?y))";

TEST(Finding, DrawsWallsOfSquaresAndSides) {
  EXPECT_EQ(drawn(std::string(kMaze) + "(init (wall 1 1 north)) (init (wall 2 2 east))"
                                       "(<= (next (wall ?x ?y ?s)) (true (wall ?x ?y ?s)))",
                  "( ( at cat 2 2 ) ( wall 1 1 north ) ( wall 2 2 east ) )"),
            "3  . . .\n"
            "\n"
            "2  . c|.\n"
            "   -\n"
            "1  . . .\n"
            "   1 2 3\n"
            "c cat\n");
  EXPECT_EQ(
      drawn(std::string(kMaze) + "(blockedeast 1 1) (blockednorth 3 2)", "( ( at cat 2 2 ) )"),
      "3  . . .\n"
      "       -\n"
      "2  . c .\n"
      "\n"
      "1  .|. .\n"
      "   1 2 3\n"
      "c cat\n")
      << "walls that the rules state";
}

TEST(Finding, LeavesOutWhatWallsPartFromTheBoard) {
  const Board board = board_of(
      "(role p) (n 0) (n 1) (n 2) (n 3) (init (at cat 2 2)) (wall 0 1 east) (wall 0 2 east)"
      "(wall 0 3 east) (wall 1 0 north) (wall 2 0 north) (wall 3 0 north)"
      "(<= (next (at cat ?x ?y)) (does p (go ?x ?y))) (<= (legal p (go ?x ?y)) (n ?x) (n ?y))",
      "( ( at cat 2 2 ) )");
  EXPECT_EQ(board.geometry().columns, (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(board.geometry().rows, (std::vector<std::string>{"3", "2", "1"}));
}

TEST(Finding, LinksDots) {
  const std::string rules =
      "(role p) (i 1) (i 2) (i 3) (after 1 2) (after 2 3)"
      "(<= (free ?x ?u ?x ?v) (i ?x) (after ?u ?v) (not (true (line ?x ?u ?x ?v))))"
      "(<= (free ?u ?y ?v ?y) (after ?u ?v) (i ?y) (not (true (line ?u ?y ?v ?y))))"
      "(<= (legal p (draw ?a ?b ?c ?d)) (free ?a ?b ?c ?d))"
      "(<= (next (line ?a ?b ?c ?d)) (does p (draw ?a ?b ?c ?d)))"
      "(<= (next (box ?x ?y mine)) (does p (draw ?x ?y ?c ?d)))";
  EXPECT_EQ(drawn(rules, "( )", "( ( line 1 1 2 1 ) ( line 3 2 3 3 ) ( box 2 1 mine ) )"),
            "3  . . .\n"
            "       |\n"
            "2  . . .\n"
            "      m\n"
            "1  .-. .\n"
            "   1 2 3\n"
            "m mine\n");
  const Board board = board_of(rules, "( )");
  EXPECT_TRUE(board.geometry().dots);
  EXPECT_EQ(board.squares_of("( draw 1 1 2 1 )").squares,
            (std::vector<Square>{{2, 0, 0}, {2, 1, 0}}));
}

TEST(Finding, TakesGroupsOfStonesForNoLinks) {
  const std::string rules =
      "(role p) (i 1) (i 2) (i 3) (after 1 2) (after 2 3)"
      "(<= (legal p (put ?x ?y)) (i ?x) (i ?y) (not (true (cell ?x ?y stone))))"
      "(<= (next (cell ?x ?y stone)) (does p (put ?x ?y)))"
      "(<= (next (cell ?x ?y stone)) (true (cell ?x ?y stone)))"
      "(<= (next (group ?x ?y ?x ?y)) (does p (put ?x ?y)))"
      "(<= (near ?x ?u ?x ?v) (i ?x) (after ?u ?v)) (<= (near ?u ?y ?v ?y) (i ?y) (after ?u ?v))"
      "(<= (next (group ?x ?y ?u ?v)) (does p (put ?u ?v)) (near ?x ?y ?u ?v)"
      " (true (cell ?x ?y stone)))";
  const Board board = board_of(rules, "( )");
  EXPECT_FALSE(board.geometry().dots);
  EXPECT_EQ(board.squares_of("( put 1 2 )").squares, (std::vector<Square>{{1, 0, 0}}));
}

TEST(Finding, ColoursSquaresAndLeavesHolesAsTheRulesSay) {
  const Board board =
      board_of(std::string(kMaze) +
                   "(tint 1 1 red) (tint 1 2 blue) (tint 1 3 red) (tint 2 1 red) (tint 2 2 blue)"
                   "(hole_cell 3 3)",
               "( ( at cat 2 2 ) )");
  ASSERT_EQ(board.geometry().tints.size(), 3u);
  EXPECT_EQ(board.geometry().tints[2][0], "red");
  EXPECT_EQ(board.geometry().tints[1][1], "blue");
  EXPECT_EQ(board.geometry().tints[0][2], "");
  ASSERT_EQ(board.geometry().holes.size(), 3u);
  EXPECT_TRUE(board.geometry().holes[0][2]);
  EXPECT_FALSE(board.geometry().holes[1][1]);
}

// ---- boards that nobody could look at ----

/// A piece that steps right and up as far as numbers go.
std::string stepping(int last) {
  return "(role p) (init (cell 0 0 x))" + numbers(last) +
         "(<= (next (cell ?u ?y x)) (does p right) (true (cell ?x ?y x)) (succ ?x ?u))"
         "(<= (next (cell ?x ?v x)) (does p up) (true (cell ?x ?y x)) (succ ?y ?v))";
}

TEST(Finding, DrawsNoBoardOfManyThousandSquares) {
  EXPECT_TRUE(board_of(stepping(60), "( ( cell 0 0 x ) )").found());
  EXPECT_FALSE(board_of(stepping(200), "( ( cell 0 0 x ) )").found());
  EXPECT_EQ(drawn(stepping(200), "( ( cell 0 0 x ) )"), "cell 0 0 x\n");
}

TEST(Finding, TakesASmallBoardBesideOneOfManyThousandSquares) {
  const Board board =
      board_of(stepping(200) + "(n 1) (n 2) (n 3) (<= (init (on ?x ?y b)) (n ?x) (n ?y))",
               "( ( cell 0 0 x ) ( on 1 1 b ) ( on 2 2 b ) )");
  EXPECT_EQ(board.geometry().columns, (std::vector<std::string>{"1", "2", "3"}));
}

TEST(Finding, DrawsNoNamedSquaresInRowsOfWhichOneIsVeryLong) {
  std::string rules =
      "(role p) (<= (legal p (put ?s)) (square ?s)) (<= (next (on ?s b)) (does p (put ?s)))";
  for (int n = 1; n <= 150; ++n) rules += "(square row" + std::to_string(n) + ")";
  for (char a = 'a'; a <= 'j'; ++a) {
    for (char b = 'a'; b <= 'j'; ++b) rules += std::string("(square ") + a + b + "1)";
  }
  EXPECT_FALSE(board_of(rules, "( )").found());
}

TEST(Finding, DrawsNoTowersOfAHundredThings) {
  std::string rules =
      "(role p) (init (on b0 p0)) (<= (init (clear ?x)) (block ?x) (distinct ?x b0))"
      "(<= (init (clear ?y)) (post ?y) (distinct ?y p0))"
      "(<= (legal p (put ?x ?y)) (block ?x) (post ?y))"
      "(<= (next (on ?x ?y)) (does p (put ?x ?y)))";
  std::string state = "( ( on b0 p0 ) ( clear b0 )";
  for (int n = 0; n < 101; ++n) {
    const std::string number = std::to_string(n);
    rules += "(block b" + number + ") (post p" + number + ")";
    if (n > 0) state += " ( clear b" + number + " ) ( clear p" + number + " )";
  }
  EXPECT_FALSE(board_of(rules, state + " )").found());
}

TEST(Finding, DrawsAsManyLayersAsCanBeLookedAt) {
  std::string rules =
      "(role p) (init (cell l1 0 0 a)) (init (cell l2 0 0 a)) (thing a) (thing b)"
      "(<= (base (cell ?l ?x ?y ?t)) (layer ?l) (n ?x) (n ?y) (thing ?t))";
  for (int n = 0; n < 60; ++n) rules += "(n " + std::to_string(n) + ")";
  for (int n = 1; n <= 20; ++n) rules += "(layer l" + std::to_string(n) + ")";
  const Board board = board_of(rules, "( ( cell l1 0 0 a ) ( cell l2 0 0 a ) )");
  ASSERT_TRUE(board.found());
  const Picture picture =
      board.picture("( ( cell l1 0 0 a ) ( cell l2 0 0 a ) ( cell l3 0 0 a ) ( cell l1 1 1 a ) )");
  ASSERT_EQ(picture.grids.size(), 2u);
  EXPECT_EQ(picture.grids[0].cells[58][1], std::vector<std::string>{"a"});
  ASSERT_EQ(picture.facts.size(), 1u) << "the layer for which there is no room is text";
  EXPECT_EQ(picture.facts[0].facts, std::vector<std::string>{"l3 0 0 a"});
}

}  // namespace
}  // namespace ludens::server
