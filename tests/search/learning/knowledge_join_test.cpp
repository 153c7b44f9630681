// SPDX-License-Identifier: MIT
#include "search/learning/knowledge_join.h"

#include <gmock/gmock.h>

#include "search/learning/learner.h"
#include "tests/search/games/bundled.h"

namespace ludens::search::test {
namespace {

using testing::HasSubstr;

std::shared_ptr<const gdl::Machine> game() {
  static const auto machine = bundled("breakthrough_small", "sliced");
  return machine;
}

Knowledge untrained() {
  LearningOptions options;
  options.tuples = 16;
  return Learner::make(game(), options, nullptr, Deadline()).value()->knowledge();
}

/// What is known after some games more. `most_tuples`: are added, as soon as there can be more.
Knowledge learned_from(const Knowledge& base, std::uint64_t seed, std::size_t most_tuples = 16) {
  LearningOptions options;
  options.seed = seed;
  options.most_tuples = most_tuples;
  options.plies_per_weight = 0;
  const auto learner = Learner::resume(game(), base, options, nullptr).value();
  EXPECT_EQ(learner->learn(Deadline(), {.games = 200}), gdl::Status::Ok);
  return learner->knowledge();
}

Knowledge joined(const Knowledge& base, const std::vector<Knowledge>& parts) {
  KnowledgeJoin join(base);
  for (const Knowledge& part : parts) EXPECT_EQ(join.add(part), std::nullopt);
  return join.joined();
}

std::string bytes_of(const Knowledge& knowledge) {
  const gdl::Vocabulary& vocabulary = *game()->vocabulary();
  return write_knowledge(knowledge, vocabulary, *gdl::canonical_names(vocabulary.rules()));
}

/// The weight that has these in the base and in the parts.
TrainedWeight joined_weight(const TrainedWeight& base, const std::vector<TrainedWeight>& parts) {
  static const Knowledge none = untrained();
  const auto with = [](const TrainedWeight& weight) {
    Knowledge knowledge = none;
    knowledge.weights[5] = weight;
    return knowledge;
  };
  std::vector<Knowledge> all;
  for (const TrainedWeight& part : parts) all.push_back(with(part));
  return joined(with(base), all).weights[5];
}

void expect_weight(const TrainedWeight& weight, float value, float error_sum, float error_size) {
  EXPECT_FLOAT_EQ(weight.value, value);
  EXPECT_FLOAT_EQ(weight.error_sum, error_sum);
  EXPECT_FLOAT_EQ(weight.error_size, error_size);
}

TEST(KnowledgeJoin, AveragesMovesThatErrorsPushedBackAndForth) {
  expect_weight(joined_weight({1, 1, 4}, {{2, 2, 7}, {-1, 0, 5}}), 1 + (3 * 1 + 1 * -2) / 4.0F, 1,
                8);
}

TEST(KnowledgeJoin, AddsMovesThatErrorsPushedInOneDirection) {
  expect_weight(joined_weight({1, 1, 1}, {{3, 3, 3}, {3, 3, 3}, {3, 3, 3}}), 7, 7, 7);
  expect_weight(joined_weight({1, -1, 1}, {{0, -3, 3}, {0, -3, 3}}), -1, -5, 5);
}

TEST(KnowledgeJoin, AddsThemInPartThatErrorsPushedMoreInOneDirection) {
  expect_weight(joined_weight({0, 0, 0}, {{1, 1, 2}, {1, 1, 2}}), 1.5F, 2, 4);
}

TEST(KnowledgeJoin, KeepsWhatOnePartAloneHasSeen) {
  expect_weight(joined_weight({1, 1, 2}, {{1, 1, 2}, {2, 2, 3}, {1, 1, 2}}), 2, 2, 3);
}

TEST(KnowledgeJoin, KeepsMovesByErrorsTooSmallToBeAddedUp) {
  expect_weight(joined_weight({1, 8, 9}, {{1, 8, 9}, {1.5F, 8, 9}}), 1.5F, 8, 9);
}

/// A sum of a thousand million is not changed by an error of one tenth.
TEST(KnowledgeJoin, KeepsSumsOfErrorsSmallAndRatesAsTheyAre) {
  const TrainedWeight weight = joined_weight({1, 3e8F, 1e9F}, {{1, 3e8F, 1e9F}, {2, 6e8F, 2e9F}});
  EXPECT_FLOAT_EQ(weight.error_sum / weight.error_size, 0.3F);
  EXPECT_GT(weight.error_size + 0.1F, weight.error_size);
}

TEST(KnowledgeJoin, OfOnePartIsThisPart) {
  const Knowledge base = learned_from(untrained(), 1);
  const Knowledge part = learned_from(base, 2);
  EXPECT_EQ(bytes_of(joined(base, {part})), bytes_of(part));
  EXPECT_EQ(bytes_of(joined(base, {base, part, base})), bytes_of(part));
}

TEST(KnowledgeJoin, IsTheSameInAnyOrder) {
  const Knowledge base = learned_from(untrained(), 1);
  const Knowledge a = learned_from(base, 2), b = learned_from(base, 3), c = learned_from(base, 4);
  const Knowledge one = joined(base, {a, b, c}), other = joined(base, {c, a, b});
  EXPECT_EQ(bytes_of(one), bytes_of(joined(base, {a, b, c})));
  ASSERT_EQ(one.weights.size(), other.weights.size());
  for (std::size_t i = 0; i < one.weights.size(); ++i) {
    ASSERT_FLOAT_EQ(one.weights[i].value, other.weights[i].value);
    ASSERT_FLOAT_EQ(one.weights[i].error_size, other.weights[i].error_size);
  }
}

TEST(KnowledgeJoin, CountsTheGamesOfAllAndTheSecondsOfTheLongest) {
  Knowledge base = untrained(), a = base, b = base;
  base.statistics = {10, 1, 100, 500, 5, 3};
  a.statistics = {30, 1, 300, 800, 15, 4};
  b.statistics = {15, 2, 150, 600, 13, 9};
  const LearningStatistics done = joined(base, {a, b}).statistics;
  EXPECT_EQ(done.games, 35U);
  EXPECT_EQ(done.cut, 2U);
  EXPECT_EQ(done.plies, 350U);
  EXPECT_EQ(done.evaluated, 900U);
  EXPECT_EQ(done.seconds, 15);
  EXPECT_EQ(done.expanding, 10);
}

TEST(KnowledgeJoin, TakesPartsThatHaveAddedTuples) {
  const Knowledge base = learned_from(untrained(), 1);
  const Knowledge few = learned_from(base, 2), more = learned_from(base, 3, 32),
                  most = learned_from(base, 4, 64);
  ASSERT_LT(few.form.tuples.size(), more.form.tuples.size());
  ASSERT_LT(more.form.tuples.size(), most.form.tuples.size());
  const Knowledge all = joined(base, {more, few, most});
  EXPECT_EQ(all.form.tuples, most.form.tuples);
  EXPECT_EQ(bytes_of(joined(base, {most})), bytes_of(most));
  EXPECT_EQ(bytes_of(joined(base, {base, most})), bytes_of(most));
  // What only the longest one has is as there.
  const TableLayout layout(most.form);
  for (std::size_t i = layout.begin(more.form.tuples.size());
       i < layout.begin(most.form.tuples.size()); ++i) {
    ASSERT_EQ(all.weights[i].value, most.weights[i].value);
  }
  const auto learner = Learner::resume(game(), all, {}, nullptr).value();
  EXPECT_EQ(learner->learn(Deadline(), {.games = 50}), gdl::Status::Ok);
}

TEST(KnowledgeJoin, RefusesWhatDoesNotComeFromTheBase) {
  const Knowledge base = learned_from(untrained(), 1), part = learned_from(base, 2);
  KnowledgeJoin join(part);
  EXPECT_THAT(join.add(base).value_or(""), HasSubstr("less often than in the base"));
  Knowledge other = part;
  other.form.tuples[0].pop_back();
  EXPECT_THAT(join.add(other).value_or(""), HasSubstr("variables, symmetries or tuples"));
  other = part;
  other.form.symmetries.clear();
  EXPECT_THAT(join.add(other).value_or(""), HasSubstr("variables, symmetries or tuples"));
  other = part;
  other.shape.exchanges_roles = !other.shape.exchanges_roles;
  EXPECT_THAT(join.add(other).value_or(""), HasSubstr("variables, symmetries or tuples"));
  for (TrainedWeight& weight : other.weights) weight.error_size /= 2;
  other.shape = part.shape;
  EXPECT_THAT(join.add(other).value_or(""), HasSubstr("less often than in the base"));
  EXPECT_EQ(bytes_of(join.joined()), bytes_of(part));
}

}  // namespace
}  // namespace ludens::search::test
