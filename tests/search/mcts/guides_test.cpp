// SPDX-License-Identifier: MIT
// What speaks for moves beside their own visits: GRAVE, pairs of moves, proof numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "search/mcts/backpropagation.h"
#include "search/mcts/grave.h"
#include "search/mcts/ngrams.h"
#include "search/mcts/proof_numbers.h"
#include "search/mcts/selection.h"
#include "tests/search/games/bundled.h"
#include "tests/search/thinking.h"

namespace ludens::search::mcts {
namespace {

using gdl::RoleIndex;

/// A root at which one of two roles decides among moves 0, 1, 2 and so on.
class GuidedRoot : public testing::Test {
 protected:
  static constexpr RoleIndex kOwn = 0, kOther = 1;

  GuidedRoot() { graph.keep_proof_numbers(true); }
  void plant(std::uint32_t moves) {
    EXPECT_TRUE(graph.plant(facts(moves), 0, 0));
    policy.first_ties = true;
  }
  Node& root() { return graph[graph.root()]; }
  std::span<Edge> edges() { return graph.edges(root(), kOwn); }
  void open(std::uint32_t moves) {
    for (; moves > 0; --moves) EXPECT_NE(graph.open(root(), kOwn, 0), Graph::kNoPlace);
  }
  /// All moves have as many visits and the same mean.
  void visit_all(std::uint32_t visits, float mean) {
    for (Edge& edge : edges()) {
      edge.visits = visits;
      edge.mean = mean;
    }
    root().visits = visits * static_cast<std::uint32_t>(edges().size());
    root().sum(kOwn) = root().visits * static_cast<double>(mean);
  }
  std::vector<std::uint32_t> choose(std::uint32_t descents, const Path& path) {
    std::vector<std::uint32_t> places(descents);
    Chooser().choose(graph, root(), kOwn, policy, path, rng, places);
    return places;
  }
  std::vector<MoveBias> biases_by(const MoveTable& table, float most_visits, float playouts) {
    std::vector<MoveBias> biases(root().move_count(kOwn));
    table.add_bias(root(), kOwn, most_visits, playouts, biases);
    return biases;
  }
  Facts facts(std::uint32_t moves, std::uint32_t roles = 2) {
    begins_ = {0};
    moves_.clear();
    for (std::uint32_t i = 0; i < moves; ++i) moves_.push_back(i);
    for (std::uint32_t r = 1; r < roles; ++r) {
      begins_.push_back(moves + r - 1);
      moves_.push_back(0);
    }
    begins_.push_back(moves + roles - 1);
    state_.words() = {++states_};
    return {state_, false, {}, moves_, begins_};
  }

  Graph graph{nullptr, std::size_t{1} << 20};
  SelectionPolicy policy;
  gdl::Rng rng{1};

