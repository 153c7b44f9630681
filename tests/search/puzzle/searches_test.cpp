// SPDX-License-Identifier: MIT
// Each search of the portfolio by itself, on games that are known completely.
#include <gtest/gtest.h>

#include <cmath>

#include "search/puzzle/best_first.h"
#include "search/puzzle/deepening.h"
#include "search/puzzle/layers.h"
#include "search/puzzle/nested_policy.h"
#include "search/puzzle/part_search.h"
#include "search/puzzle/portfolio.h"
#include "tests/search/factors/split_games.h"
#include "tests/search/puzzle/posed.h"

namespace ludens::search::puzzle {
namespace {

constexpr std::uint64_t kWanted = 100;
constexpr std::size_t kShortest = 8;  // 1 2 3 6 12 24 25 50 100

/// Of the moves that `Doubling` needs at least: never too large.
class Doublings final : public Estimate {
 public:
  using Estimate::moves;
  double moves(gdl::StateView state) override {
    ++asked;
    const auto now = static_cast<double>(state.words()[0]);
    if (state.words()[0] > hopeless_from) return kNever;
    return std::ceil(std::log2(static_cast<double>(kWanted) / now));
  }
  int asked = 0;
  std::uint64_t hopeless_from = kWanted;
};

/// A search of one kind on a problem, made and run.
enum class Kind { Breadth, AStar, Ida };
class ExactSearch : public testing::TestWithParam<Kind> {
 protected:
  Ended run(Posed& posed, gdl::MemoryBudget* memory = nullptr) {
    switch (GetParam()) {
      case Kind::Breadth:
        return again(layers_, [&] {
          return std::make_unique<Layers>(*posed.problem, *posed.guide, memory, LayersSettings{});
        });
      case Kind::AStar:
        return again(best_first_, [&] {
          return std::make_unique<BestFirst>(*posed.problem, *posed.guide, memory,
                                             BestFirstSettings{}, estimate_);
        });
      case Kind::Ida:
        return again(deepening_,
                     [&] { return std::make_unique<Deepening>(*posed.problem, 1, estimate_); });
    }
    return Ended::Limited;
  }

  Doublings estimate_;

