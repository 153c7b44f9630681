// SPDX-License-Identifier: MIT
#include "search/learning/learner.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

#include "search/learning/state_bits.h"
#include "search/mcts/playout_contestant.h"
#include "tests/sanitizers.h"
#include "tests/search/games/bundled.h"
#include "tests/search/learning/greedy_player.h"
#include "tests/search/learning/stopping_machine.h"
#include "tests/search/thinking.h"

namespace ludens::search::test {
namespace {

using testing::HasSubstr;

std::unique_ptr<Learner> learner_of(const std::shared_ptr<const gdl::Machine>& machine,
                                    const LearningOptions& options = {}) {
  auto made = Learner::make(machine, options, nullptr, Deadline());
  if (!made) {
    ADD_FAILURE() << made.error().text;
    return nullptr;
  }
  return *std::move(made);
}

/// The share of the greedy player on what was learned.
double share_of(const Learner& learner, const std::string& game, const std::string& opponent,
                int pairs) {
  const auto machine = bundled(game, "sliced");
  GreedyPlayer greedy(learner.snapshot());
  const Position start = initial_position(machine);
  mcts::PlayoutContestant other(machine, strategy_of(opponent));
  const Deadline never;
  SelfMatch match(start, never, nullptr, 1);
  double sum = 0;
  for (int i = 0; i < pairs; ++i) sum += match.play_pair(greedy, other).value_or(0);
  return sum / pairs;
}

/// The same after this many games.
double score_of(const std::string& game, std::uint64_t games, const std::string& opponent,
                int pairs) {
  const auto machine = bundled(game, "sliced");
  const auto learner = learner_of(machine);
  if (learner == nullptr) return 0;
  EXPECT_EQ(learner->learn(Deadline(), {.games = games}), gdl::Status::Ok);
  return share_of(*learner, game, opponent, pairs);
}

TEST(Learner, BeatsRandomPlayGreedily) {
  EXPECT_GT(score_of("tic_tac_toe", 5'000, "random:seed=1", 50), 0.8);
  EXPECT_GT(score_of("breakthrough_small", 5'000, "random:seed=1", 20), 0.95);
  EXPECT_GT(score_of("connect_four_small", 10'000, "random:seed=1", 50), 0.8);
}

TEST(Learner, BeatsPlayoutsGreedilyInAGameOfMaterial) {
  EXPECT_GT(score_of("breakthrough_small", 20'000, "mcts:playouts=400,seed=1", 20), 0.75);
}

TEST(Learner, LearnsTheSameWithTheSameSeed) {
  const auto machine = bundled("tic_tac_toe", "sliced");
  std::vector<std::vector<float>> values;
  for (int run = 0; run < 2; ++run) {
    const auto learner = learner_of(machine);
    EXPECT_EQ(learner->learn(Deadline(), {.games = 500}), gdl::Status::Ok);
    EXPECT_EQ(learner->learn(Deadline(), {.games = 500}), gdl::Status::Ok);
    EXPECT_GE(learner->statistics().games, 1'000U);
    const auto value = learner->snapshot();
    values.emplace_back(value->role_count());
    value->values(0, initial_position(machine).state, 0, values.back());
  }
  EXPECT_EQ(values[0], values[1]);
  EXPECT_FLOAT_EQ(values[0][0] + values[0][1], 1);
}

TEST(Learner, CopiesWhatItKnowsWhileItLearns) {
  LearningOptions options;
  options.threads = 2;
  const auto learner = learner_of(bundled("breakthrough_small", "sliced"), options);
  std::stop_source source;
  std::jthread thread(
      [&] { EXPECT_EQ(learner->learn(Deadline(source.get_token())), gdl::Status::Stopped); });
  while (learner->statistics().games < 100) std::this_thread::yield();
  for (int i = 0; i < 20; ++i) EXPECT_NE(learner->snapshot(), nullptr);
  for (const TrainedWeight& weight : learner->knowledge().weights) {
    ASSERT_LE(std::abs(weight.error_sum), 1.001F * weight.error_size);
  }
  source.request_stop();
}

TEST(Learner, LearnsOnSeveralThreads) {
  LearningOptions options;
  options.threads = 3;
  const auto learner = learner_of(bundled("breakthrough_small", "sliced"), options);
  EXPECT_EQ(learner->learn(Deadline(), {.games = 3'000}), gdl::Status::Ok);
  const std::uint64_t games = learner->statistics().games;
  EXPECT_GE(games, 3'000U);
  EXPECT_EQ(learner->learn(Deadline(), {.games = 1'000, .threads = 1}), gdl::Status::Ok);
  EXPECT_GE(learner->statistics().games, games + 1'000);
  EXPECT_LT(learner->statistics().games, games + 1'100);
  EXPECT_GT(share_of(*learner, "breakthrough_small", "random:seed=1", 20), 0.9);
}

TEST(Learner, HasAsManyThreadsAsThereIsMemoryFor) {
  const auto machine = bundled("tic_tac_toe", "sliced");
  LearningOptions options;
  gdl::MemoryBudget memory(std::size_t{512} << 20);
  options.threads = 1'000;
  options.most_plies = 10'000;  // takes a place in memory for each ply of each game
  auto made = Learner::make(machine, options, &memory, Deadline());
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ((*made)->learn(Deadline(), {.games = 300}), gdl::Status::Ok);
}

/// Doubles its tuples after about two games.
LearningOptions growing() {
  LearningOptions options;
  options.tuples = 16;
  options.most_tuples = 64;
  options.plies_per_weight = 0;
  return options;
}

TEST(Learner, AddsTuplesAsItLearns) {
  const auto machine = bundled("breakthrough_small", "sliced");
  const auto learner = learner_of(machine, growing());
  EXPECT_EQ(learner->knowledge().form.lookup_count(), 16U);
  EXPECT_EQ(learner->learn(Deadline(), {.games = 3'000}), gdl::Status::Ok);
  EXPECT_EQ(learner->knowledge().form.lookup_count(), 64U);
  EXPECT_GE(learner->statistics().games, 3'000U);
  EXPECT_GT(share_of(*learner, "breakthrough_small", "random:seed=1", 20), 0.9);
}

TEST(Learner, GoesOnWhenThereAreNoMoreTuples) {
  LearningOptions options = growing();
  options.most_tuples = 1'000;
  const auto learner = learner_of(bundled("nim", "sliced"), options);
  EXPECT_EQ(learner->learn(Deadline(), {.games = 1'000}), gdl::Status::Ok);
  EXPECT_LT(learner->knowledge().form.lookup_count(), 500U);
}

TEST(Learner, CopiesWhatItKnowsWhileItAddsTuples) {
  for (int run = 0; run < 10; ++run) {
    LearningOptions options = growing();
    options.threads = 2;
    const auto learner = learner_of(bundled("breakthrough_small", "sliced"), options);
    std::jthread thread([&] { learner->learn(Deadline(), {.games = 500}); });
    while (learner->statistics().games < 400) {
      const Knowledge knowledge = learner->knowledge();
      const TableLayout layout(knowledge.form);
      ASSERT_EQ(knowledge.weights.size(), knowledge.shape.tables() * layout.entries());
      ASSERT_NE(learner->snapshot(), nullptr);
    }
  }
}

TEST(Learner, GoesOnWithItsTuplesWhereThereIsNoMemoryForMore) {
  gdl::MemoryBudget memory(std::size_t{64} << 20);
  LearningOptions options = growing();
  options.most_tuples = 4'096;
  auto made = Learner::make(bundled("breakthrough_small", "sliced"), options, &memory, Deadline());
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ((*made)->learn(Deadline(), {.games = 500}), gdl::Status::Ok);
  EXPECT_GT((*made)->knowledge().form.lookup_count(), 16U);
  EXPECT_LT((*made)->knowledge().form.lookup_count(), 4'096U);
  EXPECT_EQ((*made)->learn(Deadline(), {.games = 500}), gdl::Status::Ok);
  EXPECT_GE((*made)->statistics().games, 1'000U);
}

/// Half of the memory is for others, but what it gives up needs no room beside what it takes.
TEST(Learner, AddsTuplesOnSeveralThreadsInTheMemoryForOnce) {
  const auto machine = bundled("breakthrough_small", "sliced");
  LearningOptions options = growing();
  options.most_tuples = 32;
  options.threads = 2;
  const auto learner = learner_of(machine, options);
  const Knowledge small = learner->knowledge();
  ASSERT_EQ(small.form.lookup_count(), 16U);
  EXPECT_EQ(learner->learn(Deadline(), {.games = 500}), gdl::Status::Ok);
  const Knowledge grown = learner->knowledge();
  ASSERT_EQ(grown.form.lookup_count(), 32U);
  gdl::MemoryBudget large(std::size_t{1} << 30);
  const auto measured = Learner::resume(machine, grown, options, &large);
  ASSERT_TRUE(measured.has_value());
  gdl::MemoryBudget memory(large.used() * 22 / 10);
  const auto resumed = Learner::resume(machine, small, options, &memory);
  ASSERT_TRUE(resumed.has_value());
  EXPECT_EQ((*resumed)->learn(Deadline(), {.games = 500}), gdl::Status::Ok);
  EXPECT_EQ((*resumed)->knowledge().form.lookup_count(), 32U);
}

TEST(Learner, EndsWhenItShould) {
  const auto learner = learner_of(bundled("connect_four", "sliced"));
  const Deadline over(std::chrono::steady_clock::now());
  EXPECT_EQ(learner->learn(over), gdl::Status::Stopped);
  EXPECT_EQ(learner->statistics().plies, 0U);
}

TEST(Learner, SaysWhyAGameIsNotLearned) {
  const auto reason = [](const char* game, const char* machine, gdl::MemoryBudget* memory,
                         const Deadline& deadline = Deadline()) {
    const auto made = Learner::make(bundled(game, machine), {}, memory, deadline);
    return made ? "none" : made.error().text;
  };
  EXPECT_THAT(reason("tic_tac_toe", "interpreter", nullptr), HasSubstr("no network"));
  EXPECT_THAT(reason("eight_puzzle", "sliced", nullptr), HasSubstr("one role"));
  gdl::MemoryBudget little(1 << 20);
  EXPECT_THAT(reason("tic_tac_toe", "sliced", &little), HasSubstr("memory"));
  EXPECT_EQ(little.used(), 0U);
  EXPECT_THAT(reason("tic_tac_toe", "sliced", nullptr, Deadline(std::chrono::steady_clock::now())),
              HasSubstr("no time"));
}

/// A learner that lacks what there was no time to find would lack it for good.
TEST(Learner, IsNotMadeInPart) {
  const auto inner = bundled("tic_tac_toe", "sliced");
  const auto make = [&](std::uint64_t at) {
    auto machine = std::make_shared<const StoppingMachine>(inner, at);
    auto made = Learner::make(machine, {}, nullptr, Deadline(machine->token()));
    return std::pair(machine->questions(), std::move(made));
  };
  const auto [questions, whole] = make(0);
  ASSERT_TRUE(whole.has_value());
  for (const std::uint64_t missing : {0, 1, 10, 100, 1'000}) {
    const auto made = make(questions - missing);
    ASSERT_FALSE(made.second.has_value()) << missing;
    EXPECT_THAT(made.second.error().text, HasSubstr("no time"));
  }
}

/// 6,400 fluents, of which one holds: where the last two moves went.
std::shared_ptr<const gdl::Machine> wide_game() {
  std::string text;
  for (int number = 0; number < 80; ++number) {
    const std::string name = std::to_string(number);
    text += "(number " + name + ")" + (number % 2 == 0 ? "(even " : "(odd ") + name + ")";
  }
  return machine_of(text + R"((role white) (role black) (init (last 0)) (init (step 0))
    (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (legal white (go ?x)) (number ?x)) (legal black wait)
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
    (<= (next (last ?x)) (does white (go ?x)))
    (<= (next (at ?x ?y)) (does white (go ?x)) (true (last ?y)))
    (<= terminal (true (step 3))) (<= begun (true (at ?x ?y)))
    (<= (goal white 100) (true (at ?x ?y)) (even ?x))
    (<= (goal white 50) (true (at ?x ?y)) (odd ?x)) (<= (goal white 0) (not begun))
    (goal black 0))",
                    "sliced");
}

/// Limits the memory that the process may map, while it lives.
class AddressLimit {
 public:
  explicit AddressLimit(std::size_t more) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    ::getrlimit(RLIMIT_AS, &before_);
    rlimit limit = before_;
    limit.rlim_cur = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + more;
    ::setrlimit(RLIMIT_AS, &limit);
  }
  AddressLimit(const AddressLimit&) = delete;
  AddressLimit& operator=(const AddressLimit&) = delete;
  ~AddressLimit() { ::setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};

/// The rows of all fluents alone take more than 50 MB.
TEST(Learner, TakesNoMemoryBeforeItIsAllowedTo) {
  const auto machine = wide_game();
  LearningOptions options;
  options.tuples = 8;
  Knowledge knowledge = learner_of(machine, options)->knowledge();
  TupleForm& form = knowledge.form;
  ASSERT_EQ(form.images(), 1U);
  form.tuples.resize(kMostLookups - form.counts.size() - 1, form.tuples.front());
  ASSERT_EQ(form.lookup_count(), kMostLookups);
  ASSERT_GT(StateBits::of(*machine)->size(), 6'400U);
  gdl::MemoryBudget memory(std::size_t{48} << 20);
  std::optional<AddressLimit> limit;
  if (!kSanitized) limit.emplace(std::size_t{40} << 20);
  const auto resumed = Learner::resume(machine, knowledge, options, &memory);
  limit.reset();
  ASSERT_FALSE(resumed.has_value());
  EXPECT_EQ(resumed.error().text, "memory is used up");
  EXPECT_EQ(memory.used(), 0U);
}

TEST(Learner, GivesItsMemoryBack) {
  gdl::MemoryBudget memory(std::size_t{256} << 20);
  {
    auto made = Learner::make(bundled("tic_tac_toe", "sliced"), {}, &memory, Deadline());
    auto learner = *std::move(made);
    const std::size_t learning = memory.used();
    EXPECT_GT(learning, 0U);
    const auto value = learner->snapshot();
    EXPECT_GT(memory.used(), learning);
    learner.reset();
    EXPECT_GT(memory.used(), 0U);
  }
  EXPECT_EQ(memory.used(), 0U);
}

/// Plays at random and looks at the value of each state.
void expect_values_within_bounds(const gdl::Machine& machine, const ValueFunction& value) {
  const auto context = machine.make_context();
  const std::size_t roles = machine.role_count();
  gdl::Rng rng(11);
  gdl::State state, next;
  std::vector<float> values(roles);
  for (int ply = 0; ply < 200; ++ply) {
    bool over = true;
    if (ply > 0) {
      ASSERT_EQ(machine.terminal(*context, state, over), gdl::Status::Ok);
    }
    if (over) {
      ASSERT_EQ(machine.initial(*context, state), gdl::Status::Ok);
    }
    std::vector<std::vector<gdl::MoveId>> legal(roles);
    std::vector<gdl::MoveId> joint;
    for (gdl::RoleIndex r = 0; r < roles; ++r) {
      ASSERT_EQ(machine.legal(*context, state, r, legal[r]), gdl::Status::Ok);
      joint.push_back(legal[r][rng.below(static_cast<std::uint32_t>(legal[r].size()))]);
    }
    value.values(value.movers().of(legal), state, mobility(legal), values);
    for (const float v : values) {
      ASSERT_GE(v, 0);
      ASSERT_LE(v, 1);
    }
    ASSERT_EQ(machine.next(*context, state, joint, next), gdl::Status::Ok);
    state = next;
  }
}

/// Two in turn, three roles, chance, moves at once, goals that are not fixed-sum.
TEST(Learner, LearnsGamesOfAllKinds) {
  for (const char* game : {"tic_tac_toe", "connect_four_small", "hex_small", "three_player", "pig",
                           "tron", "goofspiel", "bidding_tic_tac_toe", "cooperative",
                           "sharing_game", "othello", "amazons_small", "rock_paper_scissors"}) {
    SCOPED_TRACE(game);
    const auto machine = bundled(game, "sliced");
    const auto learner = learner_of(machine);
    ASSERT_NE(learner, nullptr);
    EXPECT_EQ(learner->learn(Deadline(), {.games = 300}), gdl::Status::Ok);
    EXPECT_GE(learner->statistics().games, 300U);
    EXPECT_GE(learner->statistics().evaluated, learner->statistics().plies);
    const auto value = learner->snapshot();
    ASSERT_NE(value, nullptr);
    expect_values_within_bounds(*machine, *value);
  }
}

/// The code of mastermind and each guess are one of 1,296.
TEST(Learner, ConsidersAPartOfVeryManyMoves) {
  const auto learner = learner_of(bundled("mastermind", "sliced"));
  ASSERT_NE(learner, nullptr);
  EXPECT_EQ(learner->learn(Deadline(), {.games = 64}), gdl::Status::Ok);
  const LearningStatistics done = learner->statistics();
  EXPECT_GT(done.evaluated, 36 * done.plies);
  EXPECT_LT(done.evaluated, 256 * done.plies);
}

/// All of this many roles choose one of two moves at once, three times.
std::shared_ptr<const gdl::Machine> choosing_at_once(std::size_t roles) {
  std::string text;
  for (std::size_t r = 0; r < roles; ++r) text += "(role r" + std::to_string(r) + ")";
  return machine_of(text + R"(
    (init (round 0)) (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (legal ?r dare) (role ?r)) (<= (legal ?r wait) (role ?r))
    (<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
    (<= (next (dared ?r)) (does ?r dare)) (<= (next (dared ?r)) (true (dared ?r)))
    (<= terminal (true (round 3)))
    (<= (goal ?r 100) (true (dared ?r)))
    (<= (goal ?r 0) (role ?r) (not (true (dared ?r)))))",
                    "sliced");
}

TEST(Learner, ConsidersAPartOfVeryManyJointMoves) {
  for (const std::size_t roles : {3, 7, 8, 10, 64, 100}) {
    SCOPED_TRACE(roles);
    const auto learner = learner_of(choosing_at_once(roles));
    ASSERT_NE(learner, nullptr);
    EXPECT_EQ(learner->learn(Deadline(), {.games = 64}), gdl::Status::Ok);
    const LearningStatistics done = learner->statistics();
    EXPECT_GE(done.evaluated, 8 * done.plies);
    EXPECT_LE(done.evaluated, 144 * done.plies);
  }
}

}  // namespace
}  // namespace ludens::search::test
