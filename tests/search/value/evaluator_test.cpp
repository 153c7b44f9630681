// SPDX-License-Identifier: MIT
// The search of `value` on what an evaluator says.
#include "search/value/evaluator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <stdexcept>
#include <stop_token>

#include "search/value/value.h"
#include "tests/search/games/bundled.h"
#include "tests/search/native_machine.h"
#include "tests/search/thinking.h"
#include "tests/search/tic_tac_toe.h"

namespace ludens::search::test {
namespace {

/// Says of each state what a function says, and remembers what it was asked.
class FunctionEvaluator final : public Evaluator {
 public:
  using Judge = std::function<void(const gdl::Expansion& batch, std::size_t state,
                                   std::span<float> values, std::span<float> weights)>;
  explicit FunctionEvaluator(Judge judge) : judge_(std::move(judge)) {}

  void begin(const Position& position, const Deadline& /*deadline*/) override {
    roles_ = position.machine->role_count();
  }
  void evaluate(const gdl::Expansion& batch, std::span<float> values,
                std::span<float> weights) override {
    const std::size_t states = batch.states.size();
    asked += states;
    largest = std::max<std::size_t>(largest, states);
    ASSERT_EQ(values.size(), states * roles_);
    ASSERT_EQ(weights.size(), batch.begin[states * roles_]);
    for (std::size_t i = 0; i < states; ++i) {
      judge_(batch, i, values.subspan(i * roles_, roles_), weights);
    }
  }

  std::atomic<std::size_t> asked = 0, largest = 0;