 private:
  template <class Search, class Make>
  Ended again(std::unique_ptr<Search>& search, const Make& make) {
    if (!search) search = make();
    return search->run();
  }
  std::unique_ptr<Layers> layers_;
  std::unique_ptr<BestFirst> best_first_;
  std::unique_ptr<Deepening> deepening_;
};

TEST_P(ExactSearch, FindsAShortestPlay) {
  Posed posed(doubling(kWanted));
  EXPECT_EQ(run(posed), Ended::Solved);
  EXPECT_EQ(posed.problem->best(), 100);
  EXPECT_EQ(posed.problem->line().size(), kShortest);
  EXPECT_EQ(posed.goal_of(posed.problem->line()), 100);
  EXPECT_GE(posed.problem->deepest, kShortest - 1);
}

TEST_P(ExactSearch, ProvesTheBestWhereItIsLess) {
  Posed posed(doubling(30, 90));
  EXPECT_EQ(run(posed), Ended::Exhausted);
  EXPECT_EQ(posed.problem->best(), 90);
  EXPECT_EQ(posed.goal_of(posed.problem->line()), 90);
  EXPECT_EQ(run(posed), Ended::Exhausted) << "and says so again";
}

TEST_P(ExactSearch, ClaimsNothingBeyondItsLimit) {
  Posed posed(doubling(30, 90));
  posed.problem->most_moves = 5;
  EXPECT_EQ(run(posed), Ended::Limited);
  EXPECT_EQ(posed.problem->best(), 10) << "32 after five moves; 30 takes seven";
  EXPECT_LE(posed.problem->line().size(), 5U);
  EXPECT_LE(posed.problem->deepest, 5U);
}

TEST_P(ExactSearch, GoesOnAfterAStopAsIfThereHadBeenNone) {
  Posed whole(doubling(30, 90));
  ASSERT_EQ(run(whole), Ended::Exhausted);
  Posed broken(doubling(30, 90));
  Doublings estimate;
  Ended ended = Ended::Stopped;
  Layers layers(*broken.problem, *broken.guide, nullptr, {});
  BestFirst best_first(*broken.problem, *broken.guide, nullptr, {}, estimate);
  Deepening deepening(*broken.problem, 1, estimate);
  for (std::uint64_t turn = 20; ended == Ended::Stopped && turn < 100'000; turn *= 2) {
    const AtStates stop(*broken.problem, broken.problem->states + turn);
    broken.problem->run_under(&stop);
    ended = GetParam() == Kind::Breadth ? layers.run()
            : GetParam() == Kind::AStar ? best_first.run()
                                        : deepening.run();
  }
  EXPECT_EQ(ended, Ended::Exhausted);
  EXPECT_EQ(broken.problem->best(), 90);
  EXPECT_EQ(broken.problem->states, whole.problem->states) << "nothing was looked at twice";
}

TEST_P(ExactSearch, StopsAtOnceWhereItIsToldTo) {
  Posed posed(doubling(kWanted));
  const AtStates now(*posed.problem, 0);
  posed.problem->run_under(&now);
  EXPECT_EQ(run(posed), Ended::Stopped);
  EXPECT_EQ(posed.problem->states, 0U);
}

TEST_P(ExactSearch, DoesNothingWhereThePositionIsSolved) {
  Posed posed(doubling(kWanted), 10);
  const gdl::MoveId line[] = {0};
  posed.problem->offer(10, line);
  EXPECT_EQ(run(posed), Ended::Solved);
  EXPECT_EQ(posed.problem->states, 0U);
}

INSTANTIATE_TEST_SUITE_P(Puzzle, ExactSearch,
                         testing::Values(Kind::Breadth, Kind::AStar, Kind::Ida),
                         [](const auto& tested) {
                           return std::string(tested.param == Kind::Breadth ? "Breadth"
                                              : tested.param == Kind::AStar ? "AStar"
                                                                            : "Ida");
                         });

// ---- layers ----

TEST(Layers, LookAtTheMovesOfEachStateOnce) {
  Posed posed(doubling(30, 90));
  Layers layers(*posed.problem, *posed.guide, nullptr, {});
  EXPECT_EQ(layers.run(), Ended::Exhausted);
  EXPECT_EQ(posed.problem->states, 2U * 29) << "two moves from each of 1 to 29";
}

TEST(Layers, ThatWereCutProveNothing) {
  for (const LayersSettings& settings : {LayersSettings{.width = 2}, LayersSettings{.tries = 1}}) {
    Posed posed(doubling(60, 90));
    Layers layers(*posed.problem, *posed.guide, nullptr, settings);
    EXPECT_EQ(layers.run(), Ended::Limited);
    EXPECT_FALSE(layers.out_of_memory());
  }
}

TEST(Layers, OfABeamWideEnoughAreAProof) {
  Posed posed(doubling(30, 90));
  Layers layers(*posed.problem, *posed.guide, nullptr, {.width = 1000});
  EXPECT_EQ(layers.run(), Ended::Exhausted);
}

TEST(Layers, SayWhetherTheySawAllToTheLimit) {
  for (const LayersSettings& settings : {LayersSettings{}, LayersSettings{.tries = 1}}) {
    Posed posed(doubling(1000));
    posed.problem->most_moves = 4;
    Layers layers(*posed.problem, *posed.guide, nullptr, settings);
    EXPECT_EQ(layers.run(), Ended::Limited);
    EXPECT_EQ(posed.problem->deepest, 4U);
    EXPECT_EQ(layers.all_to_the_limit(), settings.tries == 0);
  }
}

TEST(Layers, WithoutMemorySaySo) {
  gdl::MemoryBudget memory(100);
  Posed posed(doubling(1000));
  Layers layers(*posed.problem, *posed.guide, &memory, {});
  EXPECT_EQ(layers.run(), Ended::Limited);
  EXPECT_TRUE(layers.out_of_memory());
}

TEST(Layers, ClaimNothingWhereTheRootItselfCouldNotBeEntered) {
  gdl::MemoryBudget memory(10);
  Posed posed(doubling(3, 90));
  EXPECT_NE(Layers(*posed.problem, *posed.guide, &memory, {}).run(), Ended::Exhausted);
}

// ---- best-first search and iterative deepening ----

TEST(BestFirst, LooksAtFewerStatesTheMoreItIsTold) {
  std::uint64_t states[2];
  for (const int told : {0, 1}) {
    Posed posed(doubling(kWanted));
    Doublings estimate;
    BestFirst search(*posed.problem, *posed.guide, nullptr, {.weight = static_cast<double>(told)},
                     estimate);
    EXPECT_EQ(search.run(), Ended::Solved);
    states[told] = posed.problem->states;
  }
  EXPECT_LE(states[1], states[0]);
}

TEST(BestFirst, LeavesStatesThatLeadNowhere) {
  Posed posed(doubling(kWanted));
  Doublings estimate;
  estimate.hopeless_from = 24;  // and all greater ones, through which every play leads
  BestFirst search(*posed.problem, *posed.guide, nullptr, {}, estimate);
  EXPECT_EQ(search.run(), Ended::Exhausted) << "but for what the estimate ruled out";
  EXPECT_EQ(posed.problem->best(), -1);
  EXPECT_EQ(posed.problem->states, 2U * 24);
  for (const double weight : {0.0, 1.0}) {
    Posed other(doubling(kWanted));
    BestFirst unweighted(*other.problem, *other.guide, nullptr, {.weight = weight}, estimate);
    EXPECT_EQ(unweighted.run(), Ended::Exhausted) << weight;
  }
}

TEST(BestFirst, ProvesNothingWithoutClocksOrWithGaps) {
  Doublings estimate;
  Posed timeless(doubling(20, 90));
  EXPECT_EQ(
      BestFirst(*timeless.problem, *timeless.guide, nullptr, {.without_clock = true}, estimate)
          .run(),
      Ended::Limited);
  Posed gaps(doubling(20, 90));
  gaps.problem->gaps = true;
  EXPECT_EQ(BestFirst(*gaps.problem, *gaps.guide, nullptr, {}, estimate).run(), Ended::Limited);
}

TEST(BestFirst, IsLimitedByItsMemory) {
  gdl::MemoryBudget memory(5'000);
  Posed posed(doubling(1'000'000));
  Doublings estimate;
  estimate.hopeless_from = ~std::uint64_t{0};
  {
    BestFirst search(*posed.problem, *posed.guide, &memory, {}, estimate);
    EXPECT_EQ(search.run(), Ended::Limited);
    EXPECT_LE(memory.used(), memory.limit());
  }
  EXPECT_EQ(memory.used(), 0U);
}

TEST(Deepening, LeavesStatesThatLeadNowhereUnderEveryBound) {
  for (const double weight : {0.0, 1.0, 5.0}) {
    Posed posed(doubling(kWanted));
    Doublings estimate;
    estimate.hopeless_from = 10;
    Deepening search(*posed.problem, weight, estimate);
    EXPECT_EQ(search.run(), Ended::Exhausted) << weight;
    EXPECT_EQ(posed.problem->best(), -1);
  }
}

TEST(Deepening, LeavesStatesThatRecurOnTheWay) {
  Posed posed(std::make_shared<test::NativeMachine>(std::make_shared<test::Dial>()));
  class Nothing final : public Estimate {
   public:
    double moves(gdl::StateView) override { return 0; }
  } nothing;
  // Twelve places and two moves: ways without a circle end.
  Deepening search(*posed.problem, 1, nothing);
  EXPECT_EQ(search.run(), Ended::Exhausted);
  EXPECT_LT(posed.problem->deepest, 12U);
}

TEST(Estimate, OfManyStatesIsThatOfEach) {
  Doublings estimate;
  const std::vector<std::uint64_t> words{1, 50, 101};
  std::vector<gdl::StateView> states;
  for (const std::uint64_t& word : words) states.emplace_back(std::span(&word, 1));
  std::vector<double> out(3);
  estimate.moves(states, out);
  EXPECT_EQ(out, (std::vector<double>{7, 1, Estimate::kNever}));
}

// ---- policies ----

TEST(NestedPolicy, LearnsThePlayThatIsWanted) {
  Posed posed(doubling(kWanted));
  posed.observations.gather(*posed.problem, 16);
  NestedPolicy search(*posed.problem, *posed.guide, {.level = 2, .iterations = 20});
  const AtStates enough(*posed.problem, 2'000'000);
  posed.problem->run_under(&enough);
  EXPECT_EQ(search.run(), Ended::Solved);
  EXPECT_EQ(posed.goal_of(posed.problem->line()), 100);
}

TEST(NestedPolicy, GoesOnUntilItIsStoppedAndThenGoesOn) {
  Posed posed(doubling(30, 90));
  NestedPolicy search(*posed.problem, *posed.guide, {.level = 1, .iterations = 3});
  for (const std::uint64_t states : {1'000, 2'000, 3'000}) {
    const AtStates stop(*posed.problem, states);
    posed.problem->run_under(&stop);
    EXPECT_EQ(search.run(), Ended::Stopped);
    EXPECT_GE(posed.problem->states, states);
    EXPECT_LT(posed.problem->states, states + 500);
  }
}

// ---- parts, and all together ----

TEST(PartSearch, HasNothingToGainWhereThereAreNoParts) {
  EXPECT_EQ(PartSearch::moved_parts(*doubling(20)), 0U);
  const auto dials = test::fast_machine(test::dials(3, 9));
  EXPECT_EQ(PartSearch::moved_parts(*dials), 3U);
}

TEST(PartSearch, GoesOnAfterStops) {
  Posed posed(test::fast_machine(test::dials(3, 11)));
  PartSearch search(*posed.problem, *posed.guide, nullptr);
  Ended ended = Ended::Stopped;
  int turns = 0;
  for (; ended == Ended::Stopped && turns < 1000; ++turns) {
    const AtStates stop(*posed.problem, posed.problem->states + 600);
    posed.problem->run_under(&stop);
    ended = search.run();
  }
  EXPECT_EQ(ended, Ended::Solved);
  EXPECT_EQ(posed.goal_of(posed.problem->line()), 100);
}

class Never final : public gdl::StopSignal {
 public:
  [[nodiscard]] bool stop_requested() const noexcept override { return false; }
};

TEST(Portfolio, EndsWithAProofOrAPlayThatIsEnough) {
  Posed solved(doubling(kWanted)), proved(doubling(30, 90));
  Portfolio one(*solved.problem, {}), other(*proved.problem, {});
  EXPECT_EQ(one.run(Never()), Ended::Solved);
  EXPECT_EQ(other.run(Never()), Ended::Exhausted);
  EXPECT_EQ(proved.problem->best(), 90);
  EXPECT_NE(other.summary().find(std::to_string(proved.problem->states) + " states"),
            std::string::npos)
      << other.summary();
}

TEST(Portfolio, HasNothingLeftToTryWhenItsOnlySearchIsOver) {
  Posed posed(doubling(std::uint64_t{1} << 40));
  PortfolioSettings settings;
  settings.method = Method::Breadth;
  posed.problem->most_moves = 5;
  Portfolio portfolio(*posed.problem, settings);
  EXPECT_EQ(portfolio.run(Never()), Ended::Limited);
  const std::uint64_t states = posed.problem->states;
  EXPECT_EQ(portfolio.run(Never()), Ended::Limited);
  EXPECT_EQ(posed.problem->states, states);
}

TEST(Portfolio, KeepsToItsStates) {
  Posed posed(doubling(std::uint64_t{1} << 40));
  PortfolioSettings settings;
  settings.states = 5'000;
  Portfolio portfolio(*posed.problem, settings);
  EXPECT_EQ(portfolio.run(Never()), Ended::Stopped);
  EXPECT_GE(posed.problem->states, 5'000U);
  EXPECT_LT(posed.problem->states, 6'000U);
  EXPECT_FALSE(posed.problem->stopped()) << "its signal is gone";
}

TEST(Portfolio, KeepsHalfOfTheMemoryForTablesThatLastAndGivesItBack) {
  gdl::MemoryBudget memory(1'000'000);
  Posed posed(doubling(kWanted), 100, &memory);
  {
    const std::size_t before = memory.used();
    Portfolio portfolio(*posed.problem, {});
    EXPECT_EQ(memory.used(), before + (memory.limit() - before) / 2);
    EXPECT_EQ(portfolio.run(Never()), Ended::Solved);
  }
  EXPECT_LE(memory.used(), memory.limit() / 2);
}

TEST(Portfolio, WorksTheSameInManyTurnsAsInOne) {
  Posed one(doubling(5000, 90), 100, nullptr, 3), many(doubling(5000, 90), 100, nullptr, 3);
  Portfolio whole(*one.problem, {}), broken(*many.problem, {});
  EXPECT_EQ(whole.run(Never()), Ended::Exhausted);
  Ended ended = Ended::Stopped;
  for (std::uint64_t states = 20'000; ended == Ended::Stopped; states += 10'000) {
    ended = broken.run(AtStates(*many.problem, states));
    ASSERT_LT(states, 10'000'000U);
  }
  EXPECT_EQ(ended, Ended::Exhausted);
  EXPECT_EQ(many.problem->best(), 90);
}

}  // namespace
}  // namespace ludens::search::puzzle
