// SPDX-License-Identifier: MIT
// How squares lie, what moves name of them, and how things look.
#include <filesystem>
#include <string>

#include "gdl/interpreter/interpreter.h"
#include "server/board/board.h"
#include "server/board/text_board.h"
#include "server/game/bundled_games.h"
#include "server/game/position.h"
#include "tests/project_folder.h"
#include "tests/server/board/drawn_boards.h"

namespace ludens::server {
namespace {

/// The board of a game in its first state, `nullopt` where there is no such file.
std::optional<Board> board_of_game(const std::string& file) {
  const auto game = load_game(file);
  if (!game.has_value()) return std::nullopt;
  const auto& rules = game->rules;
  Position position(gdl::make_interpreter(std::make_shared<gdl::Vocabulary>(rules)));
  if (position.begin() != gdl::Status::Ok) return std::nullopt;
  return Board(*rules, position.text());
}

std::string squares(const Board& board, const std::string& move) {
  const SquaresOfMove named = board.squares_of(move);
  std::string text = named.line ? "line" : "";
  for (const Square& square : named.squares) {
    text += " " + board.geometry().columns[square.column] + "/" + board.geometry().rows[square.row];
  }
  return text;
}

// A hexagon of hexagons: rows of 3, 4, 5, 4 and 3 squares.
const char* const kStar =
    "(role red) (role blue) (init (on a1 red)) (init (on e3 blue))"
    "(near a1 b1) (near a1 b2) (near a2 b2) (near a2 b3) (near a3 b3) (near a3 b4)"
    "(near b1 c1) (near b1 c2) (near b2 c2) (near b2 c3) (near b3 c3) (near b3 c4) (near b4 c5)"
    "(near c1 d1) (near c2 d1) (near c2 d2) (near c3 d2) (near c3 d3) (near c4 d3) (near c4 d4)"
    "(near c5 d4) (near d1 e1) (near d2 e1) (near d2 e2) (near d3 e2) (near d3 e3) (near d4 e3)"
    "(<= (square ?s) (near ?s ?t)) (<= (square ?t) (near ?s ?t))"
    "(<= (base (on ?s ?p)) (square ?s) (role ?p))"
    "(<= (legal ?p (move ?s ?t)) (true (on ?s ?p)) (near ?s ?t))"
    "(<= (next (on ?t ?p)) (does ?p (move ?s ?t)))";

TEST(Geometry, PlacesSquaresWithNamesSoThatNeighboursAreNear) {
  const Board board = board_of(kStar, "( ( on a1 red ) ( on e3 blue ) )");
  EXPECT_EQ(draw(board, board.picture("( ( on a1 red ) ( on c5 blue ) ( on e3 blue ) )")),
            "a    r . .\n"
            "b   . . . .\n"
            "c  . . . . b\n"
            "d   . . . .\n"
            "e    . . b\n"
            "b blue, r red\n");
  EXPECT_TRUE(board.geometry().hexagons);
  EXPECT_EQ(board.geometry().shift, (std::vector<int>{2, 1, 0, 1, 2}));
  EXPECT_TRUE(board.geometry().holes[0][3]);
  EXPECT_EQ(squares(board, "( move a1 b2 )"), " 1/a 2/b");
}

std::string touching(const std::string& diagonal) {
  return "(role red) (role blue) (succ 1 2) (succ 2 3) (succ 3 4)"
         "(<= (n ?x) (succ ?x ?y)) (<= (n ?y) (succ ?x ?y))"
         "(<= (beside ?x ?y) (succ ?x ?y)) (<= (beside ?x ?y) (succ ?y ?x))"
         "(<= (base (cell ?x ?y ?r)) (n ?x) (n ?y) (role ?r))"
         "(<= (legal ?r (put ?x ?y)) (role ?r) (n ?x) (n ?y))"
         "(<= (next (cell ?x ?y ?r)) (does ?r (put ?x ?y)))"
         "(<= (touch ?x ?y ?x ?z) (n ?x) (beside ?y ?z))"
         "(<= (touch ?x ?y ?z ?y) (beside ?x ?z) (n ?y))" +
         diagonal;
}

TEST(Geometry, LeansRowsWhereSquaresHaveSixNeighbours) {
  const Board falling = board_of(touching("(<= (touch ?a ?b ?c ?d) (succ ?a ?c) (succ ?d ?b))"
                                          "(<= (touch ?a ?b ?c ?d) (succ ?c ?a) (succ ?b ?d))"),
                                 "( )");
  EXPECT_TRUE(falling.geometry().hexagons);
  EXPECT_EQ(falling.geometry().shift, (std::vector<int>{3, 2, 1, 0}));
  const Board rising = board_of(touching("(<= (touch ?a ?b ?c ?d) (succ ?a ?c) (succ ?b ?d))"
                                         "(<= (touch ?a ?b ?c ?d) (succ ?c ?a) (succ ?d ?b))"),
                                "( )");
  EXPECT_EQ(rising.geometry().shift, (std::vector<int>{0, 1, 2, 3}));
}

TEST(Geometry, KeepsSquaresWithFourOrEightNeighboursSquare) {
  EXPECT_FALSE(board_of(touching(""), "( )").geometry().hexagons);
  EXPECT_FALSE(board_of(touching("(<= (touch ?a ?b ?c ?d) (beside ?a ?c) (beside ?d ?b))"), "( )")
                   .geometry()
                   .hexagons);
}

const char* const kBlocks =
    "(role r) (index 1) (index 2) (digit 1) (digit 2) (digit 3) (digit 4)"
    "(<= (base (cell ?i ?j ?k ?l b)) (index ?i) (index ?j) (index ?k) (index ?l))"
    "(<= (base (cell ?i ?j ?k ?l ?d)) (index ?i) (index ?j) (index ?k) (index ?l) (digit ?d))"
    "(<= (init (cell ?i ?j ?k ?l b)) (index ?i) (index ?j) (index ?k) (index ?l))"
    "(<= (legal r (mark ?i ?j ?k ?l ?d)) (true (cell ?i ?j ?k ?l b)) (digit ?d))"
    "(<= (next (cell ?i ?j ?k ?l ?d)) (does r (mark ?i ?j ?k ?l ?d)))"
    "(<= (goal r 0) (full ?i ?k 1))";

std::string empty_blocks() {
  std::string state = "(";
  for (int n = 0; n < 16; ++n) {
    state += " ( cell";
    for (const int bit : {8, 4, 2, 1}) state += (n & bit) != 0 ? " 2" : " 1";
    state += " b )";
  }
  return state + " )";
}

TEST(Geometry, MakesOneBoardOfABoardOfBoards) {
  const Board nested = board_of(
      std::string(kBlocks) + "(<= (full ?i ?j ?d) (true (cell ?i ?j 1 1 ?d)))", empty_blocks());
  EXPECT_EQ(nested.geometry().block, 2u);
  EXPECT_EQ(squares(nested, "( mark 2 1 1 2 4 )"), " 2.1/1.2");
  EXPECT_EQ(nested.picture(empty_blocks()).grids.size(), 1u);
}

TEST(Geometry, SeesFromRulesOnBlocksThatCoordinatesAreSplit) {
  const Board split = board_of(
      std::string(kBlocks) + "(<= (full ?i ?k ?d) (true (cell ?i 1 ?k 2 ?d)))", empty_blocks());
  EXPECT_EQ(split.geometry().block, 2u);
  EXPECT_EQ(squares(split, "( mark 2 1 1 2 4 )"), " 2.1/1.2");
  EXPECT_EQ(squares(split, "( mark 1 2 2 1 4 )"), " 1.2/2.1");
}

TEST(Geometry, ShowsAllLayersFromTheStart) {
  const Board board = board_of(
      "(role x) (role o) (n 1) (n 2) (n 3) (layer 1) (layer 2)"
      "(<= (base (cell ?z ?x ?y ?r)) (layer ?z) (n ?x) (n ?y) (role ?r))"
      "(<= (legal ?r (put ?z ?x ?y)) (role ?r) (layer ?z) (n ?x) (n ?y))"
      "(<= (next (cell ?z ?x ?y ?r)) (does ?r (put ?z ?x ?y)))",
      "( )");
  EXPECT_EQ(board.picture("( )").grids.size(), 2u);
  const auto named = board.squares_of("( put 2 1 3 )").squares;
  ASSERT_EQ(named.size(), 1u);
  EXPECT_EQ(named[0], (Square{0, 0, 1}));
}

TEST(MovesOnTheBoard, NameSquaresLinesOrNothing) {
  const auto four = board_of_game("connect_four");
  ASSERT_TRUE(four);
  EXPECT_EQ(squares(*four, "( drop 3 )"), "line 3/6 3/5 3/4 3/3 3/2 3/1");
  EXPECT_EQ(squares(*four, "noop"), "");
  const auto chess = board_of_game("chess");
  ASSERT_TRUE(chess);
  EXPECT_TRUE(chess->geometry().chequered);
  const auto bidding = board_of_game("bidding_tic_tac_toe");
  ASSERT_TRUE(bidding);
  EXPECT_EQ(squares(*bidding, "( bid 2 )"), "");
  EXPECT_EQ(squares(*bidding, "( mark 2 3 )"), " 2/3");
  EXPECT_FALSE(bidding->geometry().chequered);
}

TEST(Appearance, FollowTheNamesOfThings) {
  const auto marks = board_of_game("tic_tac_toe");
  ASSERT_TRUE(marks);
  EXPECT_EQ(marks->appearance("x").shape, Appearance::Shape::Cross);
  EXPECT_EQ(marks->appearance("o").shape, Appearance::Shape::Ring);
  EXPECT_EQ(marks->appearance("blank").shape, Appearance::Shape::Nothing);
  const auto othello = board_of_game("othello");
  ASSERT_TRUE(othello);
  EXPECT_EQ(othello->appearance("white").shape, Appearance::Shape::Disc);
  EXPECT_EQ(othello->appearance("white").colour, "white");
  EXPECT_EQ(othello->role_colour("black"), "black");
  const auto puzzle = board_of_game("eight_puzzle");
  ASSERT_TRUE(puzzle);
  EXPECT_EQ(puzzle->appearance("7").shape, Appearance::Shape::Text);
}

TEST(Geometry, FindsThePublicBoards) {
  const std::filesystem::path games = std::filesystem::path(project_folder()) / "../shared/games";
  if (!std::filesystem::exists(games)) GTEST_SKIP() << games << " is missing";
  struct Expected {
    const char* game;
    std::size_t columns, rows;
    bool hexagons;
    std::size_t block;
  };
  for (const Expected& e : {Expected{"ticTacToe", 3, 3, false, 0},
                            {"connectFour", 8, 6, false, 0},
                            {"breakthrough", 8, 8, false, 0},
                            {"checkers", 8, 8, false, 0},
                            {"chess", 8, 8, false, 0},
                            {"reversi", 8, 8, false, 0},
                            {"amazons", 10, 10, false, 0},
                            {"chineseCheckers6", 7, 9, true, 0},
                            {"hex", 9, 9, true, 0},
                            {"tron_10x10", 12, 12, false, 0},
                            {"sudoku", 9, 9, false, 0},
                            {"sudokuGrade1", 9, 9, false, 3},
                            {"peg", 7, 7, false, 0}}) {
    const auto board = board_of_game((games / (std::string(e.game) + ".kif")).string());
    ASSERT_TRUE(board) << e.game;
    EXPECT_EQ(board->geometry().columns.size(), e.columns) << e.game;
    EXPECT_EQ(board->geometry().rows.size(), e.rows) << e.game;
    EXPECT_EQ(board->geometry().hexagons, e.hexagons) << e.game;
    EXPECT_EQ(board->geometry().block, e.block) << e.game;
  }
}

}  // namespace
}  // namespace ludens::server
