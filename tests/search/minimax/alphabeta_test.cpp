// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "search/minimax/transposition_table.h"
#include "tests/search/games/rulesheets.h"
#include "tests/search/thinking.h"
#include "tests/search/tree/drawn_game.h"

namespace ludens::search {
namespace {

/// A uniform tree whose leaves are ordered so that every node's children come best first, or worst
/// first, for the role that decides; b moves at each of m levels.
class OrderedTree {
 public:
  OrderedTree(int b, int m, bool best_first) : b_(b), best_first_(best_first) {
    text_ = "(roles max min) " + node(m, true, 0, std::pow(b, m) - 1);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  /// The values of a subtree are the whole numbers first..last, scaled to goals.
  std::string node(int levels, bool max, double first, double last) {
    if (levels == 0) return std::to_string(static_cast<int>(first)) + " ";
    std::string text = max ? "(max " : "(min ";
    const double width = (last - first + 1) / b_;
    for (int i = 0; i < b_; ++i) {
      const int part = max == best_first_ ? b_ - 1 - i : i;
      text += node(levels - 1, !max, first + part * width, first + (part + 1) * width - 1);
    }
    return text + ") ";
  }
  int b_;
  bool best_first_;
  std::string text_;
};

TEST(AlphaBeta, PerfectOrderReadsTheFewestLeavesThatAreEnough) {
  for (const auto& [b, m] : {std::pair{2, 4}, {2, 5}, {2, 6}, {3, 3}, {3, 4}, {4, 3}, {10, 2}}) {
    DrawnGame game(OrderedTree(b, m, true).text());
    think(game, kPlainAlphaBeta);
    const double fewest = std::pow(b, (m + 1) / 2) + std::pow(b, m / 2) - 1;
    EXPECT_EQ(game.log.read.size(), fewest) << b << " moves, " << m << " levels";
  }
}

TEST(AlphaBeta, WorstOrderReadsAllLeaves) {
  for (const auto& [b, m] : {std::pair{2, 4}, {2, 6}, {3, 3}, {3, 4}, {4, 3}}) {
    DrawnGame game(OrderedTree(b, m, false).text());
    think(game, kPlainAlphaBeta);
    EXPECT_EQ(game.log.read.size(), std::pow(b, m)) << b << " moves, " << m << " levels";
  }
}

TEST(AlphaBeta, EqualMovesFallToTheFirstInSpiteOfReordering) {
  DrawnGame game("(roles max min) (max (min 50 60) (min 20 50) (min 50 50) (min 50 100))");
  for (const std::string options : {"", ",table=off", ",order=off", ",bounds=off"}) {
    const Choice choice = think(game, "alphabeta:ties=first" + options);
    EXPECT_EQ(game.move_name(choice.move), "1") << options;
    EXPECT_EQ(choice.value, 50);
  }
}

TEST(AlphaBeta, EqualMovesFallToEachInTurnByChance) {
  DrawnGame game("(roles max min) (max (min 50 60) (min 20 50) (min 50 50) (min 50 100))");
  std::map<std::string, int> chosen;
  for (int seed = 1; seed <= 300; ++seed) {
    ++chosen[game.move_name(think(game, "alphabeta:seed=" + std::to_string(seed)).move)];
  }
  EXPECT_EQ(chosen.count("2"), 0U);
  for (const char* move : {"1", "3", "4"}) EXPECT_GT(chosen[move], 60) << move;
}

TEST(AlphaBeta, ThresholdIsEnough) {
  DrawnGame game("(roles max min) (max (min 60 70) (min 80 90))");
  const Choice choice = think(game, "alphabeta:ties=first,threshold=51,iterative=off,order=off");
  EXPECT_EQ(game.move_name(choice.move), "1");
  EXPECT_GE(choice.root[0].low, 51);
  EXPECT_FALSE(choice.exact);
}

/// A capture is followed by a recapture. Goals are defined in every state, and jump.
const char* const kCapture = R"(
  (role me) (role you) (init (control me)) (init (score 50)) (init (count 0))
  (<= (legal me take) (true (control me)) (not (true taken)))
  (<= (legal me wait) (true (control me)))
  (<= (legal me noop) (true (control you)))
  (<= (legal you noop) (true (control me)))
  (<= (legal you retake) (true (control you)) (true (score 90)))
  (<= (legal you wait) (true (control you)))
  (<= (next taken) (does me take))
  (<= (next taken) (true taken))
  (<= (next (control you)) (true (control me)))
  (<= (next (control me)) (true (control you)))
  (<= (next (score 90)) (does me take))
  (<= (next (score 10)) (does you retake))
  (<= (next (score ?n)) (true (score ?n)) (not (does me take)) (not (does you retake)))
  (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
  (<= (next (count ?m)) (true (count ?n)) (succ ?n ?m))
  (<= terminal (true (count 8)))
  (<= (goal me ?n) (true (score ?n)))
  (<= (goal you 90) (true (score 10)))
  (<= (goal you 50) (true (score 50)))
  (<= (goal you 10) (true (score 90))))";

TEST(AlphaBeta, QuiescenceLooksBeyondAJumpOfTheEvaluation) {
  const auto game = interpret(kCapture);
  const std::string shallow = "alphabeta:depth=1,ties=first,evaluation=goal,quiescence=";
  EXPECT_EQ(game->vocabulary()->move_name(think(game, shallow + "off").move), "take");
  const Choice choice = think(game, shallow + "on");
  EXPECT_EQ(game->vocabulary()->move_name(choice.move), "wait");
  EXPECT_GT(choice.depth, 1U);
  EXPECT_FALSE(choice.exact);
}

TEST(AlphaBeta, AnEstimateIsNeverExactNorCertain) {
  const auto game = interpret_bundled("connect_four_small");
  for (const char* evaluation : {"goal", "mobility", "mixed", "playouts", "none"}) {
    const Choice choice =
        think(game, "alphabeta:depth=2,seed=4,evaluation=" + std::string(evaluation));
    EXPECT_FALSE(choice.exact) << evaluation;
    EXPECT_GT(choice.value, 0) << evaluation;
    EXPECT_LT(choice.value, 100) << evaluation;
    for (const RootMove& move : choice.root) {
      EXPECT_EQ(move.low, 0) << evaluation;
      EXPECT_EQ(move.high, 100) << evaluation;
    }
  }
}

TEST(AlphaBeta, TheCapOnPlayoutsEndsTheSearch) {
  const auto game = interpret_bundled("connect_four_small");
  const Choice few = think(game, "alphabeta:evaluation=playouts,playouts=80,seed=1");
  const Choice more = think(game, "alphabeta:evaluation=playouts,playouts=800,seed=1");
  EXPECT_LT(few.nodes, more.nodes);
}

TEST(AlphaBeta, ThePrincipalVariationLeadsToTheValue) {
  DrawnGame game("(roles max min) (max l (min l 3 r (max l 9 r 7)) r (min l (max l 6 r 5) r 8))");
  for (const std::string options : {"iterative=off,", ""}) {
    const Choice choice = think(game, "alphabeta:" + options + "table=off,ties=first");
    EXPECT_EQ(choice.value, 6);
    std::vector<std::string> line;
    for (const gdl::MoveId move : choice.variation) line.push_back(game.move_name(move));
    EXPECT_THAT(line, testing::ElementsAre("r", "noop", "noop", "l", "l", "noop"));
  }
}

TEST(AlphaBeta, WhatWasFoundHelpsAtTheNextMove) {
  const auto game = interpret_bundled("tic_tac_toe");
  auto made = make_strategy({"alphabeta", {{"ties", "first"}}}, {});
  auto& strategy = **made;
  Position position{game, {}, 0, {}};
  const auto context = game->make_context();
  ASSERT_EQ(game->initial(*context, position.state), gdl::Status::Ok);
  Incumbent first, again;
  strategy.think(position, Deadline(), first);
  strategy.think(position, Deadline(), again);
  EXPECT_TRUE(again.get()->exact);
  EXPECT_EQ(again.get()->value, 50);
  EXPECT_LT(again.get()->nodes * 20, first.get()->nodes);
}

/// The first move of `r` leads back to a position that is proved to be won by coming to `r`.
TEST(AlphaBeta, WhatIsProvedDoesNotLeadInACircleForEver) {
  const DrawnGame game("(roles white black) (white:s go (white:r back @s win 100) stay 0)");
  const auto strategy = test::strategy_of("alphabeta:ties=first");
  Position position = test::initial_position(game.machine);
  for (int ply = 0; ply < 4 && !test::is_terminal(position); ++ply) {
    const Choice choice = test::think(*strategy, position);
    EXPECT_EQ(choice.value, 100) << ply;
    test::make_move(position,
                    std::vector<gdl::MoveId>{choice.move, test::legal_moves(position, 1)[0]});
  }
  EXPECT_TRUE(test::is_terminal(position));
}

/// Alpha-beta five plies deep, without a table, so that its value is that of minimax.
Choice to_depth(const std::shared_ptr<const gdl::Machine>& machine, const MinimaxRules& rules) {
  TreeSettings settings;
  settings.depth = 5;
  settings.ties = Ties::First;
  return think(machine, *make_two_sided("alphabeta", rules, false, settings, {}));
}

TEST(AlphaBeta, OrderAndNarrowWindowsKeepTheValueAndLookAtLess) {
  const auto game = interpret_bundled("breakthrough_small");
  const MinimaxRules rules = alphabeta_rules(100);
  MinimaxRules without = rules;
  without.order = without.reorder = false;
  const Choice plain = to_depth(game, without), all = to_depth(game, rules);
  EXPECT_EQ(all.value, plain.value);
  EXPECT_LT(all.nodes, plain.nodes);
  const auto compare = [&](const char* what, const MinimaxRules& changed) {
    const Choice choice = to_depth(game, changed);
    EXPECT_EQ(choice.value, plain.value) << what;
    EXPECT_NE(choice.nodes, all.nodes) << "nothing is done by " << what;
  };
  MinimaxRules wide = rules, narrow = rules, no_killers = rules, no_history = rules, deep = rules;
  wide.pvs = false;
  narrow.aspiration = 1;
  no_killers.killers = false;
  no_history.history = false;
  deep.rank = 3;
  compare("windows of zero width", wide);
  compare("aspiration", narrow);
  compare("killers", no_killers);
  compare("history", no_history);
  compare("ranks", deep);
}

TEST(AlphaBeta, WithoutOrderNothingIsDoneThatRestsOnIt) {
  const auto game = interpret_bundled("connect_four_small");
  MinimaxRules rules = alphabeta_rules(100);
  rules.order = rules.reorder = false;
  const Choice plain = to_depth(game, rules);
  rules.pvs = rules.killers = rules.history = false;
  rules.aspiration = 0;
  EXPECT_EQ(to_depth(game, rules).nodes, plain.nodes);
}

gdl::StateHash key_of(std::uint64_t number) {
  return {number, ~number};
}

TEST(TranspositionTable, KeepsWhatIsProvedOfTheSameState) {
  TranspositionTable table(std::size_t{1} << 20, nullptr);
  using Bound = TranspositionTable::Bound;
  TranspositionTable::Entry entry;
  entry.key = key_of(7);
  entry.backup = {60, 20, 100};
  entry.bound = Bound::Exact;
  entry.depth = 3;
  entry.move = 5;
  table.store(entry);
  entry.backup = {70, 0, 80};
  entry.bound = Bound::Lower;
  entry.depth = 4;
  entry.move = gdl::kNoMove;
  table.store(entry);
  const auto* found = table.find(key_of(7));
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->backup.value, 70);
  EXPECT_EQ(found->backup.low, 20);
  EXPECT_EQ(found->backup.high, 80);
  EXPECT_EQ(found->move, 5U);
  EXPECT_EQ(table.find(key_of(8)), nullptr);
}

/// An older value serves no longer, but would be kept again and again.
TEST(TranspositionTable, ADeeperValueGivesWayInTheNextIteration) {
  TranspositionTable table(std::size_t{1} << 20, nullptr);
  using Bound = TranspositionTable::Bound;
  TranspositionTable::Entry deep, late;
  deep.key = late.key = key_of(7);
  deep.backup = {60, 20, 100};
  deep.bound = Bound::Exact;
  deep.depth = 5;
  deep.move = 3;
  late.backup = {70, 0, 80};
  late.bound = Bound::Lower;
  late.depth = 2;
  table.store(deep);
  table.store(late);
  EXPECT_EQ(table.find(key_of(7))->backup.value, 60);
  EXPECT_EQ(table.find(key_of(7))->depth, 5);
  table.start_iteration();
  table.store(late);
  const auto* found = table.find(key_of(7));
  ASSERT_NE(found, nullptr);
  EXPECT_TRUE(table.is_of_this_iteration(*found));
  EXPECT_EQ(found->backup.value, 70);
  EXPECT_EQ(found->depth, 2);
  EXPECT_EQ(found->bound, Bound::Lower);
  EXPECT_EQ(found->backup.low, 20);
  EXPECT_EQ(found->backup.high, 80);
  EXPECT_EQ(found->move, 3U);
}

TEST(TranspositionTable, TheDeepestAndTheLatestOfABucketStay) {
  TranspositionTable table(0x10000, nullptr);
  const std::uint64_t stride = table.capacity() / 2;
  TranspositionTable::Entry entry;
  entry.bound = TranspositionTable::Bound::Exact;
  for (const int depth : {9, 3, 4, 2}) {
    entry.key = key_of(stride * static_cast<std::uint64_t>(depth));
    entry.depth = static_cast<std::uint16_t>(depth) & 0x3fff;
    table.store(entry);
  }
  EXPECT_NE(table.find(key_of(stride * 9)), nullptr);
  EXPECT_EQ(table.find(key_of(stride * 3)), nullptr);
  EXPECT_EQ(table.find(key_of(stride * 4)), nullptr);
  EXPECT_NE(table.find(key_of(stride * 2)), nullptr);
  table.start_iteration();
  for (const int depth : {1, 5}) {  // what is older gives way, however deep
    entry.key = key_of(stride * static_cast<std::uint64_t>(depth));
    entry.depth = static_cast<std::uint16_t>(depth) & 0x3fff;
    table.store(entry);
  }
  EXPECT_EQ(table.find(key_of(stride * 2)), nullptr);
  EXPECT_NE(table.find(key_of(stride * 5)), nullptr);
}

TEST(TranspositionTable, TakesNoMoreThanThereIs) {
  gdl::MemoryBudget memory(100'000);
  {
    TranspositionTable table(std::size_t{1} << 20, &memory);
    EXPECT_GT(table.capacity(), 0U);
    EXPECT_LE(memory.used(), 100'000U);
    EXPECT_GT(memory.used(), 40'000U);
    TranspositionTable none(std::size_t{1} << 20, &memory);
    TranspositionTable::Entry entry;
    entry.key = key_of(3);
    none.store(entry);
    EXPECT_LE(memory.used(), 100'000U);
  }
  EXPECT_EQ(memory.used(), 0U);
  TranspositionTable nothing(0, nullptr);
  EXPECT_EQ(nothing.find(key_of(1)), nullptr);
}

}  // namespace
}  // namespace ludens::search
