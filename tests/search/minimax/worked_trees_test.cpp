// SPDX-License-Identifier: MIT
// The worked trees of the textbooks: values, decisions, and what is searched.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/search/thinking.h"
#include "tests/search/tree/drawn_game.h"

namespace ludens::search {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

double value_of(const Choice& choice, std::size_t move) {
  return choice.root.at(move).value;
}

/// The value a search returned from a node of a trace.
double returned(const DrawnGame& game, const SearchTrace& trace, std::string_view node) {
  for (const TraceNode& at : trace.nodes()) {
    if (at.kind != TraceNode::Kind::Unseen && game.name(TreeMachine::node_of(at.state)) == node) {
      return at.value.at(0);
    }
  }
  ADD_FAILURE() << "no node " << node;
  return -1;
}

struct Call {
  std::string node;
  double alpha, beta;
  friend bool operator==(const Call&, const Call&) = default;
  friend void PrintTo(const Call& call, std::ostream* out) {
    *out << '(' << call.node << ' ' << call.alpha << ' ' << call.beta << ')';
  }
};

/// Nodes that are not leaves, in the order of the calls.
std::vector<Call> calls(const DrawnGame& game, const SearchTrace& trace) {
  std::vector<Call> all;
  for (const TraceNode& node : trace.nodes()) {
    if (node.kind != TraceNode::Kind::Max && node.kind != TraceNode::Kind::Min) continue;
    all.push_back({game.name(TreeMachine::node_of(node.state)), node.alpha, node.beta});
  }
  return all;
}

TEST(WorkedTrees, Example1MaxOverMin) {
  DrawnGame game("(roles max min) (max (min:b 3 12 8) (min:c 2 4 6) (min:d 14 5 2))");
  SearchTrace trace;
  const Choice choice = think(game, kPlainMinimax, 0, &trace);
  EXPECT_EQ(choice.value, 3);
  EXPECT_TRUE(choice.exact);
  EXPECT_EQ(game.move_name(choice.move), "1");
  EXPECT_EQ(returned(game, trace, "b"), 3);
  EXPECT_EQ(returned(game, trace, "c"), 2);
  EXPECT_EQ(returned(game, trace, "d"), 2);
  EXPECT_THAT(game.goals_read(), ElementsAre(3, 12, 8, 2, 4, 6, 14, 5, 2));
}

TEST(WorkedTrees, Example2AlphaBetaDoesNotReadWhatCannotMatter) {
  for (const auto& [x, y] : {std::pair{0, 0}, {100, 100}, {0, 100}, {3, 50}, {4, 4}}) {
    DrawnGame game("(roles max min) (max B (min:b 4 13 9) C (min:c 3 " + std::to_string(x) + " " +
                   std::to_string(y) + ") D (min:d 15 6 3))");
    SearchTrace trace;
    const Choice choice = think(game, kPlainAlphaBeta, 0, &trace);
    EXPECT_EQ(choice.value, 4);
    EXPECT_TRUE(choice.exact);
    EXPECT_EQ(game.move_name(choice.move), "B");
    EXPECT_THAT(game.goals_read(), ElementsAre(4, 13, 9, 3, 15, 6, 3));
    EXPECT_EQ(returned(game, trace, "b"), 4);
    EXPECT_LE(returned(game, trace, "c"), 3);
    EXPECT_EQ(choice.root[1].high, 3);
    EXPECT_EQ(returned(game, trace, "d"), 3);
    EXPECT_EQ(think(game, kPlainMinimax).value, 4);
  }
}

TEST(WorkedTrees, Example3CallsLeavesAndReturnedValues) {
  DrawnGame game(
      "(roles max min) (max:a left (min:b left (max:d left (min:h 7 9) right (min:i 6 97))"
      "                           right (max:e left j:11 right (min:rest 98 99)))"
      "                 right (min:c left (max:f left (min:l 5 95) right (min:m 4 96))"
      "                            right (max:g 93 94)))");
  SearchTrace trace;
  const Choice choice = think(game, kPlainAlphaBeta, 0, &trace);
  const double i = kInfinity;
  EXPECT_THAT(calls(game, trace), ElementsAreArray(std::vector<Call>{{"a", -i, i},
                                                                     {"b", -i, i},
                                                                     {"d", -i, i},
                                                                     {"h", -i, i},
                                                                     {"i", 7, i},
                                                                     {"e", -i, 7},
                                                                     {"c", 7, i},
                                                                     {"f", 7, i},
                                                                     {"l", 7, i},
                                                                     {"m", 7, i}}));
  EXPECT_THAT(game.goals_read(), ElementsAre(7, 9, 6, 11, 5, 4));
  const std::pair<const char*, double> values[] = {{"h", 7}, {"i", 6}, {"d", 7}, {"e", 11},
                                                   {"b", 7}, {"l", 5}, {"m", 4}, {"f", 5},
                                                   {"c", 5}, {"a", 7}};
  for (const auto& [node, value] : values) EXPECT_EQ(returned(game, trace, node), value) << node;
  EXPECT_EQ(choice.value, 7);
  ASSERT_EQ(choice.variation.size(), 8U);  // four joint moves: left, left, left, and the leaf 7
  EXPECT_EQ(game.move_name(choice.variation[0]), "left");
  EXPECT_EQ(game.move_name(choice.variation[3]), "left");
  EXPECT_EQ(game.move_name(choice.variation[7]), "1");
}

TEST(WorkedTrees, Example3MarksWhatNothingWasLookedAt) {
  DrawnGame game("(roles max min) (max:a left (min:b 3 12) right (min:c 2 x:50))");
  SearchTrace trace;
  think(game, kPlainAlphaBeta, 0, &trace);
  std::vector<std::string> unseen;
  for (const TraceNode& node : trace.nodes()) {
    if (node.kind != TraceNode::Kind::Unseen) continue;
    const TraceNode& parent = trace.nodes()[node.parent];
    unseen.push_back(game.name(TreeMachine::node_of(parent.state)) + " " +
                     game.move_name(node.move));
  }
  EXPECT_THAT(unseen, ElementsAre("c 2"));
}

TEST(WorkedTrees, Example4FourLevels) {
  DrawnGame game("(roles max min) (max (min:b (max 1 0) (max 2 0)) (min:c (max 3 0) (max 4 0)))");
  for (const auto& strategy : {kPlainMinimax, kPlainBounded, kPlainAlphaBeta}) {
    SearchTrace trace;
    const Choice choice = think(game, strategy, 0, &trace);
    EXPECT_EQ(returned(game, trace, "b"), 1);
    EXPECT_EQ(returned(game, trace, "c"), 3);
    EXPECT_EQ(choice.value, 3);
  }
}

TEST(WorkedTrees, Example5SixteenLeavesWorthEight) {
  // On the left the upper two MAX nodes are worth 8 and 10, so MIN leaves 8; on the right MIN
  // leaves 6 of 6 and 15.
  DrawnGame game(
      "(roles max min) (max (min (max (min 8 9) (min 1 2)) (max (min 10 11) (min 3 4)))"
      "                     (min (max (min 5 12) (min 6 13)) (max (min 7 14) (min 15 16))))");
  EXPECT_EQ(think(game, kPlainMinimax).value, 8);
  std::vector<int> leaves = game.goals_read();
  std::ranges::sort(leaves);
  EXPECT_THAT(leaves, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16));
  EXPECT_EQ(think(game, kPlainAlphaBeta).value, 8);
}

