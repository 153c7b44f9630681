// SPDX-License-Identifier: MIT
#include "gdl/ground/join.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/gdl/ground/flat_rules.h"

namespace ludens::gdl {
namespace {

using tests::differ;
using tests::Meter;
using tests::negative;
using tests::positive;
using tests::Row;
using tests::symbol;
using tests::var;

/// Values of all variables, for each match.
class Matches final : public Join::Sink {
 public:
  explicit Matches(std::uint32_t variables) : variables_(variables) {}
  void match(const std::uint32_t* values, const RowId* rows) override {
    found.emplace_back(values, values + variables_);
    if (rows != nullptr) first_rows.push_back(rows[0]);  // a body of nothing has none
  }
  bool wanted(const std::uint32_t* values) override {
    ++asked;
    return unwanted.empty() || std::ranges::find(unwanted, values[0]) == unwanted.end();
  }
  std::vector<Row> found;
  std::vector<RowId> first_rows;
  Row unwanted;
  int asked = 0;

 private:
  std::uint32_t variables_;
};

/// Relation 0 has two columns, 1 and 2 one each.
class JoinOfABody : public testing::Test {
 protected:
  void SetUp() override {
    for (const std::uint32_t columns : {2, 1, 1}) relations_.emplace_back(columns);
    tests::fill(relations_[0], {{1, 2}, {2, 3}, {3, 1}, {3, 4}, {4, 4}});
    tests::fill(relations_[1], {{1}, {3}, {4}});
  }

  /// All bindings, sorted.
  std::vector<Row> matches(const FlatRule& rule, Join::Options options) {
    options.ignored.resize(rule.body.size(), false);
    if (options.ranges.empty()) {
      for (const FlatLiteral& l : rule.body) {
        options.ranges.push_back({0, relations_[l.relation].size()});
      }
    }
    Join join(rule, relations_, std::move(options), meter_);
    Matches sink(rule.variables);
    join.run(sink);
    std::ranges::sort(sink.found);
    return sink.found;
  }
  /// With all variables needed.
  std::vector<Row> all(const FlatRule& rule) {
    Join::Options options;
    options.needed.assign(rule.variables, true);
    return matches(rule, std::move(options));
  }

