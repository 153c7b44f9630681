// SPDX-License-Identifier: MIT
// Equilibria of small games of hidden information, against known values.
#include "search/hidden/cfr_plus.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "search/hidden/exploitability.h"
#include "tests/gdl/text/stop_signals.h"
#include "tests/search/games/bundled.h"
#include "tests/search/games/rulesheets.h"
#include "tests/search/hidden/whole_form.h"

namespace ludens::search::hidden {
namespace {

using tests::whole_form;

/// Both show a side at once; equal sides win for `even`.
constexpr const char* kPennies = R"((role even) (role odd) (side heads) (side tails) (init fresh)
  (<= (legal ?r (show ?s)) (role ?r) (side ?s))
  (<= (next (shown ?r ?s)) (does ?r (show ?s)))
  (<= terminal (not (true fresh)))
  (<= same (true (shown even ?s)) (true (shown odd ?s)))
  (<= (goal even 100) same) (<= (goal odd 0) same)
  (<= (goal even 0) (not same)) (<= (goal odd 100) (not same)))";

/// A car behind one of three doors; the host opens another one without it. One goal in three for
/// who stays, two for who switches.
constexpr const char* kDoors =
    R"((role guest) (role random) (door 1) (door 2) (door 3) (init (step hide))
  (<= (legal random (hide ?d)) (door ?d) (true (step hide)))
  (<= (legal random (open ?d)) (door ?d) (true (step open)) (not (true (car ?d))) (not (true (chosen ?d))))
  (<= (legal random noop) (true (step decide)))
  (<= (legal guest (choose ?d)) (door ?d) (true (step hide)))
  (<= (legal guest noop) (true (step open)))
  (<= (legal guest stay) (true (step decide)))
  (<= (legal guest switch) (true (step decide)))
  (<= (sees guest (opened ?d)) (does random (open ?d)))
  (<= (next (car ?d)) (does random (hide ?d))) (<= (next (car ?d)) (true (car ?d)))
  (<= (next (chosen ?d)) (does guest (choose ?d)))
  (<= (next (chosen ?d)) (true (chosen ?d)) (not (does guest switch)))
  (<= (next (opened ?d)) (does random (open ?d)))
  (<= (next (chosen ?d)) (does guest switch) (door ?d) (not (true (chosen ?d))) (not (true (opened ?d))))
  (<= (next (step open)) (true (step hide))) (<= (next (step decide)) (true (step open)))
  (<= (next (step over)) (true (step decide)))
  (<= terminal (true (step over)))
  (<= right (true (chosen ?d)) (true (car ?d)))
  (<= (goal guest 100) right) (<= (goal guest 0) (not right)) (goal random 0))";

BehaviourStrategy uniform(const ExtensiveForm& form) {
  BehaviourStrategy strategy(form.actions());
  for (const auto& set : form.sets()) {
    for (std::size_t i = 0; i < set.moves.size(); ++i) {
      strategy[set.first_action + i] = 1.0 / static_cast<double>(set.moves.size());
    }
  }
  return strategy;
}

BehaviourStrategy after(const ExtensiveForm& form, int iterations) {
  CfrPlus cfr(form);
  while (cfr.iterations() < static_cast<std::uint64_t>(iterations)) cfr.iterate();
  return cfr.average();
}

/// `card king, pass -> bet` and the like: what the role saw and did, by the percepts and its moves.
std::string story(const gdl::Machine& machine, const ExtensiveForm& form,
                  const ExtensiveForm::InformationSet& set) {
  std::string text = machine.role_name(set.role) + ":";
  for (const auto* step : form.known_in(set)) {
    const std::string move = machine.vocabulary()->move_name(step->move);
    if (move != "noop") text += " " + move;
    for (const auto p : step->percepts) text += " " + machine.vocabulary()->percept_name(p);
  }
  return text;
}