/// `answers`: the two answers in their order, with what they pay after keep, share and give.
std::string sharing_game(const std::string& first, const std::string& second) {
  const auto answers = [&](const std::string& yes) {
    const auto pays = [&](const std::string& answer) {
      return answer + (answer == "yes" ? " " + yes : " (0 0)");
    };
    return "(barb " + pays(first) + " " + pays(second) + ")";
  };
  return "(roles andy barb) (andy keep " + answers("(100 0)") + " share " + answers("(50 50)") +
         " give " + answers("(0 100)") + ")";
}

TEST(WorkedTrees, Example6TheSharingGameIsDecidedByIndifference) {
  const std::string maxn = "maxn:iterative=off,ties=first";
  DrawnGame no_first(sharing_game("no", "yes"));
  SearchTrace trace;
  Choice choice = think(no_first, maxn, 0, &trace);
  EXPECT_EQ(no_first.move_name(choice.move), "share");
  EXPECT_THAT(trace.nodes().front().value, ElementsAre(50, 50));
  DrawnGame yes_first(sharing_game("yes", "no"));
  choice = think(yes_first, maxn, 0, &trace);
  EXPECT_EQ(yes_first.move_name(choice.move), "keep");
  EXPECT_THAT(trace.nodes().front().value, ElementsAre(100, 0));
}

