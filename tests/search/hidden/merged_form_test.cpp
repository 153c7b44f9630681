// SPDX-License-Identifier: MIT
// Merged forms against the trees that they stand for.
#include "search/hidden/merged_form.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>

#include "search/hidden/cfr_plus.h"
#include "search/hidden/exploitability.h"
#include "tests/sanitizers.h"
#include "tests/search/hidden/hidden_match.h"
#include "tests/search/hidden/random_game.h"
#include "tests/search/hidden/whole_form.h"

namespace ludens::search::hidden {
namespace {

using tests::HiddenMatch;
using tests::initial_of;
using tests::whole_form;

ExtensiveForm merged(const gdl::Machine& machine, std::size_t most_apart = kMostApart) {
  return build_merged(machine, initial_of(machine), Deadline(), nullptr, most_apart).value();
}

BehaviourStrategy strategy_after(const ExtensiveForm& form, int iterations) {
  CfrPlus cfr(form);
  for (int i = 0; i < iterations; ++i) cfr.iterate();
  return cfr.average();
}

/// The strategy of a merged form in terms of the tree: what is one there, is played alike here.
BehaviourStrategy in_tree(const ExtensiveForm& form, const BehaviourStrategy& strategy,
                          const ExtensiveForm& whole) {
  BehaviourStrategy out(whole.actions());
  for (const auto& set : whole.sets()) {
    std::vector<KnownTurn> known;
    std::vector<gdl::MoveId> history;
    for (const auto* step : whole.known_in(set)) {
      known.push_back({step->move, step->percepts});
      history.insert(history.end(), step->joint.begin(), step->joint.end());
    }
    const auto found = form.find(set.role, known, history, set.moves);
    EXPECT_TRUE(found.has_value());
    if (!found) continue;
    for (std::size_t i = 0; i < set.moves.size(); ++i) {
      out[set.first_action + i] = strategy[form.sets()[*found].first_action + i];
    }
  }
  return out;
}

/// Goals and best responses are those of the same strategy in the tree, exactly.
void expect_the_same(const gdl::Machine& machine, int iterations, std::size_t most_apart) {
  const ExtensiveForm small = merged(machine, most_apart), whole = whole_form(machine);
  EXPECT_EQ(histories_of_tree(small), static_cast<double>(whole.histories().size()));
  EXPECT_LE(small.sets().size(), whole.sets().size());
  const BehaviourStrategy strategy = strategy_after(small, iterations);
  const BehaviourStrategy same = in_tree(small, strategy, whole);
  const auto goals = expected_goals(small, strategy), expected = expected_goals(whole, same);
  for (std::size_t role = 0; role < goals.size(); ++role) {
    EXPECT_NEAR(goals[role], expected[role], 1e-6);
  }
  for (const gdl::RoleIndex role : whole.players()) {
    EXPECT_NEAR(best_response(small, strategy, role).value.value(),
                best_response(whole, same, role).value.value(), 1e-6);
  }
}

TEST(MergedForm, IsWorthWhatItsTreeIs) {
  for (const char* game : {"kuhn_poker", "matching_pennies", "rock_paper_scissors", "paid_hints",
                           "monty_hall", "spy_and_guard", "hidden_roles", "cut_the_wire"}) {
    SCOPED_TRACE(game);
    const auto machine = tests::machine_of(tests::vocabulary_of(game), "sliced");
    for (const std::size_t most_apart : {0, 5, 8'192}) expect_the_same(*machine, 20, most_apart);
  }
}

/// Whether a role's turns alone tell what it knows: not so where two links differ in the legal
/// moves behind them only.
bool is_told_by_turns(const ExtensiveForm& form) {
  for (const gdl::RoleIndex role : form.players()) {
    std::set<std::tuple<KnowledgeId, gdl::MoveId, std::uint32_t>> seen;
    for (const auto& link : form.links(role)) {
      if (!seen.emplace(link.from, link.move, link.told).second) return false;
    }
  }
  return true;
}

TEST(MergedForm, OfDrawnGamesIsWorthWhatItsTreeIs) {
  int compared = 0;
  for (std::uint64_t seed = 301; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    const auto machine = tests::machine_of_text(tests::RandomGame(seed).text(), "sliced");
    const auto small = build_merged(*machine, initial_of(*machine), Deadline(), nullptr, 0);
    ASSERT_TRUE(small.has_value());
    if (histories_of_tree(*small) > 200'000 || !is_told_by_turns(*small)) continue;
    for (const std::size_t most_apart : {0, 4}) expect_the_same(*machine, 5, most_apart);
    ++compared;
  }
  EXPECT_GE(compared, 5);
}

TEST(MergedForm, TellsAllApartInTheFirstSteps) {
  for (const char* game : {"kuhn_poker", "leduc_poker", "spy_and_guard"}) {
    SCOPED_TRACE(game);
    const auto machine = tests::machine_of(tests::vocabulary_of(game), "sliced");
    const std::size_t whole = whole_form(*machine).sets().size();
    EXPECT_EQ(merged(*machine).sets().size(), whole);
    EXPECT_LE(merged(*machine, 0).sets().size(), whole);
  }
  const auto machine = tests::machine_of(tests::vocabulary_of("leduc_poker"), "sliced");
  EXPECT_LT(merged(*machine, 0).sets().size(), merged(*machine, 20).sets().size());
}

/// Nobody but chance has a say: what is possible with the same probabilities is the same, so that
/// the strategy is as good as that of the tree.
TEST(MergedForm, LosesNothingWhereOnePlaysAlone) {
  for (const auto& [game, value] : {std::pair("paid_hints", 80.0),
                                    {"monty_hall", 200.0 / 3},
                                    {"cut_the_wire", 250.0 / 3},
                                    {"blackjack", 47.6722011}}) {
    SCOPED_TRACE(game);
    if (kSanitized && game == std::string_view("blackjack")) continue;  // it takes a minute
    const auto machine = tests::machine_of(tests::vocabulary_of(game), "sliced");
    const ExtensiveForm form = merged(*machine);
    const BehaviourStrategy strategy = strategy_after(form, 400);
    EXPECT_NEAR(best_response(form, strategy, 0).value.value(), value, 1e-5);
    EXPECT_NEAR(expected_goals(form, strategy)[0], value, 0.5);
  }
}

TEST(MergedForm, IsGivenUpWhereMemoryOrTimeEnds) {
  const auto machine = tests::machine_of(tests::vocabulary_of("dark_hex_small"), "sliced");
  gdl::MemoryBudget small(std::size_t{4} << 20);
  const auto full = build_merged(*machine, initial_of(*machine), Deadline(), &small);
  ASSERT_FALSE(full.has_value());
  EXPECT_EQ(full.error().text, "there are too many histories for the memory limit");
  EXPECT_EQ(small.used(), 0u);
  std::stop_source stop;
  stop.request_stop();
  const auto late =
      build_merged(*machine, initial_of(*machine), Deadline(stop.get_token()), nullptr);
  ASSERT_FALSE(late.has_value());
  EXPECT_EQ(late.error().text, "the time was up before all histories were followed");
}

/// Two moves for each role, two steps, and percepts.
std::string rules_for(int roles) {
  std::string text;
  for (int role = 0; role < roles; ++role) text += "(role r" + std::to_string(role) + ")";
  return text + R"((init (step 0)) (succ 0 1) (succ 1 2)
    (<= (legal ?r left) (role ?r)) (<= (legal ?r right) (role ?r))
    (<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))
    (<= (sees ?r ?m) (role ?r) (does r0 ?m))
    (<= terminal (true (step 2))) (<= (goal ?r 50) (role ?r)))";
}

/// The number of joint moves, or of bytes for them, is beyond 64 bits.
TEST(MergedForm, IsGivenUpWhereJointMovesAreCountless) {
  for (const int roles : {40, 62, 64, 66}) {
    SCOPED_TRACE(roles);
    const auto machine = tests::machine_of_text(rules_for(roles), "sliced");
    gdl::MemoryBudget memory(std::size_t{64} << 20);
    const auto form = build_merged(*machine, initial_of(*machine), Deadline::in(20), &memory);
    ASSERT_FALSE(form.has_value());
    EXPECT_EQ(form.error().text, "there are too many histories for the memory limit");
    EXPECT_EQ(memory.used(), 0u);
  }
}

/// Links are told apart by the number of the move, for which they have 16 bits.
TEST(MergedForm, IsGivenUpWhereARoleHasMoreMovesThanItCanTellApart) {
  std::string rules =
      "(role player) (role random) (init (step 0)) (succ 0 1) (succ 1 2)"
      "(<= (legal player (point ?x ?y)) (true (step 0)) (number ?x) (number ?y))"
      "(<= (legal player wait) (true (step 1))) (legal random noop)"
      "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= (sees player one) (true (step 1)))"
      "(<= terminal (true (step 2))) (goal player 50) (goal random 0)";
  for (int i = 0; i < 257; ++i) rules += "(number " + std::to_string(i) + ")";
  const auto machine = tests::machine_of_text(rules, "interpreter");
  const auto form = build_merged(*machine, initial_of(*machine), Deadline(), nullptr);
  ASSERT_FALSE(form.has_value());
  EXPECT_EQ(form.error().text, "there are too many histories for the memory limit");
}

}  // namespace
}  // namespace ludens::search::hidden