std::map<std::string, double> probability_of(const gdl::Machine& machine, const ExtensiveForm& form,
                                             const BehaviourStrategy& strategy,
                                             const std::string& move) {
  std::map<std::string, double> found;
  for (const auto& set : form.sets()) {
    for (std::size_t i = 0; i < set.moves.size(); ++i) {
      if (machine.vocabulary()->move_name(set.moves[i]) != move) continue;
      found[story(machine, form, set)] = strategy[set.first_action + i];
    }
  }
  return found;
}

TEST(ExtensiveForm, OfKuhnPokerHasItsHistoriesAndSets) {
  for (const char* name : {"interpreter", "sliced"}) {
    const auto machine = test::bundled("kuhn_poker", name);
    const ExtensiveForm form = whole_form(*machine);
    EXPECT_EQ(form.histories().size(), 1 + 6 * 9U);  // the deal; below each 4 decisions, 5 ends
    EXPECT_EQ(form.sets().size(), 12u);
    EXPECT_EQ(form.actions(), 24u);
    EXPECT_EQ(form.players().size(), 2u);
  }
}

/// By hand, in chips: against who bets and passes alike with every card, first gains 1/2 and second
/// 5/12 by the best they can do, where both otherwise expect 1/8 and -1/8.
TEST(BestResponse, IsThatOfAHandComputedTable) {
  const auto machine = test::bundled("kuhn_poker", "interpreter");
  const ExtensiveForm form = whole_form(*machine);
  const BehaviourStrategy strategy = uniform(form);
  const std::vector<double> expected = expected_goals(form, strategy);
  EXPECT_NEAR(expected[0], 50 + 10.0 / 8, 1e-6);
  EXPECT_NEAR(expected[1], 50 - 10.0 / 8, 1e-6);
  EXPECT_NEAR(best_response(form, strategy, 0).value.value(), 50 + 10.0 / 2, 1e-6);
  EXPECT_NEAR(best_response(form, strategy, 1).value.value(), 50 + 10.0 * 5 / 12, 1e-6);
  EXPECT_NEAR(exploitability(form, strategy), 10 * (1.0 / 2 + 5.0 / 12) / 2, 1e-6);
}

