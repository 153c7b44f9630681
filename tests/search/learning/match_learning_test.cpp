// SPDX-License-Identifier: MIT
#include "search/learning/match_learning.h"

#include <gmock/gmock.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stdexcept>

#include "search/learning/reach.h"
#include "tests/search/games/bundled.h"
#include "tests/search/learning/changed_file.h"
#include "tests/search/learning/lamps.h"
#include "tests/search/learning/stopping_machine.h"
#include "tests/search/thinking.h"

namespace ludens::search::test {
namespace {

using testing::HasSubstr;

/// A time in which any machine plays a game.
constexpr Seconds kLongest{60};

/// Counts the questions that it is asked, for a thread that waits for them.
class AwaitedMachine final : public gdl::WrappedMachine {
 public:
  /// It answers as `inner`, or throws that it is broken.
  explicit AwaitedMachine(std::shared_ptr<const gdl::Machine> inner, bool broken = false)
      : WrappedMachine(inner), inner_(std::move(inner)), broken_(broken) {}
  [[nodiscard]] const gdl::Structure& structure() const override { return inner_->structure(); }
  [[nodiscard]] const gdl::MachineNetwork* network() const override { return inner_->network(); }

  /// Waits until it was asked so many more questions since it last waited, by whomever.
  void await(std::uint64_t more) const {
    std::unique_lock lock(mutex_);
    const std::uint64_t wanted = awaited_ + more;
    EXPECT_TRUE(asked_.wait_for(lock, kLongest, [&] { return questions_ >= wanted; }));
    awaited_ = questions_;
  }

 private:
  gdl::Status before(Question, Context&) const override {
    const std::lock_guard lock(mutex_);
    ++questions_;
    asked_.notify_all();
    if (broken_) throw std::runtime_error("the machine is broken");
    return gdl::Status::Ok;
  }

  std::shared_ptr<const gdl::Machine> inner_;
  bool broken_;
  mutable std::mutex mutex_;
  mutable std::condition_variable asked_;
  mutable std::uint64_t questions_ = 0;
  mutable std::uint64_t awaited_ = 0;
};

/// Has the other thread asked so many questions in a turn that `learned` holds at last; each turn,
/// while it learns and once it has ended, `check` is called.
void learn_beside(MatchLearning& learning, const Position& position, const AwaitedMachine& machine,
                  const std::function<bool()>& learned, const std::function<void()>& check) {
  for (std::uint64_t questions = 1000; !learned(); questions *= 2) {
    {
      const MatchLearning::Beside beside(learning, position, Deadline());
      machine.await(questions);
      check();
    }
    check();
    ASSERT_FALSE(testing::Test::HasFailure());
  }
}

TEST(MatchLearning, GoesOnBesideOtherWork) {
  const auto machine = std::make_shared<AwaitedMachine>(bundled("breakthrough_small", "sliced"));
  const Position position = initial_position(machine);
  MatchLearning learning({}, {.threads = 2}, 1);
  learn_beside(
      learning, position, *machine, [&] { return learning.length_of_games() > 0; },
      [&] { EXPECT_EQ(learning.values(), nullptr); });
  const double before = learning.seconds();
  for (Seconds turn{0.1}; learning.values() == nullptr && turn < kLongest; turn *= 2) {
    learning.learn_until(position, Deadline::in(turn.count()));
  }
  EXPECT_NE(learning.values(), nullptr);
  EXPECT_GT(learning.seconds(), before);
  EXPECT_GT(learning.length_of_games(), 5);
}

TEST(MatchLearning, NeedsAnotherThreadForThat) {
  const Position position = initial_position(bundled("breakthrough_small", "sliced"));
  MatchLearning learning({}, {.threads = 1}, 1);
  { const MatchLearning::Beside beside(learning, position, Deadline()); }
  EXPECT_EQ(learning.seconds(), 0) << "a thread counts its time, however soon it ends";
}

/// A store that has the same bytes for each game.
class OneForAll final : public KnowledgeStore {
 public:
  explicit OneForAll(std::string bytes = "LUDENSKN") : bytes_(std::move(bytes)) {}
  [[nodiscard]] std::string find(const std::string&) const override { return bytes_; }

