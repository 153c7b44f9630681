// SPDX-License-Identifier: MIT
#include "server/records/claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ludens::server {
namespace {

/// Two steps; white was sure of 60 from the second on.
MatchRecord claiming(int white_goal) {
  MatchRecord record;
  record.roles = {"white", "black"};
  record.errors = {{"", ""}, {"", ""}, {"", ""}};
  record.claims = {{}, {{"white", 60}}};
  record.completed = true;
  record.goals = {white_goal, 100 - white_goal};
  return record;
}

TEST(Claims, AreBrokenByLess) {
  EXPECT_TRUE(broken_claims(claiming(60)).empty());
  EXPECT_TRUE(broken_claims(claiming(100)).empty());
  const auto broken = broken_claims(claiming(59));
  ASSERT_EQ(broken.size(), 1u);
  EXPECT_EQ(broken[0].step, 1u);
  EXPECT_EQ(broken[0].what, "white was sure of 60 and got 59");
}

TEST(Claims, BindOnlyWhoMakesItsOwnMoves) {
  MatchRecord record = claiming(0);
  record.errors[2][0] = "TO";
  EXPECT_TRUE(broken_claims(record).empty());
  record.errors[2] = {"", "TO"};
  EXPECT_EQ(broken_claims(record).size(), 1u);
  record.errors[1] = {"TO", ""};  // before the claim
  EXPECT_EQ(broken_claims(record).size(), 1u);
}

TEST(Claims, EndWhereTheyAreRisked) {
  MatchRecord record = claiming(59);
  record.claims = {{{"white", 60}}, {{"white", 50}}};
  record.risked = {{}, {{"white", 60}}};
  EXPECT_TRUE(broken_claims(record).empty());
  record.risked[1]["white"] = 55;  // what it had claimed was lost before
  EXPECT_EQ(broken_claims(record).size(), 1u);
  record.risked = {{{"white", 60}}, {{"black", 60}}};  // not after the claim; another role
  EXPECT_EQ(broken_claims(record).size(), 1u);
}

TEST(Claims, AreTakenAsTheyAreWhereErrorsLackRolesOrRolesAreUnknown) {
  MatchRecord record = claiming(59);
  record.errors = {{}, {}, {}};
  EXPECT_EQ(broken_claims(record).size(), 1u);
  record.errors.clear();
  EXPECT_EQ(broken_claims(record).size(), 1u);
  record.claims[0]["nobody"] = 100;
  EXPECT_EQ(broken_claims(record).size(), 1u);
  record.roles.clear();
  EXPECT_TRUE(broken_claims(record).empty());
}

TEST(Claims, CountWhereTheMatchWasPlayedToTheEndWithoutChance) {
  MatchRecord record = claiming(0);
  record.completed = false;
  EXPECT_TRUE(broken_claims(record).empty());
  record.completed = true;
  record.roles[1] = "random";
  EXPECT_TRUE(broken_claims(record).empty());
}

}  // namespace
}  // namespace ludens::server