TEST(WorkedTrees, Example6BarbSaysYesAfterShareAndGive) {
  DrawnGame game(sharing_game("no", "yes"));
  SearchTrace trace;
  think(game, "maxn:iterative=off,ties=first", 0, &trace);
  std::vector<std::vector<double>> offers;
  for (const TraceNode& node : trace.nodes()) {
    if (node.parent == 0) offers.push_back(node.value);
  }
  EXPECT_THAT(offers, ElementsAre(ElementsAre(0, 0), ElementsAre(50, 50), ElementsAre(0, 100)));
}

TEST(WorkedTrees, Example7ThreeRoles) {
  DrawnGame game(
      "(roles A B C) (A l (B l (C:X (1 2 6) (4 2 3)) r (C (6 1 2) (7 4 1)))"
      "                 r (B l (C (5 1 1) (1 5 2)) r (C (7 7 1) (5 4 5))))");
  SearchTrace trace;
  const Choice choice = think(game, "maxn:iterative=off,ties=first", 0, &trace);
  for (const TraceNode& node : trace.nodes()) {
    if (game.name(TreeMachine::node_of(node.state)) == "X") {
      EXPECT_THAT(node.value, ElementsAre(1, 2, 6));
    }
  }
  // B takes (1,2,6) on the left and (1,5,2) on the right; A is indifferent.
  EXPECT_EQ(choice.value, 1);
  EXPECT_EQ(game.move_name(choice.move), "l");
}

/// Two weak roles, ann and ben, and a strong one, who gets all unless both stand against him.
TEST(WorkedTrees, TwoWeakRolesStandTogetherUntilTheStrongOneFalls) {
  DrawnGame game(
      "(roles ann ben strong)"
      "(ann:start strong (ben:joined strong (ann:fallen peace (50 50 0) ben (80 20 0))"
      "                              ann (strong (0 0 100)))"
      "           ben (strong:alone take (0 0 100) spare (30 30 40)))");
  for (const auto& [prune, sum] : {std::pair{true, 0}, {true, 100}, {false, 0}}) {
    SearchTrace trace;
    Resources resources;
    resources.trace = &trace;
    const Choice choice = think(game, *make_maxn(prune, sum, plain_settings(), resources));
    std::vector<std::string> line;
    for (std::size_t i = 0; i < 9; ++i) line.push_back(game.move_name(choice.variation.at(i)));
    EXPECT_THAT(line, ElementsAre("strong", "noop", "noop",  // ann turns on him
                                  "noop", "strong", "noop",  // and ben, though he sees what comes
                                  "ben", "noop", "noop"));   // he is down: ann turns on ben
    EXPECT_EQ(trace.nodes().front().value, (std::vector<double>{80, 20, 0})) << sum;
  }
}

TEST(WorkedTrees, Example8BothSteerToWhatIsBestForBoth) {
  DrawnGame game("(roles a b) (a l (b (0 0) (60 90)) r (b (100 100) (90 95)))");
  for (gdl::RoleIndex role = 0; role < 2; ++role) {
    SearchTrace trace;
    think(game, "maxn:iterative=off,ties=first", role, &trace);
    EXPECT_THAT(trace.nodes().front().value, ElementsAre(100, 100));
  }
  EXPECT_EQ(game.move_name(think(game, "maxn:iterative=off,ties=first").move), "r");
}

std::string coins(int a, int b, int c, int d) {
  return "(roles max random) (max left (random:l " + std::to_string(a) + " " + std::to_string(b) +
         ") right (random:r " + std::to_string(c) + " " + std::to_string(d) + "))";
}

TEST(WorkedTrees, Example9OnlyLinearTransformationsKeepExpectimaxDecisions) {
  const std::string expectimax = "expectimax:iterative=off,ties=first";
  DrawnGame game(coins(3, 4, 1, 5)), squared(coins(9, 16, 1, 25)), linear(coins(16, 18, 12, 20));
  Choice choice = think(game, expectimax);
  EXPECT_EQ(game.move_name(choice.move), "left");
  EXPECT_EQ(value_of(choice, 0), 3.5);
  EXPECT_EQ(value_of(choice, 1), 3.0);
  EXPECT_TRUE(choice.exact);
  choice = think(squared, expectimax);
  EXPECT_EQ(squared.move_name(choice.move), "right");
  EXPECT_EQ(value_of(choice, 0), 12.5);
  EXPECT_EQ(value_of(choice, 1), 13);
  choice = think(linear, expectimax);
  EXPECT_EQ(linear.move_name(choice.move), "left");
  for (DrawnGame* numbers : {&game, &squared, &linear}) {
    EXPECT_EQ(numbers->move_name(think(*numbers, kPlainMinimax).move), "left");
  }
}

