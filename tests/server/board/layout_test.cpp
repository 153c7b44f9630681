// SPDX-License-Identifier: MIT
// Where facts lie on a board that was found: squares, neighbours, moves, lines, terrain, owners.
#include "server/board/layout.h"

#include "gdl/rules/orders.h"
#include "server/board/arrangement.h"
#include "server/board/findings.h"
#include "server/board/lines.h"
#include "server/board/move_squares.h"
#include "server/board/neighbours.h"
#include "tests/server/board/found_facts.h"

namespace ludens::server {
namespace {

TEST(Layout, FindsTheSquareOfAFact) {
  const BoardLayout layout = grid_layout({"a", "b", "c"}, {"2", "1"});
  const Placement& cell = layout.placements[0];
  EXPECT_EQ(square_of(layout, cell, {"b", "1", "x"}), (Square{1, 1, 0}));
  EXPECT_EQ(square_of(layout, cell, {"c", "2", "x"}), (Square{0, 2, 0}));
  EXPECT_FALSE(square_of(layout, cell, {"d", "1", "x"}));
  EXPECT_FALSE(square_of(layout, cell, {"a", "3", "x"}));
}

TEST(Layout, JoinsTheCoordinatesOfABoardOfBoards) {
  BoardLayout layout = grid_layout({"1.1", "1.2", "2.1", "2.2"}, {"2.2", "2.1", "1.2", "1.1"});
  layout.placements[0] = {"cell", 5, {0, 2}, {1, 3}, {}, {4}, true};
  EXPECT_EQ(square_of(layout, layout.placements[0], {"2", "1", "1", "2", "x"}), (Square{2, 2, 0}));
  EXPECT_EQ(coordinates_of(layout.placements[0]), (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(Layout, TellsLayersByTheirTitles) {
  BoardLayout layout = grid_layout({"1"}, {"1"});
  layout.placements[0] = {"cell", 4, {1}, {2}, {0}, {3}, true, "board "};
  layout.layers = {"board left", "board right"};
  EXPECT_EQ(layer_title(layout.placements[0], {"right", "1", "1", "x"}), "board right");
  EXPECT_EQ(square_of(layout, layout.placements[0], {"right", "1", "1", "x"}), (Square{0, 0, 1}));
}

TEST(Layout, FindsSquaresByNameWhereTheyHaveOne) {
  BoardLayout layout;
  layout.named = {{"home", {0, 3, 0}}};
  layout.placements.push_back({"in", 2, {0}, {0}, {}, {1}, true});
  EXPECT_EQ(square_of(layout, layout.placements[0], {"home", "x"}), (Square{0, 3, 0}));
  EXPECT_FALSE(square_of(layout, layout.placements[0], {"away", "x"}));
}

TEST(Layout, NamesThingsByTheirContentOnTheBoardAndByMoreBesideIt) {
  const Fact fact{"cell", {"1", "2", "white", "pawn"}};
  Placement placement{"cell", 4, {0}, {1}, {}, {2, 3}, true};
  EXPECT_EQ(thing_name(placement, fact), "white pawn");
  placement.board = false;
  EXPECT_EQ(thing_name(placement, fact), "cell white pawn");
  placement.content.clear();
  EXPECT_EQ(thing_name(placement, fact), "cell");
  placement.board = true;
  EXPECT_EQ(thing_name(placement, fact), "cell") << "its name is all there is";
}

// ---- neighbours ----

const Names kFour{"1", "2", "3", "4"};

std::string beside(const std::string& more) {
  return "(role r) (n 1) (succ 1 2) (succ 2 3) (succ 3 4)"
         "(<= (next_to ?x ?y) (succ ?x ?y)) (<= (next_to ?x ?y) (succ ?y ?x))" +
         more;
}
const char* const kCross =
    "(<= (touch ?x ?y ?x ?z) (next_to ?y ?z)) (<= (touch ?x ?y ?z ?y) (next_to ?x ?z))";

TEST(Neighbours, AreFourWhereARelationGoesOneStepAlongOneCoordinate) {
  const Found four(beside(kCross));
  EXPECT_TRUE(relates_neighbours(*four.rules, kFour, kFour));
  EXPECT_FALSE(hexagon_slant(*four.rules, kFour, kFour));
  const Found row(beside("(<= (touch ?x ?y ?z ?y) (next_to ?x ?z))"));
  EXPECT_FALSE(relates_neighbours(*row.rules, kFour, kFour)) << "along one of them only";
}

TEST(Neighbours, AreSixWhereOneDiagonalIsAmongThem) {
  const Found rising(
      beside(std::string(kCross) + "(<= (touch ?a ?b ?c ?d) (succ ?a ?c) (succ ?b ?d))"));
  const Found falling(
      beside(std::string(kCross) + "(<= (touch ?a ?b ?c ?d) (succ ?a ?c) (succ ?d ?b))"));
  EXPECT_EQ(hexagon_slant(*rising.rules, kFour, kFour), 1);
  EXPECT_EQ(hexagon_slant(*falling.rules, kFour, kFour), -1);
  EXPECT_FALSE(relates_neighbours(*rising.rules, kFour, kFour));
}

TEST(Neighbours, AreNoneOfARelationThatCannotBeFollowed) {
  const Found jumps(beside(std::string(kCross) + "(<= (touch ?a ?b ?c ?d) (true (jump ?a ?c)))"));
  EXPECT_FALSE(relates_neighbours(*jumps.rules, kFour, kFour));
  const Found far("(role r) (leap 1 1 4 1) (leap 1 1 1 4)");
  EXPECT_FALSE(relates_neighbours(*far.rules, kFour, kFour));
}

// ---- moves ----

TEST(MoveSquares, FollowVariablesFromCoordinatesToMoves) {
  const Found found(
      "(role r) (<= (legal r (shift ?n ?x ?y)) (true (cell ?x ?y b)) (amount ?n)) (amount 1)"
      "(<= (next (cell ?x ?y b)) (does r (shift ?n ?x ?y)))");
  const BoardLayout layout = grid_layout({"1", "2"}, {"2", "1"});
  const MoveSquares moves(*found.rules, layout);
  const SquaresOfMove named = moves.squares(layout, "( Shift 1 2 1 )");
  EXPECT_EQ(named.squares, (std::vector<Square>{{1, 1, 0}})) << "the 1 before is an amount";
  EXPECT_FALSE(named.line);
  EXPECT_FALSE(moves.between_squares());
  EXPECT_TRUE(moves.squares(layout, "noop").squares.empty());
  EXPECT_TRUE(moves.squares(layout, "( shift 1 9 9 )").squares.empty()) << "outside";
}

TEST(MoveSquares, NameTwoSquaresInTheOrderOfTheMove) {
  const Found found(
      "(role r) (<= (legal r (move ?a ?b ?c ?d)) (true (cell ?a ?b x)) (true (cell ?c ?d b)))");
  const BoardLayout layout = grid_layout({"1", "2"}, {"2", "1"});
  const MoveSquares moves(*found.rules, layout);
  EXPECT_TRUE(moves.between_squares());
  EXPECT_EQ(moves.squares(layout, "( move 1 1 2 2 )").squares,
            (std::vector<Square>{{1, 0, 0}, {0, 1, 0}}));
}

TEST(MoveSquares, NameALineByOneCoordinate) {
  const Found found("(role r) (<= (legal r (drop ?x)) (true (cell ?x 2 b)))");
  const BoardLayout layout = grid_layout({"1", "2"}, {"2", "1"});
  const SquaresOfMove named = MoveSquares(*found.rules, layout).squares(layout, "( drop 2 )");
  EXPECT_TRUE(named.line);
  EXPECT_EQ(named.squares, (std::vector<Square>{{0, 1, 0}, {1, 1, 0}}));
}

TEST(MoveSquares, GuessFromArgumentsThatFollowOneAnotherWhereNoRuleTells) {
  const Found found("(role r) (legal r (put a 2 1))");
  const BoardLayout layout = grid_layout({"1", "2"}, {"2", "1"});
  EXPECT_EQ(MoveSquares(*found.rules, layout).squares(layout, "( put a 2 1 )").squares,
            (std::vector<Square>{{1, 1, 0}}));
}

// ---- squares with names, places in a row ----

TEST(NamedSquares, AreReadAsColumnsWhereAllRowsAreFull) {
  std::string rules = "(role r)", state = "(";
  for (const char* name : {"a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"}) {
    rules += "(init (on " + std::string(name) + " b))";
    state += " ( on " + std::string(name) + " b )";
  }
  const Found found(rules, state + " )");
  const auto layout = find_named_squares(*found.rules, found.shapes, found.initial, found.orders);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->geometry.columns, (Names{"a", "b", "c"}));
  EXPECT_EQ(layout->geometry.rows, (Names{"3", "2", "1"}));
  EXPECT_EQ(layout->named.at("c1"), (Square{2, 2, 0}));
  EXPECT_TRUE(layout->complete);
}

TEST(NamedSquares, AreNoneWithoutNamesOfThatKind) {
  const Found found("(role r) (init (on home b)) (init (on away b))", "( ( on home b ) )");
  EXPECT_FALSE(find_named_squares(*found.rules, found.shapes, found.initial, found.orders));
}

TEST(NamedSquares, AreNoneWhereTwoHaveTheSameNumber) {
  std::string rules = "(role r) (adj a1 a2) (adj a2 a3)", state = "(";
  for (const char* name : {"a1", "a01", "a2", "a3", "b1", "b2", "b3", "b4", "c1", "c2", "c3"}) {
    rules += "(init (on " + std::string(name) + " b))";
    state += " ( on " + std::string(name) + " b )";
  }
  const Found found(rules, state + " )");
  EXPECT_FALSE(find_named_squares(*found.rules, found.shapes, found.initial, found.orders));
}

std::string heaps(const Names& names, std::string* state) {
  std::string rules =
      "(role r) (succ 0 1) (succ 1 2) (succ 2 3)"
      "(<= (next (heap ?h ?n)) (true (heap ?h ?m)) (succ ?n ?m))";
  for (const std::string& name : names) {
    rules += "(init (heap " + name + " 3))";
    *state += " ( heap " + name + " 3 )";
  }
  return rules;
}

TEST(Places, LieInARowInTheirOrder) {
  std::string state;
  const std::string rules = heaps({"c", "a", "b"}, &state);
  const Found found(rules, "(" + state + " )");
  const auto layout = find_places(*found.rules, found.shapes, found.initial, found.orders);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->geometry.columns, (Names{"a", "b", "c"}));
  EXPECT_EQ(layout->geometry.rows.size(), 1U);
  EXPECT_TRUE(layout->counts);
}

TEST(Places, LieInTwoRowsWhereTheRulesLeadAround) {
  std::string state, ring;
  const Names names{"p1", "p2", "p3", "p4", "p5", "p6"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    ring += "(sow " + names[i] + " " + names[(i + 1) % names.size()] + ")";
  }
  const std::string rules = heaps(names, &state) + ring;
  const Found found(rules, "(" + state + " )");
  const auto layout = find_places(*found.rules, found.shapes, found.initial, found.orders);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->geometry.rows.size(), 2U);
  EXPECT_EQ(layout->geometry.columns.size(), 3U);
  EXPECT_EQ(layout->geometry.top.size(), 3U);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Square a = layout->named.at(names[i]), b = layout->named.at(names[(i + 1) % 6]);
    const auto apart = a.column > b.column ? a.column - b.column : b.column - a.column;
    EXPECT_EQ(apart + (a.row == b.row ? 0 : 1), 1U) << names[i] << " and the next are neighbours";
  }
}

TEST(Places, AreNeitherRolesNorTwo) {
  std::string roles, two;
  const std::string of_roles = heaps({"a", "b", "c"}, &roles) + "(role a)";
  const std::string of_two = heaps({"a", "b"}, &two);
  const Found players(of_roles, "(" + roles + " )"), pair(of_two, "(" + two + " )");
  EXPECT_FALSE(find_places(*players.rules, players.shapes, players.initial, players.orders));
  EXPECT_FALSE(find_places(*pair.rules, pair.shapes, pair.initial, pair.orders));
}

// ---- arrangements ----

TEST(Arrangements, PutThingsOnOneAnother) {
  const Found found(
      "(role r) (init (on a b)) (init (on b t1)) (init (on c t2)) (init (clear a)) (init (clear c))"
      "(init (clear t3)) (table t1) (table t2) (table t3) (block a) (block b) (block c)"
      "(<= (place ?x) (table ?x)) (<= (place ?x) (block ?x))"
      "(<= (next (on ?x ?y)) (does r (put ?x ?y))) (<= (legal r (put ?x ?y)) (block ?x) (place ?y))"
      "(<= (next (clear ?x)) (place ?x))",
      "( ( on a b ) ( on b t1 ) ( on c t2 ) ( clear a ) ( clear c ) ( clear t3 ) )");
  const auto piles = find_piles(found.shapes, found.initial, found.orders);
  ASSERT_TRUE(piles);
  EXPECT_EQ(piles->columns, (Names{"t1", "t2", "t3"}));
  EXPECT_EQ(piles->rows, (Names{"1", "2", "3"}));
  const auto squares = texts_of(piles->squares(found.initial));
  for (const char* expected : {" t1 1 b", " t1 2 a", " t2 1 c"}) {
    EXPECT_NE(std::find(squares.begin(), squares.end(), expected), squares.end()) << expected;
  }
  const auto odd = texts_of(piles->squares(parse_state("( ( on a b ) ( on b a ) )")));
  EXPECT_EQ(odd.size(), 2U) << "things in a circle stand nowhere, and stay facts";
  EXPECT_EQ(shape_of(*piles).arguments.size(), 3U);
  EXPECT_EQ(layout_of(*piles).geometry.rows, (Names{"3", "2", "1"})) << "the top above";
}

TEST(Arrangements, TakeAPermutationForAStack) {
  const std::string cards = "(card 1) (card 2) (card 3) (card 4)";
  const Found found("(role r)" + cards +
                        "(init (pile 3 1 4 2))"
                        "(<= (next (pile ?a ?b ?c ?d)) (card ?a) (card ?b) (card ?c) (card ?d))",
                    "( ( pile 3 1 4 2 ) )");
  const auto pile = find_piles(found.shapes, found.initial, found.orders);
  ASSERT_TRUE(pile);
  EXPECT_TRUE(pile->sized);
  EXPECT_EQ(pile->things, (Names{"1", "2", "3", "4"}));
  EXPECT_EQ(texts_of(pile->squares(parse_state("( ( pile 3 1 4 2 ) open )"))),
            (Names{" pile 4 3", " pile 3 1", " pile 2 4", " pile 1 2", "open"}));
}

TEST(Arrangements, JoinCoordinatesThatStandApart) {
  std::string chain;
  for (int i = 1; i < 8; ++i) {
    chain += "(succ " + std::to_string(i) + " " + std::to_string(i + 1) + ")";
  }
  const std::string moves =
      "(<= (next (x ?v)) (true (x ?u)) (succ ?u ?v))"
      "(<= (next (y ?v)) (true (y ?u)) (succ ?u ?v))";
  const Found found("(role robot) (init (x 1)) (init (y 1))" + chain + moves,
                    "( ( x 1 ) ( y 1 ) )");
  const auto joined = find_coordinates(*found.rules, found.shapes, found.initial, found.orders);
  ASSERT_TRUE(joined);
  EXPECT_EQ(texts_of(joined->squares(parse_state("( ( x 3 ) ( y 5 ) night )"))),
            (Names{"night", " 3 5 robot"}));
  EXPECT_EQ(texts_of(joined->squares(parse_state("( ( x 3 ) )"))), Names{"x 3"})
      << "one is missing";
  const Found scored(
      "(role robot) (init (x 1)) (init (y 1)) (<= (goal robot ?v) (true (x ?v)))" + chain + moves,
      "( ( x 1 ) ( y 1 ) )");
  EXPECT_FALSE(find_coordinates(*scored.rules, scored.shapes, scored.initial, scored.orders))
      << "points";
}

// ---- lines and terrain ----

TEST(Lines, AreWallsAtTheSideThatAFactNames) {
  const Found found(
      "(role r) (wall 1 1 north) (wall 2 2 east) (init (cell 1 1 x)) (wall 9 9 east)");
  const BoardLayout layout = grid_layout({"1", "2", "3"}, {"3", "2", "1"});
  const Lines lines(*found.rules, found.shapes, layout);
  EXPECT_EQ(lines.fixed().size(), 2U) << "one lies outside";
  EXPECT_EQ(lines.line(layout.geometry, {"wall", {"1", "1", "north"}}), (Line{0, 4, 2, 4, false}));
  EXPECT_EQ(lines.line(layout.geometry, {"wall", {"2", "2", "east"}}), (Line{4, 2, 4, 4, false}));
  EXPECT_EQ(lines.line(layout.geometry, {"wall", {"0", "1", "east"}}), (Line{0, 4, 0, 6, false}))
      << "the side of a square one step outside";
  EXPECT_FALSE(lines.line(layout.geometry, {"wall", {"2", "2", "inwards"}}));
  EXPECT_FALSE(lines.line(layout.geometry, {"wall", {"2", "2"}}));
  EXPECT_FALSE(lines.line(layout.geometry, {"cell", {"2", "2", "east"}}));
}

TEST(Lines, KnowSidesByTheirNames) {
  EXPECT_TRUE(names_side("blockedeastcell"));
  EXPECT_TRUE(names_side("wall_north"));
  EXPECT_FALSE(names_side("group")) << "too short a word to be meant";
  EXPECT_FALSE(names_side("wall"));
}

TEST(Lines, DropWhatTheyPartFromTheBoard) {
  Geometry geometry = grid_layout({"0", "1", "2"}, {"2", "1", "0"}).geometry;
  Grid grid;
  grid.cells.assign(3, std::vector<Names>(3));
  std::vector<Line> walls{{2, 0, 2, 2}, {2, 2, 2, 4}, {2, 4, 2, 6}};
  drop_outside(geometry, walls, grid);
  EXPECT_EQ(geometry.columns, (Names{"1", "2"}));
  EXPECT_EQ(geometry.rows.size(), 3U);
  geometry = grid_layout({"0", "1", "2"}, {"2", "1", "0"}).geometry;
  grid.cells[1][0] = {"cat"};
  drop_outside(geometry, walls, grid);
  EXPECT_EQ(geometry.columns.size(), 3U) << "something lies there";
}

TEST(Terrain, TintsHalfOfTheSquaresOrNone) {
  const BoardLayout layout = grid_layout({"1", "2"}, {"2", "1"});
  const auto tints = [&](const std::string& facts) {
    const Found found("(role r)" + facts);
    Geometry geometry = layout.geometry;
    find_terrain(*found.rules, layout, geometry);
    return geometry.tints;
  };
  const auto half = tints("(tint 1 1 red) (tint 2 2 blue)");
  ASSERT_EQ(half.size(), 2U);
  EXPECT_EQ(half[1][0], "red");
  EXPECT_EQ(half[0][1], "blue");
  EXPECT_EQ(half[0][0], "");
  EXPECT_TRUE(tints("(tint 1 1 red)").empty()) << "one of four";
  EXPECT_TRUE(tints("(tint 1 1 white) (tint 1 2 black) (tint 2 1 black) (tint 2 2 white)").empty());
  EXPECT_TRUE(tints("(tint 1 1 red) (tint 2 2 blue) (tint 9 9 red)").empty())
      << "of something else";
}

TEST(Terrain, LeavesHolesWhereAWordForThemNamesSquares) {
  const BoardLayout layout = grid_layout({"1", "2"}, {"2", "1"});
  const auto holes = [&](const std::string& facts) {
    const Found found("(role r)" + facts);
    Geometry geometry = layout.geometry;
    find_terrain(*found.rules, layout, geometry);
    return geometry.holes;
  };
  const auto one = holes("(obstacle 2 1)");
  ASSERT_EQ(one.size(), 2U);
  EXPECT_TRUE(one[1][1]);
  EXPECT_FALSE(one[0][0]);
  EXPECT_TRUE(holes("(home 2 1)").empty());
  EXPECT_TRUE(holes("(wall_east 2 1)").empty()) << "that is a side";
}

// ---- owners, signs ----

TEST(Owners, AreTheRolesWhoseMovesAlonePutAThing) {
  const Found found(
      "(role ann) (role bob) (<= (next (cell ?x ?y wall)) (does ann (build ?x ?y)))"
      "(<= (next (cell ?x ?y hut)) (does ann (build ?x ?y)))"
      "(<= (next (cell ?x ?y hut)) (does bob (build ?x ?y)))"
      "(<= (next (cell ?x ?y tree)) (does ?any (plant ?x ?y)))"
      "(<= (next (cell ?x ?y moss)) (true (cell ?x ?y moss)) (does bob (wait ?x)))");
  const auto owners = owners_of_things(*found.rules, grid_layout({"1"}, {"1"}));
  EXPECT_EQ(owners, (std::map<std::string, std::string>{{"wall", "ann"}}));
  const Found alone("(role ann) (<= (next (cell ?x ?y wall)) (does ann (build ?x ?y)))");
  EXPECT_TRUE(owners_of_things(*alone.rules, grid_layout({"1"}, {"1"})).empty());
}

TEST(Owners, TellTracesByWhatWasOnTheSquare) {
  BoardLayout layout = grid_layout({"1"}, {"1"});
  layout.placements.push_back({"at", 3, {1}, {2}, {}, {0}});
  const Found found(
      "(role r) (<= (next (cell ?x ?y trod)) (true (at ?p ?x ?y)))"
      "(<= (next (cell ?x ?y near)) (true (at ?p ?y ?x)))"
      "(<= (next (cell ?x ?y kept)) (true (cell ?x ?y kept)) (true (at ?p ?x ?y)))");
  EXPECT_EQ(traces(*found.rules, layout), std::set<std::string>{"trod"});
}

std::map<std::string, std::string> signs_of(const Names& things, const Names& roles) {
  BoardLayout layout = grid_layout({"1", "2"}, {"2", "1"});
  const std::vector<FluentShape> shapes{
      {"cell", {{"1", "2"}, {"1", "2"}, things}, {false, false, false}}};
  return choose_symbols(layout, shapes, {}, roles).by_name;
}

TEST(SymbolsOfThings, AreShortAndDiffer) {
  using Signs = std::map<std::string, std::string>;
  EXPECT_EQ(signs_of({"x", "o"}, {}), (Signs{{"x", "x"}, {"o", "o"}}));
  EXPECT_EQ(signs_of({"wp", "wk", "bp", "bk"}, {"white", "black"}),
            (Signs{{"wp", "P"}, {"wk", "K"}, {"bp", "p"}, {"bk", "k"}}));
  EXPECT_EQ(signs_of({"stone", "sand", "knight"}, {}),
            (Signs{{"stone", "s"}, {"sand", "S"}, {"knight", "n"}}));
  EXPECT_EQ(signs_of({"disc1", "disc2", "disc10"}, {}),
            (Signs{{"disc1", "1"}, {"disc2", "2"}, {"disc10", "10"}}));
  EXPECT_EQ(signs_of({"3 black", "4 red"}, {}), (Signs{{"3 black", "3b"}, {"4 red", "4r"}}));
}

TEST(SymbolsOfThings, TakeForNothingWhatMostSquaresHoldAtFirst) {
  BoardLayout layout = grid_layout({"1", "2"}, {"2", "1"});
  layout.complete = layout.mostly = true;
  const std::vector<FluentShape> shapes{
      {"cell", {{"1", "2"}, {"1", "2"}, {"zu", "x"}}, {false, false, false}}};
  const auto initial =
      parse_state("( ( cell 1 1 zu ) ( cell 1 2 zu ) ( cell 2 1 zu ) ( cell 2 2 x ) )");
  const Symbols symbols = choose_symbols(layout, shapes, initial, {});
  EXPECT_EQ(symbols.empty_name, "zu");
  EXPECT_EQ(symbols.by_name.at("zu"), ".");
  layout.complete = layout.mostly = false;
  EXPECT_EQ(choose_symbols(layout, shapes, initial, {}).empty_name, "");
}

}  // namespace
}  // namespace ludens::server
