// SPDX-License-Identifier: MIT
#include "server/tournament/result.h"

#include <gtest/gtest.h>

#include "tests/server/tournament/sample_plan.h"

namespace ludens::server {
namespace {

TEST(MatchResult, IsTheSameAfterWritingAndReading) {
  MatchResult result = sample_result(3, 1);
  const std::string line = to_json(result);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto read = parse_result(line);
  ASSERT_TRUE(read.has_value()) << read.error().text;
  const auto& back = *read;
  EXPECT_EQ(to_json(back), line);
  EXPECT_EQ(back.block, result.block);
  EXPECT_EQ(back.players, result.players);
  EXPECT_EQ(back.faults[1].late, 2u);
  EXPECT_EQ(back.faults[0].total(), 0u);
  EXPECT_EQ(back.moves_hash, result.moves_hash);
  EXPECT_EQ(back.think_ms, result.think_ms);
}

TEST(MatchResult, OfAnAbortedMatchSaysWhyAndWhoFailed) {
  MatchResult result = sample_result();
  result.end = MatchEnd::Aborted;
  result.reason = "role white failed 3 times in a row";
  result.culprits = {"a"};
  result.goals.clear();
  const auto back = parse_result(to_json(result)).value();
  EXPECT_FALSE(back.completed());
  EXPECT_EQ(back.reason, result.reason);
  EXPECT_EQ(back.culprits, result.culprits);
}

TEST(MatchResult, KeepsTheRangeOfGoals) {
  MatchResult result = sample_result();
  result.goals = {400, -20};
  EXPECT_FALSE(parse_result(to_json(result)).has_value());
  result.least_goal = -20;
  result.greatest_goal = 400;
  const auto back = parse_result(to_json(result)).value();
  EXPECT_EQ(back.goals, result.goals);
  EXPECT_EQ(back.least_goal, -20);
  EXPECT_EQ(back.greatest_goal, 400);
  EXPECT_EQ(to_json(sample_result()).find("goal-range"), std::string::npos);
}

TEST(MatchResult, KeepsNamesThatAreNoUtf8) {
  MatchResult result = sample_result();
  result.players[0] = "caf\xe9";
  EXPECT_EQ(parse_result(to_json(result)).value().players[0], "caf\xc3\xa9");
}

TEST(MatchResult, ThatIsDamagedIsAnErrorWithASentence) {
  const std::string line = to_json(sample_result());
  const auto what = [&](const std::string& from, const std::string& to) {
    std::string damaged = line;
    damaged.replace(damaged.find(from), from.size(), to);
    return parse_result(damaged).error().text;
  };
  EXPECT_EQ(what(R"("goals":[100,0])", R"("goals":[100])"), "'goals' must be one for each role");
  EXPECT_EQ(what(R"("end":"completed")", R"("end":"lost")"),
            "'end' is neither completed nor aborted nor forfeited");
  EXPECT_EQ(what(R"("rotation":0)", R"("rotation":2)"),
            "'rotation' must be below the size of the block");
  EXPECT_EQ(what(R"("goals":[100,0])", R"("goals":[2000000000,0])"),
            "'goals' holds something else than 0 to 100");
  EXPECT_THAT(what(R"("duration_ms":1.25E1)", R"("duration_ms":1e9999)"),
              testing::StartsWith("no JSON: a number too large to be kept at column "));
  EXPECT_EQ(what(R"("players")", R"("playerz")"), "'players' is missing");
  EXPECT_THAT(parse_result(line.substr(0, line.size() / 2)).error().text,
              testing::StartsWith("no JSON"));
}

TEST(FaultCounts, AddUpKindByKind) {
  FaultCounts sum, one;
  std::size_t expected = 0, next = 1;
  for (const FaultKind& kind : fault_kinds()) {
    one.*kind.count = next;
    expected += next++;
  }
  sum += one;
  EXPECT_EQ(sum, one);
  EXPECT_EQ(sum.total(), expected);
}

}  // namespace
}  // namespace ludens::server