/// Its value is 100: chance ends the circle at last. A search sees that it is 50 or more.
TEST(WorkedTrees, NothingIsProvedAboutChanceInACircle) {
  DrawnGame game("(roles a random) (random:r again @r (100))");
  for (const std::string strategy :
       {"expectimax", "alphabeta:quiescence=off", "exhaustive", "maxn"}) {
    const Choice choice = think(game, strategy);
    EXPECT_FALSE(choice.exact) << strategy;
    EXPECT_EQ(choice.root.at(0).high, 100) << strategy;
  }
}

const char* const kBounded =
    "(roles max min) (max:a (min:b (max:d p:30 q:0) (max:e r:60 s:100 t:20))"
    "                       (min:c (max:f u:0 v:0) (max:g w:100 x:50))"
    "                       (min:h (max:i y:100 z:10) (max:j k:70 l:100 m:5))"
    "                       (min:n (max:o 40 41) (max:oo 42 43)))";

TEST(WorkedTrees, Example11BoundedMinimaxVisitsLess) {
  DrawnGame game(kBounded);
  Choice choice = think(game, kPlainMinimax);
  EXPECT_EQ(choice.value, 100);
  EXPECT_EQ(game.log.entered.size(), game.machine->node_count());
  choice = think(game, kPlainBounded);
  EXPECT_EQ(choice.value, 100);
  EXPECT_EQ(game.move_name(choice.move), "3");
  // e and j end at the 100; c ends at f, which is worth 0; i ends at the 100; a ends at h.
  EXPECT_THAT(game.names({game.log.entered.begin() + 1, game.log.entered.end()}),
              ElementsAre("b", "d", "p", "q", "e", "r", "s", "c", "f", "u", "v", "h", "i", "y", "j",
                          "k", "l"));
}

TEST(WorkedTrees, Example11ThresholdVisitsStillLess) {
  DrawnGame game(kBounded);
  const Choice choice = think(game, kPlainBounded + ",threshold=51");
  EXPECT_GE(choice.value, 51);
  EXPECT_EQ(game.move_name(choice.move), "3");
  EXPECT_THAT(
      game.names({game.log.entered.begin() + 1, game.log.entered.end()}),
      ElementsAre("b", "d", "p", "q", "e", "r", "c", "f", "u", "v", "h", "i", "y", "j", "k"));
}

TEST(WorkedTrees, WhatIsProvedToBeEnoughIsChosenBeforeAnEstimate) {
  DrawnGame game("(roles white black) (white risky (black x 0 y 100) safe 40)");
  for (const std::string search : {"minimax", "bounded", "paranoid", "maxn", "alphabeta"}) {
    const Choice choice = think(game, search + ":ties=first,threshold=40,evaluation=none");
    EXPECT_EQ(game.move_name(choice.move), "safe") << search;
    EXPECT_EQ(choice.value, 40) << search;
  }
}

/// The coin is worth 60 to a role that takes all it can get after heads.
TEST(WorkedTrees, WhereChanceIsAMeanMoreThanEnoughCountsBelowIt) {
  DrawnGame game(
      "(roles white black random)"
      "(white gamble (random heads (white low 50 high 100) tails 20) safe 40)");
  for (const std::string search :
       {"alphabeta:", "alphabeta:iterative=off,order=off,", "exhaustive:", "expectimax:"}) {
    const Choice choice = think(game, search + "ties=first,threshold=50");
    EXPECT_EQ(game.move_name(choice.move), "gamble") << search;
    EXPECT_EQ(choice.value, 60) << search;
  }
}

/// From each of two states, the first move leads to the other.
TEST(WorkedTrees, CompulsiveDeliberationComesToTheEndThatItFound) {
  for (const std::string options : {"ties=first", "ties=first,nodes=6"}) {
    const DrawnGame game("(roles one) (one:r on (one:s on @r win 100) win 100)");
    const auto strategy = test::strategy_of("exhaustive:" + options);
    Position position = test::initial_position(game.machine);
    for (int ply = 0; ply < 4 && !test::is_terminal(position); ++ply) {
      const Choice choice = test::think(*strategy, position);
      EXPECT_EQ(choice.value, 100);
      test::make_move(position, std::vector<gdl::MoveId>{choice.move});
    }
    EXPECT_TRUE(test::is_terminal(position)) << options;
  }
}