TEST(CfrPlus, FindsTheEquilibriumOfKuhnPoker) {
  const auto machine = test::bundled("kuhn_poker", "sliced");
  const ExtensiveForm form = whole_form(*machine);
  const BehaviourStrategy strategy = after(form, 20'000);
  EXPECT_LT(exploitability(form, strategy), 10 * 1e-4);
  EXPECT_NEAR(expected_goals(form, strategy)[0], 50 - 10.0 / 18, 10 * 1e-4);
  const auto bets = probability_of(*machine, form, strategy, "bet");
  const double bluff = bets.at("first: ( card jack )");
  EXPECT_LE(bluff, 1.0 / 3 + 1e-3);
  EXPECT_NEAR(bets.at("first: ( card king )"), 3 * bluff, 1e-2);
  EXPECT_NEAR(bets.at("first: ( card queen )"), 0, 1e-2);
  EXPECT_NEAR(bets.at("first: ( card queen ) pass bet"), bluff + 1.0 / 3, 1e-2);
  EXPECT_NEAR(bets.at("second: ( card jack ) pass"), 1.0 / 3, 1e-2);
  EXPECT_NEAR(bets.at("second: ( card queen ) bet"), 1.0 / 3, 1e-2);
  EXPECT_NEAR(bets.at("second: ( card king ) bet"), 1, 1e-2);
}

/// Values that OpenSpiel publishes of the same game, in chips.
TEST(CfrPlus, FindsTheValueOfLeducPoker) {
  const auto machine = test::bundled("leduc_poker", "sliced");
  const ExtensiveForm form = whole_form(*machine);
  EXPECT_NEAR(exploitability(form, uniform(form)), 3 * 4.7472222 / 2, 1e-5);
  const BehaviourStrategy strategy = after(form, 1'000);
  EXPECT_LT(exploitability(form, strategy), 3 * 0.01);
  EXPECT_NEAR(expected_goals(form, strategy)[0], 50 - 3 * 0.0856, 3 * 0.01);
}

/// The value that OpenSpiel publishes of liars_dice, -0.0271, where a game is won or lost.
TEST(CfrPlus, FindsTheValueOfLiarsDice) {
  const auto machine = test::bundled("liars_dice", "sliced");
  const ExtensiveForm form = whole_form(*machine);
  EXPECT_EQ(form.sets().size(), 12'288u);
  const BehaviourStrategy strategy = after(form, 64);
  EXPECT_LT(exploitability(form, strategy), 1);
  EXPECT_NEAR(expected_goals(form, strategy)[0], 50 * (1 - 0.0271), 0.1);
}

TEST(CfrPlus, MixesWhereBothChooseAtOnce) {
  const auto machine = interpret(kPennies);
  const ExtensiveForm form = whole_form(*machine);
  EXPECT_EQ(form.sets().size(), 2u);  // the second to be asked does not see the first
  const BehaviourStrategy strategy = after(form, 500);
  for (const double p : strategy) EXPECT_NEAR(p, 0.5, 1e-6);
}

/// Two rounds of which the second is played for the goals: what was shown in the first is known, so
/// that each has four times as many situations then.
TEST(ExtensiveForm, WithoutPerceptsEverybodySeesTheJointMove) {
  std::string text = kPennies;
  const std::string once = "(<= terminal (not (true fresh)))";
  text.replace(
      text.find(once), once.size(),
      "(<= (next second) (true fresh)) (<= terminal (not (true fresh)) (not (true second)))");
  const auto machine = interpret(text);
  const ExtensiveForm form = whole_form(*machine);
  EXPECT_EQ(form.sets().size(), 2 * (1 + 4u));
  EXPECT_EQ(form.histories().size(), 1 + 2 + 4 + 4 * (2 + 4u));
}

TEST(CfrPlus, SwitchesDoors) {
  const auto machine = interpret(kDoors);
  const ExtensiveForm form = whole_form(*machine);
  const BehaviourStrategy strategy = after(form, 200);
  EXPECT_NEAR(expected_goals(form, strategy)[0], 200.0 / 3, 0.5);
  EXPECT_LT(exploitability(form, strategy), 0.5);
}

TEST(ExtensiveForm, IsGivenUpWhereMemoryOrTimeEnds) {
  const auto machine = test::bundled("leduc_poker", "interpreter");
  gdl::State initial;
  ASSERT_EQ(machine->initial(*machine->make_context(), initial), gdl::Status::Ok);
  gdl::MemoryBudget small(std::size_t{64} << 10);
  const auto full = ExtensiveForm::build(*machine, initial, Deadline(), &small);
  ASSERT_FALSE(full.has_value());
  EXPECT_EQ(full.error().text, "there are too many histories for the memory limit");
  EXPECT_EQ(small.used(), 0u);
  std::stop_source stop;
  stop.request_stop();
  const auto late = ExtensiveForm::build(*machine, initial, Deadline(stop.get_token()), nullptr);
  ASSERT_FALSE(late.has_value());
  EXPECT_EQ(late.error().text, "the time was up before all histories were followed");
}

/// Stopped in the turn of the first player, before and after its values are known.
TEST(CfrPlus, LearnsNothingFromATurnThatWasStopped) {
  const ExtensiveForm form = whole_form(*test::bundled("kuhn_poker", "sliced"));
  CfrPlus whole(form), stopped(form);
  for (int i = 0; i < 5; ++i) {
    if (i % 2 == 0) {
      const gdl::tests::StopAfter stop(i == 0 ? 0 : 1);
      EXPECT_FALSE(stopped.iterate(&stop));
    }
    EXPECT_TRUE(stopped.iterate());
    EXPECT_TRUE(whole.iterate());
  }
  EXPECT_EQ(stopped.iterations(), 5u);
  EXPECT_EQ(stopped.average(), whole.average());
  const gdl::tests::StopAfter at_once(0);
  EXPECT_FALSE(exploitability(form, whole.average(), &at_once).has_value());
}

}  // namespace
}  // namespace ludens::search::hidden