 private:
  std::vector<gdl::MoveId> moves_;
  std::vector<std::uint32_t> begins_;
  std::uint64_t states_ = 0;
  gdl::State state_;
};

// ---- GRAVE

MoveTable table_of(std::initializer_list<MadeMove> all) {
  MoveTable table;
  gdl::HeldMemory held;
  for (const MadeMove& made : all) EXPECT_TRUE(table.add(made, held, nullptr));
  return table;
}

TEST_F(GuidedRoot, MovesMadeInWonPlayoutsAreWorthMoreThanTheUsual) {
  plant(4);
  const MoveTable table =
      table_of({{{kOwn, 0}, 400, 300}, {{kOwn, 1}, 400, 100}, {{kOther, 2}, 400, 400}});
  const auto biases = biases_by(table, 10, 4);
  EXPECT_NEAR(biases[0].visits, 1 / (1 / 100.0 + 1 / 10.0), 1e-4);  // 400 playouts are 100 visits
  EXPECT_NEAR(biases[0].gain / biases[0].visits, 0.25, 0.02);
  EXPECT_NEAR(biases[1].gain, -biases[0].gain, 1e-4);
  EXPECT_EQ(biases[2].visits, 0);  // the other role's move is another
  EXPECT_EQ(biases[3].visits, 0);
}

TEST_F(GuidedRoot, AMoveThatWasSeldomMadeSaysLittle) {
  plant(2);
  const auto biases = biases_by(table_of({{{kOwn, 0}, 1000, 500}, {{kOwn, 1}, 1, 1}}), 1000, 1);
  EXPECT_LT(biases[1].visits, 1);
  EXPECT_LT(biases[1].gain, 0.1);
}

TEST_F(GuidedRoot, MovesMadeInVeryManyPlayoutsKeepTheirShare) {
  plant(2);
  const float many = 1 << 24;  // to which a float can't add 1
  MoveTable table = table_of({{{kOwn, 0}, many, many / 4}, {{kOwn, 1}, many, many / 4}});
  gdl::HeldMemory held;
  for (int i = 0; i < 1 << 22; ++i) {
    table.add({{kOwn, 0}, 1, i % 4 == 0 ? 1.0F : 0.0F}, held, nullptr);
  }
  for (const MoveBias& bias : biases_by(table, 10, 1)) EXPECT_NEAR(bias.gain, 0, 0.1);
}

TEST_F(GuidedRoot, MovesNotTriedAreTriedByWhatSpeaksForThem) {
  plant(5);
  const MoveTable table = table_of({{{kOwn, 0}, 400, 0},
                                    {{kOwn, 1}, 400, 0},
                                    {{kOwn, 2}, 400, 300},
                                    {{kOwn, 3}, 400, 350},
                                    {{kOwn, 4}, 400, 0}});
  const Grave grave(nullptr, 10, 1);
  policy.guides.grave = &grave;
  policy.gamma = 0;
  const auto places = choose(3, {.reference = &table, .last = {}});
  // The best is tried, and as long as nothing is known of it, again.
  EXPECT_EQ(root().move(kOwn, places[0]), 3U);
  edges()[0].in_flight = 0;
  edges()[0].visits = 1000;
  edges()[0].mean = 0.4F;
  EXPECT_EQ(root().move(kOwn, choose(1, {.reference = &table, .last = {}})[0]), 2U);
}

TEST_F(GuidedRoot, ManyVisitsOutweighWhatSpeaksForAMove) {
  plant(2);
  open(2);
  visit_all(100, 0.5F);
  edges()[1].mean = 0.55F;
  const MoveTable table = table_of({{{kOwn, 0}, 4000, 3000}, {{kOwn, 1}, 4000, 1000}});
  const Grave light(nullptr, 1, 1), heavy(nullptr, 100, 1);
  const Path path{.reference = &table, .last = {}};
  policy.guides.grave = &light;
  EXPECT_EQ(choose(1, path)[0], 1U);
  policy.guides.grave = &heavy;
  EXPECT_EQ(choose(1, path)[0], 0U);
  EXPECT_EQ(choose(1, {})[0], 1U);  // nothing known
}

/// Passes of one descent each through a graph of two levels.
class GuidedDescents : public GuidedRoot {
 protected:
  /// One descent that brings its value to both roles, `kOwn` the first.
  void descend(double value) {
    Selection().descend(graph, policy, 1, rng, descents);
    Descents::Group& leaf = descents.groups.back();
    if (leaf.node == kNoNode) {
      const Facts child = facts(2);
      const NodeId above = descents.groups[leaf.above].node;
      leaf.node = graph.add(above, leaf.code, child, 0, position_hash(child.state));
    }
    descents.value(0)[kOwn] = value;
    descents.value(0)[kOther] = 1 - value;
    Backpropagation().run(graph, policy, descents);
  }
  [[nodiscard]] std::uint32_t last_group() {
    return static_cast<std::uint32_t>(descents.groups.size() - 1);
  }
  Descents descents;
};

TEST_F(GuidedDescents, NodesOftenVisitedAreReferences) {
  plant(2);
  Grave grave(nullptr, 10, 20);
  for (int i = 0; i < 60; ++i) {
    descend(i % 2 == 0 ? 1 : 0);
    std::vector<MadeMove> made{{{kOwn, 7}, 4, 3}};
    grave.learn(graph, descents, last_group(), 4, made);
  }
  const MoveTable* const table = grave.reference(graph.root(), root().visits);
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->visits(), 40U);  // since the node had more than twenty
  EXPECT_EQ(grave.reference(graph.root(), 20), nullptr);
  for (const Edge& edge : edges()) {
    EXPECT_EQ(grave.reference(edge.child(), graph[edge.child()].visits), nullptr);
  }
  grave.clear();
  EXPECT_EQ(grave.reference(graph.root(), root().visits), nullptr);
}

TEST_F(GuidedDescents, WithoutMemoryThereAreNoReferences) {
  plant(2);
  gdl::MemoryBudget memory(100);
  Grave grave(&memory, 10, 1);
  for (int i = 0; i < 20; ++i) {
    descend(1);
    std::vector<MadeMove> made{{{kOwn, 700}, 4, 3}};
    grave.learn(graph, descents, last_group(), 4, made);
  }
  EXPECT_LE(memory.used(), 100U);
  grave.clear();
  EXPECT_EQ(memory.used(), 0U);
}

// ---- Pairs of moves

constexpr Turn kThreat{1, 5}, kQuiet{1, 6}, kUnseen{1, 7};

TEST(NGrams, JudgeAnAnswerByTheMoveBefore) {
  NGrams pairs(1);
  pairs.add(kThreat, {0, 1}, 100, 30);
  pairs.add(kQuiet, {0, 1}, 100, -30);
  EXPECT_NEAR(pairs.expected_gain(kThreat, {0, 1}), 0.3, 0.05);
  EXPECT_NEAR(pairs.expected_gain(kQuiet, {0, 1}), -0.3, 0.05);
  EXPECT_EQ(pairs.expected_gain(kThreat, {1, 1}), 0);  // the other role's
  pairs.clear();
  EXPECT_EQ(pairs.expected_gain(kThreat, {0, 1}), 0);
}

TEST(NGrams, JudgeAMoveThatWasNoAnswerYetByWhatItDidAfterAny) {
  NGrams pairs(2);
  pairs.add(kThreat, {0, 1}, 1000, 300);
  EXPECT_NEAR(pairs.expected_gain(kUnseen, {0, 1}), 2 * 0.3, 0.01);
  pairs.add(kUnseen, {0, 1}, 1, -1);
  EXPECT_NEAR(pairs.expected_gain(kUnseen, {0, 1}), 2 * 0.15, 0.05);  // one descent says little
}

TEST(NGrams, JudgeAMoveThatWasMadeVeryOftenByItsShare) {
  NGrams pairs(1);
  const float many = 1 << 24;  // to which a float can't add 1
  pairs.add(kThreat, {0, 1}, many, many / 8);
  for (int i = 0; i < 1 << 22; ++i) pairs.add(kThreat, {0, 1}, 1, i % 8 == 0 ? 1.0F : 0.0F);
  EXPECT_NEAR(pairs.expected_gain(kThreat, {0, 1}), 0.125, 0.001);
  EXPECT_NEAR(pairs.expected_gain(kUnseen, {0, 1}), 0.125, 0.001);
}

TEST_F(GuidedRoot, AnswersThatDidWellAreTriedFirst) {
  plant(4);
  NGrams pairs(1);
  const std::vector<float> gains{-20, 10, 30, -40};
  for (std::uint32_t m = 0; m < 4; ++m) pairs.add(kThreat, {kOwn, m}, 100, gains[m]);
  policy.guides.ngrams = &pairs;
  policy.gamma = 0;
  const Path path{.reference = nullptr, .last = kThreat};
  EXPECT_EQ(choose(1, path)[0], 0U);
  visit_all(100, 0.5F);
  EXPECT_EQ(root().move(kOwn, 0), 2U);
  EXPECT_EQ(choose(1, path)[0], 1U);
  visit_all(100, 0.5F);
  EXPECT_EQ(root().move(kOwn, 1), 1U);
  // Less than the node is worth is expected of the others: they wait.
  for (const std::uint32_t place : choose(3, path)) EXPECT_LT(place, 2U);
  EXPECT_EQ(root().tried, 2U);
  // But not when those tried turn out worse, or are refuted.
  edges()[0].mean = edges()[1].mean = 0.2F;
  EXPECT_EQ(choose(1, path)[0], 2U);
  EXPECT_EQ(root().move(kOwn, 2), 0U);
  root().set_bounded();
  for (Edge& edge : edges()) edge.bounds = {0, 0};
  EXPECT_EQ(choose(1, path)[0], 3U);
}

/// The order is theirs whatever is the first of equals.
TEST_F(GuidedRoot, AnswersOfWhichNothingIsKnownAreTriedInTheOrderOfTheirMeans) {
  const MoveMeans means{.rows = {{.usual = 0.5F, .moves = {0.4F, 0.5F, 0.6F, 0.55F}}}};
  policy.move_means = std::make_shared<const MoveMeans>(means);
  const NGrams pairs(1);
  for (const bool by_pairs : {false, true}) {
    plant(4);
    policy.guides.ngrams = by_pairs ? &pairs : nullptr;
    choose(4, {.reference = nullptr, .last = kThreat});
    ASSERT_EQ(root().tried, 4U);
    const std::vector<gdl::MoveId> best_first{2, 3, 1, 0};
    for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(root().move(kOwn, i), best_first[i]);
  }
}

TEST_F(GuidedDescents, PairsAreLearnedWhereDescentsMakeThem) {
  plant(2);
  NGrams pairs(1);
  policy.guides.ngrams = &pairs;
  for (int i = 0; i < 40; ++i) {
    descend(i % 3 == 0 ? 1 : 0);
    pairs.learn(graph, descents);
  }
  // At the root no move is known before; its children have two moves of the same role.
  EXPECT_NE(pairs.expected_gain({kOwn, 0}, {kOwn, 0}), 0);
  EXPECT_EQ(pairs.expected_gain({kOther, 0}, {kOther, 1}), 0);
}

// ---- Proof numbers

constexpr std::uint32_t kNever = kNeverProved;

class MovesWithProofNumbers : public GuidedRoot {
 protected:
  using Numbers = std::vector<std::uint32_t>;