 private:
  Judge judge_;
  std::size_t roles_ = 0;
};

std::unique_ptr<Strategy> evaluated(const OptionTexts& given, std::shared_ptr<Evaluator> evaluator,
                                    const Resources& resources = {}) {
  const auto options = Options::read("value", kValueOptions, given);
  return make_evaluated_value(options.value(), resources, std::move(evaluator));
}

void know_nothing(const gdl::Expansion& /*batch*/, std::size_t /*state*/, std::span<float> values,
                  std::span<float> /*weights*/) {
  std::ranges::fill(values, 0.5F);
}

TEST(Evaluator, IsAskedInBatchesAndAsOftenAsWasGranted) {
  const auto evaluator = std::make_shared<FunctionEvaluator>(know_nothing);
  const auto strategy = evaluated({{"nodes", "400"}, {"leaves", "32"}, {"seed", "1"}}, evaluator);
  const Choice choice = think(*strategy, initial_position(bundled("connect_four", "scalar")));
  EXPECT_GE(evaluator->asked, 300U);
  EXPECT_LE(evaluator->asked, 432U);
  EXPECT_GT(evaluator->largest, 8U);
  EXPECT_LE(evaluator->largest, 32U);
  EXPECT_EQ(choice.root.size(), 7U);
}

TEST(Evaluator, IsAskedOnceAboutAPosition) {
  for (const char* leaves : {"1", "16"}) {
    std::vector<std::uint64_t> states;
    const auto evaluator = std::make_shared<FunctionEvaluator>(
        [&](const gdl::Expansion& batch, std::size_t state, std::span<float> values,
            std::span<float> /*weights*/) {
          // The marks in a state of tic-tac-toe tell its ply.
          states.push_back(batch.states[state].words()[0]);
          std::ranges::fill(values, 0.5F);
        });
    const auto strategy =
        evaluated({{"nodes", "400"}, {"leaves", leaves}, {"seed", "1"}}, evaluator);
    const auto game = tic_tac_toe();
    const Choice choice = think(*strategy, initial_position(game));
    EXPECT_EQ(choice.nodes, states.size()) << leaves;
    EXPECT_GE(states.size(), 300U) << leaves;
    std::ranges::sort(states);
    EXPECT_EQ(std::ranges::adjacent_find(states), states.end()) << leaves;
  }
}

TEST(Evaluator, ProvesWhatItDoesNotKnow) {
  const auto evaluator = std::make_shared<FunctionEvaluator>(know_nothing);
  const auto strategy = evaluated({{"nodes", "100000"}, {"seed", "1"}}, evaluator);
  const Choice choice = think(*strategy, initial_position(bundled("tic_tac_toe", "scalar")));
  EXPECT_TRUE(choice.exact);
  EXPECT_EQ(choice.value, 50);
}

TEST(Evaluator, FollowsPriors) {
  for (const std::size_t preferred : {std::size_t{2}, std::size_t{5}}) {
    const auto evaluator = std::make_shared<FunctionEvaluator>(
        [preferred](const gdl::Expansion& batch, std::size_t state, std::span<float> values,
                    std::span<float> weights) {
          std::ranges::fill(values, 0.5F);
          const auto legal = batch.legal(state, 0, values.size());
          const std::size_t begin = batch.begin[state * values.size()];
          for (std::size_t i = 0; i < legal.size(); ++i) {
            weights[begin + i] = i == preferred ? 9.0F : 1.0F;
          }
        });
    const auto strategy = evaluated({{"nodes", "200"}, {"seed", "1"}}, evaluator);
    const Choice choice = think(*strategy, initial_position(bundled("connect_four", "scalar")));
    ASSERT_GT(choice.root.size(), preferred);
    EXPECT_EQ(choice.move, choice.root[preferred].move);
  }
}

TEST(Evaluator, JudgesMovesThatSeveralMakeAtOnce) {
  const auto evaluator = std::make_shared<FunctionEvaluator>(know_nothing);
  const auto strategy = evaluated({{"nodes", "200"}, {"seed", "1"}}, evaluator);
  const Choice choice =
      think(*strategy, initial_position(bundled("rock_paper_scissors", "scalar")));
  EXPECT_EQ(choice.root.size(), 3U);
  for (const RootMove& move : choice.root) {
    EXPECT_GE(move.value, 0);
    EXPECT_LE(move.value, 100);
  }
}

TEST(Evaluator, EndsTheSearchWithWhatItThrows) {
  std::atomic<bool> broken = true;
  std::atomic<int> calls = 0;
  const auto evaluator =
      std::make_shared<FunctionEvaluator>([&](const gdl::Expansion& batch, std::size_t state,
                                              std::span<float> values, std::span<float> weights) {
        if (broken && ++calls > 20) throw std::runtime_error("no network");
        know_nothing(batch, state, values, weights);
      });
  for (const unsigned threads : {1U, 2U}) {
    broken = true;
    calls = 0;
    const auto strategy = evaluated({{"nodes", "3000"}, {"seed", "1"}}, evaluator, {threads});
    const Position position = initial_position(bundled("connect_four", "scalar"));
    Incumbent incumbent;
    EXPECT_THROW(strategy->think(position, Deadline::in(60), incumbent), std::runtime_error);
    EXPECT_TRUE(incumbent.get());
    broken = false;
    EXPECT_EQ(think(*strategy, position).root.size(), 7U);
  }
}

/// A network that takes long to get ready for a game.
TEST(Evaluator, IsNotAskedAfterATimeThatItsPreparationHasTaken) {
  class Slow final : public Evaluator {
   public:
    void begin(const Position& /*position*/, const Deadline& /*deadline*/) override {
      end.request_stop();
    }
    void evaluate(const gdl::Expansion& /*batch*/, std::span<float> /*values*/,
                  std::span<float> /*weights*/) override {
      ADD_FAILURE() << "it is not ready";
    }
    std::stop_source end;
  };
  const auto evaluator = std::make_shared<Slow>();
  const auto strategy = evaluated({{"seed", "1"}}, evaluator);
  Incumbent incumbent;
  strategy->think(initial_position(bundled("connect_four", "scalar")),
                  Deadline(evaluator->end.get_token()), incumbent);
  EXPECT_TRUE(incumbent.get());
}

}  // namespace
}  // namespace ludens::search::test
