// SPDX-License-Identifier: MIT
#include "gdl/network/relaxation.h"

#include <gtest/gtest.h>

#include "gdl/pipeline/pipeline.h"
#include "tests/gdl/ground/ground_rules.h"

namespace ludens::gdl {
namespace {

/// Two counters that are raised one at a time; over when one is at 3, or after five moves.
constexpr const char* kCounters = R"((role a) (init (p 0)) (init (q 0)) (init (step 0))
  (after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5)
  (legal a raise_p) (legal a raise_q)
  (<= (next (p ?y)) (does a raise_p) (true (p ?x)) (after ?x ?y))
  (<= (next (p ?x)) (does a raise_q) (true (p ?x)))
  (<= (next (q ?y)) (does a raise_q) (true (q ?x)) (after ?x ?y))
  (<= (next (q ?x)) (does a raise_p) (true (q ?x)))
  (<= (next (step ?y)) (true (step ?x)) (after ?x ?y))
  (<= terminal (true (p 3))) (<= terminal (true (step 5)))
  (<= (goal a 100) (true (p 3)) (true (q 2)))
  (<= (goal a 50) (true (p 3)) (not (true (q 2))))
  (<= (goal a 0) (not (true (p 3)))))";

class Counters : public testing::Test {
 protected:
  Relaxation::LowerBound bound(std::vector<std::string> state, int goal,
                               std::uint32_t most_steps = 100) {
    Relaxation relaxation(network_, 0, goal, most_steps);
    std::vector<std::vector<FluentId>> states(1);
    for (const std::string& name : state) {
      states[0].push_back(vocabulary_->find_fluent(name).value());
    }
    std::vector<Relaxation::LowerBound> out(1);
    EXPECT_TRUE(relaxation.look(states, out));
    return out[0];
  }

  std::shared_ptr<Vocabulary> vocabulary_ =
      std::make_shared<Vocabulary>(tests::rules_of(kCounters));
  Network network_ = make_network(vocabulary_).value()->network;
};

TEST_F(Counters, CountBothAtOnce) {
  const auto start = bound({"( p 0 )", "( q 0 )", "( step 0 )"}, 100);
  EXPECT_EQ(start.steps, 3u) << "five moves, if they excluded each other";
  EXPECT_EQ(start.added, 5u);
  EXPECT_EQ(bound({"( p 2 )", "( q 0 )", "( step 2 )"}, 100).steps, 2u);
  EXPECT_EQ(bound({"( p 3 )", "( q 2 )", "( step 5 )"}, 100).steps, 0u);
}

TEST_F(Counters, EndWithTheClock) {
  EXPECT_EQ(bound({"( p 1 )", "( q 0 )", "( step 4 )"}, 100).steps, Relaxation::kNever);
  EXPECT_EQ(bound({"( p 1 )", "( q 0 )", "( step 4 )"}, 0).steps, 1u);
}

TEST_F(Counters, WithoutAClockStayAtTheSameLayer) {
  EXPECT_EQ(bound({"( q 0 )"}, 100).steps, Relaxation::kNever);
}

TEST_F(Counters, AreLookedAtToALimit) {
  EXPECT_EQ(bound({"( p 0 )", "( q 0 )", "( step 0 )"}, 100, 2).steps, 2u);
}

TEST_F(Counters, KnowNoOtherGoals) {
  EXPECT_EQ(bound({"( p 0 )", "( q 0 )", "( step 0 )"}, 77).steps, Relaxation::kNever);
}

}  // namespace
}  // namespace ludens::gdl