  /// A root at which the first of three roles decides.
  void plant_for_three(std::uint32_t moves) {
    EXPECT_TRUE(graph.plant(facts(moves, 3), 0, 0));
    policy.first_ties = true;
  }
  /// The numbers [role] of each move.
  void set_numbers(const std::vector<Numbers>& numbers) {
    const auto kept = graph.proof_numbers(root());
    const std::size_t roles = root().role_count();
    ASSERT_EQ(kept.size(), numbers.size() * roles);
    for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = numbers[i / roles][i % roles];
  }
  Numbers at_root() {
    Numbers numbers(root().role_count());
    find_proof_numbers(graph, root(), goals, numbers);
    return numbers;
  }
  /// The bonus of each move, and, if `untried`, that of all others.
  std::vector<float> bonuses(ProofBias bias, float weight, bool untried = false) {
    std::vector<MoveBias> biases(edges().size() + (untried ? 1 : 0));
    ProofBonus().add(graph, root(), Candidates(edges(), 0), bias, weight, biases);
    std::vector<float> all;
    for (const MoveBias& each : biases) all.push_back(each.bonus);
    return all;
  }
  std::vector<std::uint8_t> goals;
};

TEST_F(MovesWithProofNumbers, WhoDecidesNeedsTheLeastTheOtherAll) {
  plant(3);
  EXPECT_EQ(at_root(), (Numbers{1, 3}));  // moves not tried are a leaf each
  open(2);
  set_numbers({{5, 2}, {3, 4}});
  EXPECT_EQ(at_root(), (Numbers{1, 7}));
  open(1);
  set_numbers({{5, 2}, {3, 4}, {8, 8}});
  EXPECT_EQ(at_root(), (Numbers{3, 14}));
}

TEST_F(MovesWithProofNumbers, OfThreeRolesTheTwoOthersNeedAll) {
  plant_for_three(3);
  EXPECT_EQ(at_root(), (Numbers{1, 3, 3}));
  open(2);
  set_numbers({{5, 2, 9}, {3, 4, 1}});
  EXPECT_EQ(at_root(), (Numbers{1, 7, 11}));
  open(1);
  set_numbers({{5, 2, 9}, {3, 4, 1}, {8, kNever, 0}});
  EXPECT_EQ(at_root(), (Numbers{3, kNever, 10}));
}

TEST_F(MovesWithProofNumbers, StayWithTheirMovesAsMoreAreTried) {
  for (const bool three : {false, true}) {
    three ? plant_for_three(9) : plant(9);
    const std::uint32_t roles = three ? 3 : 2;
    for (std::uint32_t i = 0; i < 9; ++i) {
      open(1);
      const auto kept = graph.proof_numbers(root()).last(roles);
      for (std::uint32_t r = 0; r < roles; ++r) {
        EXPECT_EQ(kept[r], 1U);
        kept[r] = 100 * r + i;
      }
    }
    for (std::uint32_t i = 0; i < 9 * roles; ++i) {
      EXPECT_EQ(graph.proof_numbers(root())[i], 100 * (i % roles) + i / roles);
    }
  }
}

TEST_F(MovesWithProofNumbers, FollowBoundsAndTheBestGoalThatIsLeft) {
  plant(2);
  root().set_bounds(kOwn, {0, 50});
  EXPECT_EQ(at_root(), (Numbers{kNever, 2}));
  goals = {50, 100};
  EXPECT_EQ(at_root(), (Numbers{1, 2}));
  root().set_bounds(kOwn, {50, 50});
  EXPECT_EQ(at_root(), (Numbers{0, 2}));
}

TEST_F(MovesWithProofNumbers, FollowTheBoundsOfEachOfThreeRoles) {
  plant_for_three(2);
  goals = {100, 60, 30};
  root().set_bounds(1, {60, 100});
  root().set_bounds(2, {0, 20});
  EXPECT_EQ(at_root(), (Numbers{1, 0, kNever}));
}

TEST_F(MovesWithProofNumbers, AreFarFromProvedWhereTheyHaveNoEnd) {
  plant(2);
  open(2);
  set_numbers({{4, kNever}, {kNever, kNever - 1}});
  EXPECT_EQ(at_root(), (Numbers{4, kNever}));
  set_numbers({{4, kNever - 1}, {kNever, kNever - 1}});
  EXPECT_EQ(at_root()[kOther], kNever - 1);  // no overflow
}

TEST_F(MovesWithProofNumbers, RankMovesFromOneToNothing) {
  plant(4);
  open(4);
  set_numbers({{7, 1}, {2, 1}, {7, 1}, {30, 1}});
  const auto bonus = bonuses(ProofBias::Rank, 0.3F);
  EXPECT_FLOAT_EQ(bonus[1], 0.3F);
  EXPECT_FLOAT_EQ(bonus[0], 0.2F);
  EXPECT_FLOAT_EQ(bonus[2], 0.2F);
  EXPECT_FLOAT_EQ(bonus[3], 0);
  visit_all(10, 0.5F);
  policy.guides.proofs.weight = 0.3F;
  EXPECT_EQ(choose(1, {})[0], 1U);
}

TEST_F(MovesWithProofNumbers, AreWeighedByTheirDistanceFromTheLeast) {
  plant(4);
  open(4);
  set_numbers({{7, 1}, {2, 1}, {kNever, 1}, {11, 1}});
  const auto bonus = bonuses(ProofBias::Max, 0.3F);
  EXPECT_FLOAT_EQ(bonus[0], 0.3F * (1 - 5 / 10.0F));  // of 1 + 11 - 2
  EXPECT_FLOAT_EQ(bonus[1], 0.3F);
  EXPECT_EQ(bonus[2], 0);
  EXPECT_FLOAT_EQ(bonus[3], 0.3F * (1 - 9 / 10.0F));
  visit_all(10, 0.5F);
  policy.guides.proofs = {.weight = 0.3F, .bias = ProofBias::Max, .goals = {}};
  EXPECT_EQ(choose(1, {})[0], 1U);
}

TEST_F(MovesWithProofNumbers, AreWeighedByTheirShareOfTheSum) {
  plant_for_three(4);
  open(4);
  set_numbers({{7, 1, 1}, {2, 1, 1}, {kNever, 1, 1}, {10, 1, 1}});
  const auto bonus = bonuses(ProofBias::Sum, 0.3F);
  EXPECT_FLOAT_EQ(bonus[0], 0.3F * (1 - 7 / 20.0F));
  EXPECT_FLOAT_EQ(bonus[1], 0.3F * (1 - 2 / 20.0F));
  EXPECT_EQ(bonus[2], 0);
  EXPECT_FLOAT_EQ(bonus[3], 0.3F * (1 - 10 / 20.0F));
  visit_all(10, 0.5F);
  policy.guides.proofs = {.weight = 0.3F, .bias = ProofBias::Sum, .goals = {}};
  EXPECT_EQ(choose(1, {})[0], 1U);
}

TEST_F(MovesWithProofNumbers, CountUntriedMovesAsALeafEach) {
  plant(5);
  open(2);
  set_numbers({{5, 1}, {3, 1}});
  const auto by_distance = bonuses(ProofBias::Max, 1, true);
  EXPECT_FLOAT_EQ(by_distance[0], 1 - 4 / 5.0F);  // of 1 + 5 - 1
  EXPECT_FLOAT_EQ(by_distance[1], 1 - 2 / 5.0F);
  EXPECT_FLOAT_EQ(by_distance[2], 1);
  const auto by_share = bonuses(ProofBias::Sum, 1, true);
  EXPECT_FLOAT_EQ(by_share[0], 1 - 5 / 12.0F);  // of 1 + 5 + 3 + 3
  EXPECT_FLOAT_EQ(by_share[1], 1 - 3 / 12.0F);
  EXPECT_FLOAT_EQ(by_share[2], 1 - 1 / 12.0F);
}

TEST_F(MovesWithProofNumbers, MayKeepUntriedMovesWaiting) {
  plant(4);
  open(2);
  visit_all(10, 0.5F);
  policy.gamma = 0.01;
  policy.guides.proofs = {.weight = 0.3F, .bias = ProofBias::Max, .goals = {}};
  set_numbers({{5, 1}, {0, 1}});  // one proved, if not by the bounds
  EXPECT_EQ(choose(1, {})[0], 1U);
  set_numbers({{5, 1}, {3, 1}});
  for (Edge& edge : edges()) edge.in_flight = 0;
  // A leaf is closest to a proof: the two others are tried.
  EXPECT_EQ(choose(2, {}), (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(root().tried, 4U);
}

TEST_F(MovesWithProofNumbers, LeaveTheOrderOfUntriedMovesToPairs) {
  plant(6);
  NGrams pairs(1);
  for (std::uint32_t m = 0; m < 6; ++m) pairs.add(kThreat, {kOwn, m}, 100, m == 4 ? 40 : -40);
  policy.guides.ngrams = &pairs;
  policy.guides.proofs = {.weight = 0.1F, .bias = ProofBias::Sum, .goals = {}};
  policy.gamma = 0;
  const Path path{.reference = nullptr, .last = kThreat};
  EXPECT_EQ(choose(1, path)[0], 0U);
  EXPECT_EQ(root().move(kOwn, 0), 4U);
  visit_all(100, 0.5F);
  set_numbers({{3, 1}});
  EXPECT_EQ(choose(1, path)[0], 0U) << "less is expected of the others";
  edges()[0].mean = 0;
  EXPECT_EQ(choose(1, path)[0], 1U);
}

}  // namespace
}  // namespace ludens::search::mcts

namespace ludens::search::test {
namespace {

constexpr const char* kGuided[] = {",grave=10,reference=20",
                                   ",nst=1",
                                   ",pn=0.1",
                                   ",pn=0.1,pn_bias=max",
                                   ",pn=0.1,pn_bias=sum,nst=1",
                                   ",grave=10,reference=20,nst=1,pn=0.1,mast=2,widening=4",
                                   ",grave=10,reference=20,nst=1,pn=0.1,pn_bias=max,widening=4"};

TEST(GuidedMcts, SearchesOtherwiseAndIsRepeatable) {
  const Position position = initial_position(bundled("breakthrough_small", "sliced"));
  const auto search = [&](const std::string& options) {
    return visits(think(*strategy_of("mcts:playouts=16000,seed=3" + options), position));
  };
  const auto plain = search("");
  for (const std::string options : kGuided) {
    const auto once = search(options);
    EXPECT_EQ(search(options), once) << options;
    EXPECT_NE(plain, once) << options;
  }
}

TEST(GuidedMcts, LeavesProofsAlone) {
  const Position position = initial_position(bundled("tic_tac_toe", "sliced"));
  for (const std::string options : kGuided) {
    const Choice choice = think(*strategy_of("mcts:playouts=800000,seed=1" + options), position);
    EXPECT_TRUE(choice.exact) << options;
    EXPECT_EQ(choice.value, 50) << options;
  }
}

TEST(GuidedMcts, KeepsItsKnowledgeOverAMatchWithSeveralThreads) {
  for (const std::string options : kGuided) {
    const auto strategy =
        strategy_of("mcts:playouts=8000,seed=1" + options, {.threads = 2, .memory = nullptr});
    Position position = initial_position(bundled("breakthrough_small", "sliced"));
    for (int ply = 0; ply < 6; ++ply) {
      position.role = static_cast<gdl::RoleIndex>(ply % 2);
      const Choice choice = think(*strategy, position);
      ASSERT_NE(choice.move, gdl::kNoMove) << options;
      const gdl::MoveId idle = legal_moves(position, 1 - position.role)[0];
      make_move(position,
                ply % 2 == 0 ? std::vector{choice.move, idle} : std::vector{idle, choice.move});
    }
  }
}

TEST(GuidedMcts, LeavesGamesOfOtherKindsAlone) {
  for (const char* const game : {"rock_paper_scissors", "pig", "lights_out"}) {
    for (const std::string options : kGuided) {
      const Position position = initial_position(bundled(game, "sliced"));
      const Choice choice = think(*strategy_of("mcts:playouts=4000,seed=1" + options), position);
      EXPECT_NE(choice.move, gdl::kNoMove) << game << options;
    }
  }
}

TEST(GuidedMcts, SearchesForThreeRolesByProofNumbersOfEach) {
  const Position position = initial_position(bundled("three_player", "sliced"));
  const auto search = [&](const std::string& options) {
    return visits(think(*strategy_of("mcts:playouts=16000,seed=3" + options), position));
  };
  const auto plain = search("");
  EXPECT_EQ(search(",pn=0.1"), plain) << "ranks are for two";
  for (const std::string options : {",pn=0.1,pn_bias=max", ",pn=0.1,pn_bias=sum"}) {
    const auto once = search(options);
    EXPECT_EQ(search(options), once) << options;
    EXPECT_NE(plain, once) << options;
  }
}

}  // namespace
}  // namespace ludens::search::test
