// SPDX-License-Identifier: MIT
// Estimates by relaxed reachability against exact distances.
#include "search/puzzle/relaxed_estimate.h"

#include <gtest/gtest.h>

#include "tests/search/factors/distances.h"
#include "tests/search/factors/split_games.h"
#include "tests/search/thinking.h"

namespace ludens::search::puzzle {
namespace {

/// A stranger on a grid of 4x4 with a wall, who wants to be in the corner when six moves are made.
constexpr const char* kWalk = R"((role walker)(init (at 1 1))(init (step 0))
  (up 1 2)(up 2 3)(up 3 4)(wall 2 1)(wall 2 2)
  (<= (beside ?a ?b) (up ?a ?b))(<= (beside ?a ?b) (up ?b ?a))
  (<= (legal walker (go ?x ?b)) (true (at ?x ?a)) (beside ?a ?b) (not (wall ?x ?b)))
  (<= (legal walker (go ?b ?y)) (true (at ?a ?y)) (beside ?a ?b) (not (wall ?b ?y)))
  (<= (next (at ?x ?y)) (does walker (go ?x ?y)))
  (<= (next (step ?n)) (true (step ?m)) (count ?m ?n))
  (count 0 1)(count 1 2)(count 2 3)(count 3 4)(count 4 5)(count 5 6)
  (<= terminal (true (step 6)))
  (<= (goal walker 100) (true (at 4 4)))(<= (goal walker 0) (not (true (at 4 4)))))";

struct Seen {
  std::size_t states = 0, tight = 0, hopeless = 0, recognised = 0;
};

Seen compare(const std::string& rulesheet) {
  const auto machine = test::fast_machine(rulesheet);
  const test::Distances exact(*machine, 100);
  gdl::Rng rng(1);
  SearchProblem problem(machine, exact.states[0], {}, 100, nullptr, rng);
  RelaxedEstimate estimate(problem, RelaxedEstimate::Take::Steps);
  EXPECT_EQ(estimate.prepare(), gdl::Status::Ok);
  const std::vector<gdl::StateView> states(exact.states.begin(), exact.states.end());
  std::vector<double> moves(states.size());
  static_cast<Estimate&>(estimate).moves(states, moves);
  Seen seen;
  for (std::size_t i = 0; i < states.size(); ++i) {
    ++seen.states;
    EXPECT_EQ(static_cast<Estimate&>(estimate).moves(states[i]), moves[i]) << "one by one as well";
    if (exact.steps[i] == test::Distances::kNever) {
      ++seen.hopeless;
      seen.recognised += moves[i] > 100 ? 1 : 0;
      continue;
    }
    EXPECT_LE(moves[i], exact.steps[i]);
    seen.tight += moves[i] == exact.steps[i] ? 1 : 0;
  }
  return seen;
}

TEST(RelaxedEstimate, IsNeverTooLarge) {
  const Seen walk = compare(kWalk);
  EXPECT_GT(walk.tight, 0u);
  EXPECT_GT(walk.recognised, walk.hopeless / 2) << "too far away for the moves left";
  compare(test::dials(3, 11));
  compare(test::fading_lamps(3, 3, 7));
}

TEST(RelaxedEstimate, AddsUpWhatConditionsNeed) {
  const auto machine = test::fast_machine(test::dials(3, 11));
  const auto context = machine->make_context();
  gdl::State root;
  ASSERT_EQ(machine->initial(*context, root), gdl::Status::Ok);
  gdl::Rng rng(1);
  SearchProblem problem(machine, root, {}, 100, nullptr, rng);
  RelaxedEstimate added(problem, RelaxedEstimate::Take::Added);
  ASSERT_EQ(added.prepare(), gdl::Status::Ok);
  EXPECT_EQ(static_cast<Estimate&>(added).moves(root), 9) << "three dials by three places";
}

TEST(RelaxedEstimate, LeadsToTheGoal) {
  const auto dials = test::fast_machine(test::dials(3, 11));
  const auto puzzle = test::fast_machine(test::bundled_rulesheet("eight_puzzle"));
  for (const std::string estimate : {"relaxed", "added"}) {
    for (const std::string search : {"astar", "ida"}) {
      const auto strategy = test::strategy_of(
          "puzzle:seed=1,weight=1,nodes=100000,search=" + search + ",estimate=" + estimate);
      EXPECT_EQ(test::think(*strategy, test::initial_position(dials)).value, 100)
          << search << " " << estimate;
    }
    const auto strategy =
        test::strategy_of("puzzle:seed=1,nodes=200000,search=astar,estimate=" + estimate);
    EXPECT_EQ(test::think(*strategy, test::initial_position(puzzle)).value, 100) << estimate;
  }
}

}  // namespace
}  // namespace ludens::search::puzzle