/// The plies of a match that white plays by a strategy, thinking twice about each position; 20 if
/// it has not come to its end by then.
int plies_to_the_end(const DrawnGame& game, const std::string& spec, double value) {
  const auto strategy = test::strategy_of(spec);
  Position position = test::initial_position(game.machine);
  int plies = 0;
  for (; plies < 20 && !test::is_terminal(position); ++plies) {
    (void)test::think(*strategy, position);
    const Choice choice = test::think(*strategy, position);
    EXPECT_EQ(choice.value, value) << spec << " at ply " << plies;
    test::make_move(position,
                    std::vector<gdl::MoveId>{choice.move, test::legal_moves(position, 1)[0]});
  }
  return plies;
}

const std::string kSearchesInOneStep[] = {"exhaustive:",
                                          "minimax:iterative=off,",
                                          "bounded:iterative=off,",
                                          "paranoid:iterative=off,",
                                          "expectimax:iterative=off,",
                                          "alphabeta:iterative=off,",
                                          "alphabeta:iterative=off,table=off,"};

/// White can win at each of three positions, at each of which its first move leads to the next.
TEST(WorkedTrees, WhatIsProvedInOneStepDoesNotLeadInACircle) {
  for (const int value : {100, 60}) {
    const std::string end = " end " + std::to_string(value) + ")";
    const DrawnGame game("(roles white black) (white:r on (black then (white on (white on @r" +
                         end + end + ")" + end);
    for (const std::string& search : kSearchesInOneStep) {
      EXPECT_LT(plies_to_the_end(game, search + "ties=first", value), 8) << search << value;
    }
  }
}

/// What was proved of a position says nothing once another move was made there.
TEST(WorkedTrees, APositionMayComeBackWhereAnotherMoveWasMade) {
  const DrawnGame game("(roles white black) (white:r on (white back @r end 20) end 100)");
  for (const std::string& search : kSearchesInOneStep) {
    const auto strategy = test::strategy_of(search + "ties=first");
    Position position = test::initial_position(game.machine);
    EXPECT_EQ(game.move_name(test::think(*strategy, position).move), "end") << search;
    test::make_move(position, std::vector<gdl::MoveId>{test::legal_moves(position, 0)[0],
                                                       test::legal_moves(position, 1)[0]});
    const Choice choice = test::think(*strategy, position);
    EXPECT_EQ(game.move_name(choice.move), "back") << search;
    EXPECT_EQ(choice.value, 100) << search;
  }
}

TEST(WorkedTrees, CompulsiveDeliberationLeavesAPlayForABetterOne) {
  const DrawnGame game("(roles one) (one:r on (one:s on @r win 40) stop 30)");
  const DrawnGame other("(roles one) (one:r on (one:s on @r win 40) stop 70)");
  const auto strategy = test::strategy_of("exhaustive:ties=first");
  EXPECT_EQ(test::think(*strategy, test::initial_position(game.machine)).value, 40);
  const Choice choice = test::think(*strategy, test::initial_position(other.machine));
  EXPECT_EQ(other.move_name(choice.move), "stop");
  EXPECT_EQ(choice.value, 70);
  EXPECT_TRUE(choice.exact);
}

TEST(WorkedTrees, TheOthersMovesAreOneAnswerToMine) {
  // Matching pennies: whatever I do, the other does the worst against it.
  DrawnGame pennies("(roles a b) (* (h h) 100 (h t) 0 (t h) 0 (t t) 100)");
  for (const auto& strategy : {kPlainMinimax, kPlainBounded, kPlainAlphaBeta}) {
    EXPECT_EQ(think(pennies, strategy, 0).value, 0);
    EXPECT_EQ(think(pennies, strategy, 1).value, 0);
  }
  DrawnGame dominant("(roles a b) (* (h h) 30 (h t) 20 (t h) 60 (t t) 50)");
  const Choice choice = think(dominant, kPlainAlphaBeta);
  EXPECT_EQ(choice.value, 50);
  EXPECT_EQ(dominant.move_name(choice.move), "t");
}

}  // namespace
}  // namespace ludens::search
