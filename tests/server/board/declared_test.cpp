// SPDX-License-Identifier: MIT
// Boards whose form shows only in what the rules say could be on them.
#include "server/board/declared.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/server/board/drawn_boards.h"

namespace ludens::server {
namespace {

using ::testing::ElementsAre;

std::string digits(int count, const std::string& relation) {
  std::string text;
  for (int i = 1; i <= count; ++i) text += "(" + relation + " " + std::to_string(i) + ")";
  return text;
}

/// Full of two sides initially; who moves leaves a blank.
constexpr const char* kFull = R"((role black) (role red)
  (init (cell 1 1 black)) (init (cell 1 2 black)) (init (cell 1 3 black))
  (init (cell 2 1 black)) (init (cell 2 2 red)) (init (cell 2 3 red))
  (init (cell 3 1 red)) (init (cell 3 2 red)) (init (cell 3 3 red))
  (<= (legal ?r (jump ?a ?b ?c ?d)) (true (cell ?a ?b ?r)) (true (cell ?c ?d ?s)) (distinct ?r ?s))
  (<= (next (cell ?a ?b blank)) (does ?r (jump ?a ?b ?c ?d)))
  (<= (next (cell ?c ?d ?r)) (does ?r (jump ?a ?b ?c ?d))))";
constexpr const char* kFullState =
    "( ( cell 1 1 black ) ( cell 1 2 black ) ( cell 1 3 black ) ( cell 2 1 black ) ( cell 2 2 red "
    ") "
    "( cell 2 3 red ) ( cell 3 1 red ) ( cell 3 2 red ) ( cell 3 3 red ) )";

TEST(Declared, NothingIsWhatIsCalledSoAndNotASide) {
  const Board board = board_of(kFull, kFullState);
  EXPECT_EQ(board.symbols().empty_name, "blank");
  std::string without_blank = kFull;
  const std::string rule = "(<= (next (cell ?a ?b blank)) (does ?r (jump ?a ?b ?c ?d)))";
  without_blank.erase(without_blank.find(rule), rule.size());
  EXPECT_EQ(board_of(without_blank, kFullState).symbols().empty_name, "");
}

/// Stones on a hexagon of side 3, in a square of 5 by 5 without two corners.
std::string hexagon() {
  std::string text = "(role red) (role blue) (init (control red)) (init (cell a 3 blue))";
  for (int column = 0; column < 5; ++column) {
    for (int row = 0; row < 5; ++row) {
      if (column + row < 2 || column + row > 6) continue;
      text += std::string("(place ") + static_cast<char>('a' + column) + " " +
              std::to_string(row + 1) + ")";
    }
  }
  return text + R"((<= (base (cell ?x ?y ?r)) (place ?x ?y) (role ?r))
    (<= (legal ?r (put ?x ?y)) (true (control ?r)) (place ?x ?y))
    (<= (next (cell ?x ?y ?r)) (does ?r (put ?x ?y)))
    (<= (next (cell ?x ?y ?r)) (true (cell ?x ?y ?r))))";
}

TEST(Declared, SquaresThatAreNotDeclaredAreHoles) {
  const Board board = board_of(hexagon(), "( ( control red ) ( cell a 3 blue ) )");
  const Geometry& geometry = board.geometry();
  ASSERT_EQ(geometry.rows, (std::vector<std::string>{"5", "4", "3", "2", "1"}));
  EXPECT_THAT(geometry.holes, ElementsAre(ElementsAre(false, false, false, true, true),
                                          ElementsAre(false, false, false, false, true),
                                          ElementsAre(false, false, false, false, false),
                                          ElementsAre(true, false, false, false, false),
                                          ElementsAre(true, true, false, false, false)));
  EXPECT_TRUE(geometry.hexagons);
  EXPECT_THAT(geometry.shift, ElementsAre(4, 3, 2, 1, 0));
}

TEST(Declared, AFullSquareHasNoHoles) {
  std::string square = hexagon();
  for (const char* const place : {"a 1", "a 2", "b 1", "d 5", "e 4", "e 5"}) {
    square += "(place " + std::string(place) + ")";
  }
  const Board board = board_of(square, "( ( control red ) ( cell a 3 blue ) )");
  EXPECT_TRUE(board.geometry().holes.empty());
  EXPECT_FALSE(board.geometry().hexagons);
}

TEST(Declared, RowsAreWhatTheRulesCallRows) {
  const std::string rules = "(role x) (role o) (init (control x))" + digits(3, "index") +
                            R"((<= (init (cell ?m ?n b)) (index ?m) (index ?n))
    (<= (legal ?r (mark ?m ?n)) (true (control ?r)) (true (cell ?m ?n b)))
    (<= (next (cell ?m ?n ?r)) (does ?r (mark ?m ?n)))
    (<= (next (cell ?m ?n ?w)) (true (cell ?m ?n ?w))))";
  std::string state = "( ";
  for (const char* const at : {"1 1", "1 2", "1 3", "2 1", "2 2", "2 3", "3 1", "3 2", "3 3"}) {
    state += "( cell " + std::string(at) + " b ) ";
  }
  state += ")";
  const Board plain = board_of(rules, state);
  EXPECT_EQ(plain.geometry().rows.front(), "3") << "without a word for it, the column comes first";
  const Board named = board_of(
      rules + "(<= (row ?m ?x) (true (cell ?m 1 ?x)) (true (cell ?m 2 ?x)) (true (cell ?m 3 ?x)))",
      state);
  EXPECT_EQ(named.geometry().rows, (std::vector<std::string>{"1", "2", "3"}));
  const Board columns =
      board_of(rules + "(<= (column ?m ?x) (true (cell ?m 1 ?x)) (true (cell ?m 2 ?x)))", state);
  EXPECT_EQ(columns.geometry().rows.front(), "3");
}

TEST(Declared, FourCoordinatesAreABoardOfBoardsEvenBesideAFluentOfTwo) {
  const std::string rules =
      "(role x) (role o) (init (control x))" + digits(3, "index") +
      R"((<= (init (cell ?i ?j ?k ?l b)) (index ?i) (index ?j) (index ?k) (index ?l))
    (<= (legal ?r (mark ?i ?j ?k ?l)) (true (control ?r)) (true (cell ?i ?j ?k ?l b))
        (not (true (played ?i ?j))))
    (<= (next (cell ?i ?j ?k ?l ?r)) (does ?r (mark ?i ?j ?k ?l)))
    (<= (next (played ?i ?j)) (does ?r (mark ?i ?j ?k ?l)))
    (<= (next (cell ?i ?j ?k ?l ?w)) (true (cell ?i ?j ?k ?l ?w))))";
  std::string state = "(";
  for (int n = 0; n < 81; ++n) {
    state += " ( cell";
    for (const int part : {n / 27, n / 9, n / 3, n}) state += " " + std::to_string(part % 3 + 1);
    state += " b )";
  }
  const Board board = board_of(rules, state + " )");
  EXPECT_EQ(board.geometry().rows.size(), 9U);
  EXPECT_EQ(board.geometry().columns.size(), 9U);
  EXPECT_EQ(board.geometry().block, 3U);
}

}  // namespace
}  // namespace ludens::server
