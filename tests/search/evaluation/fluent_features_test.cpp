// SPDX-License-Identifier: MIT
#include "search/evaluation/fluent_features.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/search/games/rulesheets.h"

namespace ludens::search {
namespace {

/// A vocabulary that knows these fluents, in this order.
std::shared_ptr<gdl::Vocabulary> vocabulary_of(const std::vector<std::string>& fluents) {
  std::string sheet = "(role alone) (<= terminal (not (true nothing)))";
  for (const std::string& fluent : fluents) sheet += "(init " + fluent + ")";
  const auto machine = interpret(sheet);
  const auto context = machine->make_context();
  gdl::State state;
  EXPECT_EQ(machine->initial(*context, state), gdl::Status::Ok);
  return machine->vocabulary();
}

std::size_t shared(const FluentFeatures& features, gdl::FluentId a, gdl::FluentId b) {
  return static_cast<std::size_t>(std::ranges::count_if(features.of(a), [&](std::uint32_t f) {
    return std::ranges::find(features.of(b), f) != features.of(b).end();
  }));
}

gdl::FluentId id(const gdl::Vocabulary& vocabulary, const std::string& name) {
  return vocabulary.find_fluent(name).value();
}

TEST(FluentFeatures, CountFluentsThatAgreeInNameAndInOneArgumentOrTwo) {
  const auto names = vocabulary_of({"(cell 1 1 pawn)", "(cell 1 2 pawn)", "(cell 2 2 pawn)",
                                    "(cell 2 2 king)", "(step 1)", "(step 2)", "(on)"});
  const FluentFeatures features(*names);
  const auto between = [&](const char* a, const char* b) {
    return shared(features, id(*names, a), id(*names, b));
  };
  // The name; the name and column; the piece; the piece in the column.
  EXPECT_EQ(between("( cell 1 1 pawn )", "( cell 1 2 pawn )"), 4U);
  EXPECT_EQ(between("( cell 1 1 pawn )", "( cell 2 2 pawn )"), 2U);
  EXPECT_EQ(between("( cell 1 1 pawn )", "( cell 2 2 king )"), 1U);
  EXPECT_EQ(between("( cell 2 2 pawn )", "( cell 2 2 king )"), 4U);
  EXPECT_EQ(between("( step 1 )", "( step 2 )"), 1U);
  EXPECT_EQ(between("( step 1 )", "( cell 1 1 pawn )"), 0U);
}

TEST(FluentFeatures, LeaveOutGroupsOfOne) {
  const auto names = vocabulary_of({"(light on)", "(door 1 open)"});
  const FluentFeatures features(*names);
  EXPECT_EQ(features.size(), features.fluent_count());
}

TEST(FluentFeatures, LookAtArgumentsThatAreTermsAsAWhole) {
  const auto names =
      vocabulary_of({"(at (place 1 1) red)", "(at (place 1 2) red)", "(at (place 1 2) blue)"});
  const FluentFeatures features(*names);
  EXPECT_EQ(shared(features, 0, 1), 2U);  // the name, and red
  EXPECT_EQ(shared(features, 1, 2), 2U);  // the name, and the place
  EXPECT_EQ(shared(features, 0, 2), 1U);
}

TEST(FluentFeatures, FoldAndGatherAreTransposes) {
  const auto names = vocabulary_of({"(cell 1 1 pawn)", "(cell 1 2 pawn)", "(cell 2 2 king)"});
  const FluentFeatures features(*names);
  std::vector<double> weights(features.size()), fluents(features.fluent_count());
  std::vector<double> folded(fluents.size()), gathered(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<double>(i * i % 7);
  for (std::size_t i = 0; i < fluents.size(); ++i) fluents[i] = static_cast<double>(i + 1);
  features.fold(weights, folded);
  features.gather(fluents, gathered);
  double one = 0, other = 0;
  for (std::size_t i = 0; i < fluents.size(); ++i) one += folded[i] * fluents[i];
  for (std::size_t i = 0; i < weights.size(); ++i) other += gathered[i] * weights[i];
  EXPECT_DOUBLE_EQ(one, other);
}

}  // namespace
}  // namespace ludens::search