 private:
  std::string bytes_;
};

/// A file of 100 games or more, of values that see `reach` moves far.
std::string learned_file(const Position& start, std::uint32_t reach) {
  auto machine = start.machine;
  if (reach > 0) machine = with_reach(machine, reach, nullptr, Deadline()).value();
  auto learner = Learner::make(machine, {}, nullptr, Deadline()).value();
  EXPECT_EQ(learner->learn(Deadline(), {.games = 100}), gdl::Status::Ok);
  const auto names = *gdl::canonical_names(machine->vocabulary()->rules());
  return write_knowledge(learner->knowledge(), *machine->vocabulary(), names);
}

std::shared_ptr<const KnowledgeStore> learned(const Position& start, std::uint32_t reach) {
  return std::make_shared<OneForAll>(learned_file(start, reach));
}

TEST(MatchLearning, SaysWhyKnowledgeIsRefused) {
  const Position position = initial_position(bundled("breakthrough_small", "sliced"));
  MatchLearning learning({.games = 10}, {.knowledge = std::make_shared<OneForAll>()}, 1);
  learning.learn(position, Deadline());
  EXPECT_THAT(learning.explanation(), HasSubstr("knowledge refused: it ends too early"));
  EXPECT_THAT(learning.explanation(), HasSubstr("values of"));
}

TEST(MatchLearning, SeesAsFarAsItsKnowledge) {
  const Position taught = initial_position(bundled("breakthrough_small", "sliced"));
  for (const std::uint32_t reach : {0U, 2U}) {
    const auto store = learned(taught, reach);
    // Another match has names of its own for what roles can reach.
    const Position position = initial_position(bundled("breakthrough_small", "sliced"));
    MatchLearning learning({.games = 1}, {.knowledge = store}, 1);
    learning.prepare(position, Deadline());
    EXPECT_THAT(learning.explanation(), HasSubstr(" of knowledge"));
    EXPECT_EQ(learning.widened(position, Deadline()).has_value(), reach > 0);
    const LearnedValues known = learning.values_of(*position.machine);
    EXPECT_NE(known.function, nullptr);
    EXPECT_EQ(known.machine != nullptr, reach > 0);
    EXPECT_EQ(learning.values_for(*position.machine) != nullptr, reach == 0);
  }
}

TEST(MatchLearning, LearnsNoMoreWhereThatAddsLittle) {
  const Position position = initial_position(bundled("breakthrough_small", "sliced"));
  const auto vocabulary = position.machine->vocabulary();
  const auto names = *gdl::canonical_names(vocabulary->rules());
  Knowledge known = read_knowledge(learned_file(position, 0), *vocabulary, names).value();
  known.statistics.seconds = 1e6;
  const auto store = std::make_shared<OneForAll>(write_knowledge(known, *vocabulary, names));
  MatchLearning learning({.games = 1}, {.threads = 2, .knowledge = store}, 1);
  EXPECT_FALSE(learning.learn_until(position, Deadline::in(100)));
  EXPECT_NE(learning.values(), nullptr);
  { const MatchLearning::Beside beside(learning, position, Deadline::in(100)); }
  EXPECT_EQ(learning.seconds(), 1e6);
  const std::string games = std::to_string(known.statistics.games);
  EXPECT_THAT(learning.explanation(), HasSubstr("values of " + games + " games of knowledge"));
  EXPECT_TRUE(learning.learn_until(position, Deadline::in(1e5)));
  EXPECT_GT(learning.seconds(), 1e6);
  EXPECT_THAT(learning.explanation(), HasSubstr(" and " + games + " games of"));
}

/// Others may read the values while another thread learns.
TEST(MatchLearning, RecallsBeforeItLearnsBesideOtherWork) {
  const auto machine = std::make_shared<AwaitedMachine>(bundled("breakthrough_small", "sliced"));
  const Position position = initial_position(machine);
  MatchLearning learning({}, {.threads = 2, .knowledge = learned(position, 0)}, 1);
  std::shared_ptr<const ValueFunction> recalled;
  learn_beside(
      learning, position, *machine,
      [&] { return learning.explanation().find(" games in ") != std::string::npos; },
      [&] {
        const auto known = learning.values_of(*machine).function;
        if (recalled == nullptr) recalled = known;
        EXPECT_NE(known, nullptr);
        EXPECT_EQ(known, recalled);
      });
}

TEST(MatchLearning, LooksAsFarAsItsKnowledgeBeforeItLearnsBesideOtherWork) {
  const Position position = initial_position(bundled("breakthrough_small", "sliced"));
  MatchLearning learning({}, {.threads = 2, .knowledge = learned(position, 1)}, 1);
  const MatchLearning::Beside beside(learning, position, Deadline());
  EXPECT_NE(learning.values_of(*position.machine).function, nullptr);
  EXPECT_NE(learning.values_of(*position.machine).machine, nullptr);
}

TEST(MatchLearning, SaysWhatWasThrownWhereItLearnsBesideOtherWork) {
  Position position = initial_position(bundled("breakthrough_small", "sliced"));
  const auto broken = std::make_shared<AwaitedMachine>(position.machine, true);
  position.machine = broken;
  MatchLearning learning({}, {.threads = 2}, 1);
  {
    const MatchLearning::Beside beside(learning, position, Deadline());
    broken->await(1);
  }
  EXPECT_THAT(learning.explanation(), HasSubstr("is broken"));
}

TEST(MatchLearning, RefusesKnowledgeThatSeesLessThanItShall) {
  const Position position = initial_position(bundled("breakthrough_small", "sliced"));
  MatchLearning learning({.games = 1, .reach = 1}, {.knowledge = learned(position, 0)}, 1);
  learning.prepare(position, Deadline());
  EXPECT_THAT(learning.explanation(), HasSubstr("knowledge refused: its values depend on"));
  EXPECT_TRUE(learning.widened(position, Deadline()));
}

/// A stranger's file is not acted on before it is read.
TEST(MatchLearning, SeesNoFartherForKnowledgeThatItRefuses) {
  const Position position = initial_position(bundled("breakthrough_small", "sliced"));
  const auto refuse = [&](const std::string& file, std::uint32_t reach, const std::string& why) {
    MatchLearning learning({.games = 1, .reach = reach},
                           {.knowledge = std::make_shared<OneForAll>(file)}, 1);
    learning.prepare(position, Deadline());
    EXPECT_THAT(learning.explanation(), HasSubstr("knowledge refused: " + why));
    EXPECT_EQ(learning.widened(position, Deadline()).has_value(), reach > 0);
    learning.learn(position, Deadline());
    const std::string far = "that see " + std::to_string(reach) + " moves far";
    EXPECT_THAT(learning.explanation(), HasSubstr(reach > 0 ? far : "values of"));
    EXPECT_EQ(learning.values_of(*position.machine).machine != nullptr, reach > 0);
  };
  const std::string file = learned_file(position, 1);
  for (const std::uint32_t reach : {0U, 2U}) {
    refuse(with_number(file, kPlaceOfReach, std::uint32_t{4}), reach, "it looks too many moves");
    refuse(with_number(file, kPlaceOfGames, ~std::uint64_t{0}), reach, "a count is too large");
  }
  const Position other = initial_position(bundled("nim", "sliced"));
  refuse(with_number(learned_file(other, 0), kPlaceOfReach, std::uint32_t{1}), 0,
         "it is for another game");
}

TEST(MatchLearning, KeepsWhatItLearnedOnAnotherMachine) {
  const auto early = bundled("breakthrough_small", "sliced");
  const Position late = initial_position(gdl::make_machine("sliced", early->vocabulary()).value());
  MatchLearning learning({.games = 50, .reach = 1}, {}, 1);
  learning.learn(initial_position(early), Deadline());
  EXPECT_NE(learning.values_of(*early).machine, nullptr) << learning.explanation();
  learning.prepare(late, Deadline());
  EXPECT_THAT(learning.explanation(), HasSubstr("that see 1 moves far"));
  const LearnedValues known = learning.values_of(*late.machine);
  EXPECT_NE(known.function, nullptr);
  EXPECT_NE(known.machine, nullptr);
  EXPECT_EQ(learning.values_of(*early).function, nullptr);
}

TEST(MatchLearning, KeepsWhatItLearnedWhereThereIsMemoryForOneLearner) {
  const auto early = machine_of(lamps(8, 9), "sliced");  // has a table for each role and each value
  const Position late = initial_position(gdl::make_machine("sliced", early->vocabulary()).value());
  const auto learn = [&](MatchLearning& learning) {
    learning.learn(initial_position(early), Deadline());
    ASSERT_NE(learning.values_of(*early).function, nullptr) << learning.explanation();
  };
  gdl::MemoryBudget large(std::size_t{2} << 30);
  MatchLearning measured({.games = 1}, {.memory = &large}, 1);
  learn(measured);
  gdl::MemoryBudget memory(large.used() + large.used() / 2);
  MatchLearning learning({.games = 1}, {.memory = &memory}, 1);
  learn(learning);
  learning.prepare(late, Deadline());
  EXPECT_NE(learning.values_of(*late.machine).function, nullptr) << learning.explanation();
}

TEST(MatchLearning, LooksFartherWhenAsked) {
  const Position position = initial_position(bundled("breakthrough_small", "sliced"));
  MatchLearning learning({.games = 20}, {}, 1);
  learning.learn(position, Deadline());
  ASSERT_TRUE(learning.look_farther(position, 1, Deadline()));
  EXPECT_EQ(learning.values_of(*position.machine).function, nullptr);
  learning.learn(position, Deadline());
  EXPECT_NE(learning.values_of(*position.machine).machine, nullptr);
  EXPECT_NE(learning.values_of(*position.machine).function, nullptr);
}

TEST(MatchLearning, KeepsItsValuesWhereItCantLookFarther) {
  const Position position = initial_position(bundled("connect_four_small", "sliced"));
  MatchLearning learning({.games = 20}, {}, 1);
  learning.learn(position, Deadline());
  EXPECT_FALSE(learning.look_farther(position, 1, Deadline()));
  EXPECT_NE(learning.values_of(*position.machine).function, nullptr);
}

TEST(MatchLearning, SaysWhyValuesDoNotDependOnReach) {
  const Position position = initial_position(bundled("connect_four_small", "sliced"));
  MatchLearning learning({.games = 5, .reach = 2}, {}, 1);
  learning.learn(position, Deadline());
  EXPECT_THAT(learning.explanation(), HasSubstr("without reach: "));
  EXPECT_NE(learning.values_of(*position.machine).function, nullptr);
}

TEST(MatchLearning, SaysWhetherTheTimeWasEnough) {
  const Position position = initial_position(bundled("breakthrough_small", "sliced"));
  MatchLearning learning({}, {}, 1);
  EXPECT_FALSE(learning.learn(position, Deadline(), Seconds(1e-9)));
  EXPECT_EQ(learning.values(), nullptr);
  Seconds turn{0.1};
  while (turn < kLongest && !learning.learn(position, Deadline(), turn)) turn *= 2;
  EXPECT_GT(learning.length_of_games(), 0);
}

/// It would begin from nothing, and take its share from each search of the match.
TEST(MatchLearning, TriesNotAgainInTheTimeThatWasTooShort) {
  for (const std::uint32_t reach : {0U, 1U}) {  // for a learner; for what roles can reach
    const auto machine =
        std::make_shared<StoppingMachine>(bundled("breakthrough_small", "sliced"), 1);
    const Position position = initial_position(machine);
    MatchLearning learning({.games = 1, .reach = reach}, {}, 1);
    EXPECT_FALSE(learning.learn_until(position, Deadline(machine->token())));
    const std::uint64_t questions = machine->questions();
    EXPECT_GT(questions, 0U);
    ASSERT_GT(learning.seconds(), 0) << "what failed took time, too";
    EXPECT_FALSE(learning.learn_until(position, Deadline::in(learning.seconds())));
    EXPECT_EQ(machine->questions(), questions) << reach;
    EXPECT_TRUE(learning.learn_until(position, Deadline::in(1e8)));
    EXPECT_EQ(learning.values_of(*machine).machine != nullptr, reach > 0);
  }
}

/// Many plies may have been played before the first game ends.
TEST(MatchLearning, HasLearnedNothingBeforeAGameHasEnded) {
  const Position position = initial_position(machine_of(lamps(2, 400), "sliced"));
  MatchLearning learning({}, {}, 1);
  for (Seconds turn{1e-3}; learning.values() == nullptr && turn < kLongest; turn *= 1.2) {
    const bool learned = learning.learn(position, Deadline(), turn);
    EXPECT_EQ(learned, learning.values() != nullptr) << learning.explanation();
  }
  EXPECT_NE(learning.values(), nullptr);
}

}  // namespace
}  // namespace ludens::search::test