  std::deque<Tuples> relations_;
  Meter meter_;
};

TEST_F(JoinOfABody, FindsEachBinding) {
  const FlatRule path =
      tests::rule(2, {var(0)}, {positive(0, {var(0), var(1)}), positive(0, {var(1), var(2)})});
  EXPECT_EQ(all(path),
            (std::vector<Row>{{1, 2, 3}, {2, 3, 1}, {2, 3, 4}, {3, 1, 2}, {3, 4, 4}, {4, 4, 4}}));
}

TEST_F(JoinOfABody, TakesAVariableThatStandsTwiceInALiteralForOne) {
  EXPECT_EQ(all(tests::rule(2, {var(0)}, {positive(0, {var(0), var(0)})})),
            (std::vector<Row>{{4}}));
}

TEST_F(JoinOfABody, ComparesConstantsAndTellsDifferentFromEqual) {
  EXPECT_EQ(all(tests::rule(2, {var(0)}, {positive(0, {symbol(3), var(0)})})),
            (std::vector<Row>{{1}, {4}}));
  EXPECT_EQ(all(tests::rule(2, {var(0)}, {differ(var(0), symbol(1)), positive(1, {var(0)})})),
            (std::vector<Row>{{3}, {4}}));
  EXPECT_EQ(all(tests::rule(
                2, {var(0)},
                {positive(0, {var(0), var(1)}), differ(var(0), var(1)), negative(1, {var(1)})})),
            (std::vector<Row>{{1, 2}}));
}

TEST_F(JoinOfABody, OfNothingMatchesOnce) {
  EXPECT_EQ(all(tests::rule(2, {symbol(1)}, {})), std::vector<Row>{Row{}});
}

TEST_F(JoinOfABody, LooksAtTheRowsOfARangeOnly) {
  const FlatRule edge = tests::rule(2, {var(0)}, {positive(0, {var(0), var(1)})});
  Join::Options options;
  options.needed.assign(2, true);
  options.ranges = {{1, 3}};
  EXPECT_EQ(matches(edge, options), (std::vector<Row>{{2, 3}, {3, 1}}));
  const FlatRule looked_up =
      tests::rule(2, {var(0)}, {positive(1, {var(0)}), positive(0, {var(0), var(1)})});
  options.ranges = {{0, 3}, {2, 4}};
  EXPECT_EQ(matches(looked_up, options), (std::vector<Row>{{3, 1}, {3, 4}})) << "by an index";
  const FlatRule tested =
      tests::rule(2, {var(0)}, {positive(0, {var(0), var(1)}), positive(1, {var(1)})});
  options.ranges = {{0, 5}, {0, 1}};
  EXPECT_EQ(matches(tested, options), (std::vector<Row>{{3, 1}})) << "by a test";
}

TEST_F(JoinOfABody, IgnoresALiteralThatCannotBeJudgedYet) {
  const FlatRule rule = tests::rule(2, {var(0)}, {positive(1, {var(0)}), negative(1, {var(0)})});
  EXPECT_TRUE(all(rule).empty());
  Join::Options options;
  options.needed.assign(1, true);
  options.ignored = {false, true};
  EXPECT_EQ(matches(rule, options).size(), 3U);
}

TEST_F(JoinOfABody, TakesValuesThatAreGivenBeforeARun) {
  const FlatRule rule = tests::rule(2, {var(0)}, {positive(0, {var(0), var(1)})});
  Join::Options options;
  options.needed.assign(2, true);
  options.ignored.assign(1, false);
  options.ranges = {{0, 5}};
  options.given = {true, false};
  Join join(rule, relations_, options, meter_);
  for (const auto& [given, expected] :
       {std::pair(3U, std::vector<Row>{{3, 4}, {3, 1}}), std::pair(1U, std::vector<Row>{{1, 2}}),
        std::pair(9U, std::vector<Row>{})}) {
    Matches sink(2);
    join.give(0, given);
    join.run(sink);
    EXPECT_EQ(sink.found, expected) << given << ": newest first";
  }
}

/// An index has 64 columns at most; the last column is bound by the row.
TEST_F(JoinOfABody, LooksUpRowsOfMoreColumnsThanAnIndexHas) {
  constexpr std::uint32_t kWide = 65;
  std::vector<Row> wide;
  for (const std::uint32_t key : {1, 3, 4}) {
    wide.emplace_back(kWide, 7);
    wide.back().front() = key;
    wide.back().back() = key + 10;
  }
  relations_.emplace_back(kWide);
  tests::fill(relations_[3], wide);
  std::vector<FlatTerm> columns(kWide, symbol(7));
  columns.front() = var(0);
  columns.back() = var(1);
  Join::Options options;
  options.needed.assign(2, true);
  options.first = 0;
  EXPECT_EQ(
      matches(tests::rule(2, {var(1)}, {positive(1, {var(0)}), positive(3, columns)}), options),
      (std::vector<Row>{{1, 11}, {3, 13}, {4, 14}}));
}

TEST_F(JoinOfABody, SaysWhichRowsMatched) {
  const FlatRule rule = tests::rule(2, {var(0)}, {positive(0, {symbol(3), var(0)})});
  Join::Options options;
  options.needed = {true};
  options.ignored = {false};
  options.ranges = {{0, 5}};
  Matches sink(1);
  Join(rule, relations_, options, meter_).run(sink);
  EXPECT_EQ(sink.first_rows, (std::vector<RowId>{3, 2}));
}

TEST_F(JoinOfABody, FindsOneMatchForTheVariablesThatAreNeeded) {
  const FlatRule rule = tests::rule(
      2, {var(0)},
      {positive(1, {var(0)}), positive(0, {var(0), var(1)}), positive(0, {var(1), var(2)})});
  Join::Options options;
  options.needed = {true, false, false};
  const auto found = matches(rule, options);
  ASSERT_EQ(found.size(), 3U) << "1, 3 and 4, each once, though 3 goes on to two";
  EXPECT_EQ(found[0][0], 1U);
  EXPECT_EQ(found[1][0], 3U);
  EXPECT_EQ(found[2][0], 4U);
}

TEST_F(JoinOfABody, SkipsBindingsThatAreNotWanted) {
  const FlatRule rule = tests::rule(2, {var(0)}, {positive(0, {var(0), var(1)})});
  Join::Options options;
  options.needed = {true, true};
  options.ignored = {false};
  options.ranges = {{0, 5}};
  Matches sink(2);
  sink.unwanted = {3};
  Join(rule, relations_, options, meter_).run(sink);
  EXPECT_EQ(sink.found, (std::vector<Row>{{1, 2}, {2, 3}, {4, 4}}));
  EXPECT_EQ(sink.asked, 5);
}

TEST_F(JoinOfABody, SeesRowsThatWereAddedBetweenRuns) {
  const FlatRule rule = tests::rule(2, {var(1)}, {positive(0, {var(0), var(1)})});
  Join::Options options;
  options.needed = {false, true};
  options.ignored = {false};
  options.given = {true, false};
  options.ranges = {{0, 100}};
  Join join(rule, relations_, options, meter_);
  join.give(0, 9);
  Matches before(2), after(2);
  join.run(before);
  tests::fill(relations_[0], {{9, 1}});
  join.run(after);
  EXPECT_TRUE(before.found.empty());
  EXPECT_EQ(after.found, (std::vector<Row>{{9, 1}}));
}

TEST_F(JoinOfABody, EndsEarlyOnceTheMeterIsOver) {
  for (std::uint32_t i = 0; i < 300; ++i) {
    const std::uint32_t row[] = {i + 10};
    relations_[2].insert(row);
  }
  const FlatRule product = tests::rule(
      1, {var(0)}, {positive(2, {var(0)}), positive(2, {var(1)}), differ(var(0), var(1))});
  const auto count = [&](Meter meter) {
    Join::Options options;
    options.needed = {true, true};
    options.ignored.assign(3, false);
    options.ranges = {{0, 300}, {0, 300}, {}};
    Matches sink(2);
    Join(product, relations_, options, meter).run(sink);
    return sink.found.size();
  };
  EXPECT_EQ(count(Meter()), 300U * 299);
  const std::size_t cut = count(Meter(2));
  EXPECT_GT(cut, 0U);
  EXPECT_LT(cut, 3 * WorkMeter::kWorkBetween);
}

TEST(WorkMeter, IsAskedOnceInAWhileAndStaysOver) {
  Meter meter(1);
  for (std::uint64_t i = 0; i + 1 < WorkMeter::kWorkBetween; ++i) ASSERT_FALSE(meter.spend());
  EXPECT_FALSE(meter.spend()) << "asked for the first time";
  EXPECT_FALSE(meter.over());
  EXPECT_TRUE(meter.spend(WorkMeter::kWorkBetween));
  EXPECT_TRUE(meter.over());
  meter.spend(WorkMeter::kWorkBetween);
  EXPECT_TRUE(meter.over());
}

}  // namespace
}  // namespace ludens::gdl
