// SPDX-License-Identifier: MIT
#include "server/records/replay.h"

#include <regex>

#include "server/game/rulesheet.h"
#include "server/records/ggp_json.h"

namespace ludens::server {
namespace {

const char* const kRules =
    "(role white) (role black) (init (step 0)) (succ 0 1) (succ 1 2)"
    "(<= (legal ?r (pick a)) (role ?r)) (<= (legal ?r noop) (role ?r))"
    "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
    "(<= (next (chosen ?r ?x)) (does ?r (pick ?x)))"
    "(<= terminal (true (step 2))) (goal white 30) (goal black 70)";

MatchRecord right() {
  MatchRecord record;
  record.match_id = "m.1";
  record.roles = {"white", "black"};
  record.states = {"( ( step 0 ) )", "( ( step 1 ) ( chosen white a ) )", "( ( STEP 2 ) )"};
  record.moves = {{"( pick a )", "noop"}, {"NOOP", "noop"}};
  record.completed = true;
  record.goals = {30, 70};
  return record;
}

ReplayResult replayed(const MatchRecord& record) {
  return replay(record, read_rulesheet("test", kRules).rules);
}

/// The one disagreement, as `step: what`.
std::string disagreement(const MatchRecord& record) {
  const ReplayResult result = replayed(record);
  if (result.disagreements.size() != 1) return std::to_string(result.disagreements.size());
  return std::to_string(result.disagreements[0].step) + ": " + result.disagreements[0].what;
}

TEST(Replay, AgreesWithARightRecordInAnyCase) {
  const ReplayResult result = replayed(right());
  EXPECT_TRUE(result.disagreements.empty());
  EXPECT_EQ(result.steps, 2u);
}

TEST(Replay, AgreesWithConstantsInParentheses) {
  MatchRecord record = right();
  record.states[1] = "( ( step ( 1 ) ) ( chosen ( white ) a ) )";
  record.moves = {{"( pick ( a ) )", "( noop )"}, {"noop", "(NOOP)"}};
  EXPECT_EQ(disagreement(record), "0");
  record.states[1] = "( ( step ( 2 ) ) ( chosen ( white ) a ) )";
  EXPECT_EQ(disagreement(record), "1: ( step 2 ) is recorded, and not derived");
}

TEST(Replay, AgreesWithAMatchThatWasBrokenOff) {
  MatchRecord record = right();
  record.states.pop_back();
  record.moves.pop_back();
  record.completed = false;
  record.aborted = true;
  record.goals.clear();
  EXPECT_EQ(disagreement(record), "0");
}

TEST(Replay, AgreesWithNamesThatHaveControlCharacters) {
  const auto renamed = [](const std::string& text) {
    return std::regex_replace(text, std::regex("white|pick"), "$&\x01$&");
  };
  MatchRecord record = right();
  record.rulesheet = renamed(kRules);
  record.roles[0] = renamed(record.roles[0]);
  record.states[1] = renamed(record.states[1]);
  record.moves[0][0] = renamed(record.moves[0][0]);
  const auto read = parse_ggp_json(to_ggp_json(record));
  ASSERT_TRUE(read.has_value()) << read.error().text;
  const ReplayResult result = replay(*read, read_rulesheet("test", read->rulesheet).rules);
  EXPECT_TRUE(result.disagreements.empty()) << result.disagreements[0].what;
  EXPECT_EQ(result.steps, 2u);
}

TEST(Replay, DoesNotCompareStatesThatAreNotRecorded) {
  MatchRecord record = right();
  record.states[0] = record.states[1] = "";
  EXPECT_EQ(disagreement(record), "0");
}

TEST(Replay, FindsADoctoredState) {
  MatchRecord record = right();
  record.states[1] = "( ( step 1 ) ( chosen black a ) )";
  EXPECT_EQ(disagreement(record), "1: ( chosen black a ) is recorded, and not derived");
  record.states[1] = "( ( step 1 ) )";
  EXPECT_EQ(disagreement(record), "1: ( chosen white a ) is derived, and not recorded");
  record = right();
  record.states[0] = "( ( step 1 ) )";
  EXPECT_EQ(disagreement(record), "0: ( step 1 ) is recorded, and not derived");
}

TEST(Replay, FindsADoctoredMove) {
  MatchRecord record = right();
  record.moves[1][0] = "( pick b )";
  EXPECT_EQ(disagreement(record), "2: ( pick b ) is not legal for white");
  record.moves[1] = {"noop"};
  EXPECT_EQ(disagreement(record), "2: 1 moves for 2 roles");
}

TEST(Replay, FindsADoctoredEnd) {
  MatchRecord record = right();
  record.goals = {100, 0};
  EXPECT_EQ(disagreement(record), "2: the goals are 30 70, recorded are 100 0");
  record = right();
  record.states.pop_back();
  record.moves.pop_back();
  EXPECT_EQ(disagreement(record), "1: recorded as completed, but the last state is not terminal");
  record = right();
  record.states.emplace_back("( )");
  record.moves.push_back({"noop", "noop"});
  EXPECT_EQ(disagreement(record), "3: the match was over before this step");
}

/// Two steps; black perceives what white picks.
MatchRecord hidden() {
  MatchRecord record = right();
  record.percepts = {{{}, {"( white picks a )"}}, {{}, {}}};
  return record;
}

std::string hidden_disagreement(const MatchRecord& record) {
  const std::string rules =
      std::string(kRules) + "(<= (sees black (white picks ?x)) (does white (pick ?x)))";
  const ReplayResult result = replay(record, read_rulesheet("test", rules).rules);
  if (result.disagreements.size() != 1) return std::to_string(result.disagreements.size());
  return std::to_string(result.disagreements[0].step) + ": " + result.disagreements[0].what;
}

TEST(Replay, ChecksWhetherTheMatchWasOver) {
  MatchRecord record = right();
  record.aborted = true;
  EXPECT_EQ(disagreement(record), "2: recorded as aborted, but the last state is terminal");
  record.completed = false;
  EXPECT_EQ(disagreement(record), "2: recorded as aborted, but the last state is terminal");
  record.aborted = false;
  EXPECT_EQ(disagreement(record), "0");
  EXPECT_EQ(replayed(record).missing, std::vector<std::string>{"how the match ended"});
  record.says_open = true;
  EXPECT_EQ(disagreement(record), "2: recorded as not over, but the last state is terminal");
  record.states.pop_back();
  record.moves.pop_back();
  EXPECT_EQ(disagreement(record), "0");
  EXPECT_EQ(replayed(record).missing, std::vector<std::string>{"the end of the match"});
}

TEST(Replay, ComparesTwoRecordsOfAMatch) {
  MatchRecord other = right();
  other.moves[0] = {"(PICK  A)", "NOOP"};
  EXPECT_EQ(first_difference(right(), other), std::nullopt);
  other.moves[1][0] = "(pick a)";
  EXPECT_EQ(first_difference(right(), other)->step, 2u);
  other = right();
  other.goals = {70, 30};
  EXPECT_EQ(first_difference(right(), other)->what, "it has another end");
  other = right();
  other.states.pop_back();
  other.moves.pop_back();
  other.completed = false;
  EXPECT_EQ(first_difference(right(), other)->what, "it has 1 steps and not 2");
  MatchRecord running = right();
  running.completed = false;
  EXPECT_EQ(first_difference(running, other), std::nullopt);
}

TEST(Replay, ComparesWhatEachRolePerceived) {
  EXPECT_EQ(hidden_disagreement(hidden()), "0");
  MatchRecord record = hidden();
  record.percepts[0][1] = {"(WHITE PICKS A)"};
  EXPECT_EQ(hidden_disagreement(record), "0") << "as Dresden writes it";
  record.percepts[0] = {{"( white picks a )"}, {}};
  EXPECT_EQ(hidden_disagreement(record),
            "1: white perceives: ( white picks a ) is recorded, and not derived");
  record.percepts[0] = {{}, {}};
  EXPECT_EQ(hidden_disagreement(record),
            "1: black perceives: ( white picks a ) is derived, and not recorded");
  record = hidden();
  record.percepts[1][1] = {"( white picks b )"};
  EXPECT_EQ(hidden_disagreement(record),
            "2: black perceives: ( white picks b ) is recorded, and not derived");
  record.percepts.clear();
  EXPECT_EQ(hidden_disagreement(record), "0") << "a record that has none";
}

TEST(Replay, FindsPerceptsWhereTheRulesHaveNone) {
  EXPECT_EQ(disagreement(hidden()),
            "1: black perceives: ( white picks a ) is recorded, and not derived");
}

TEST(Replay, ArrangesPerceptsWithTheRoles) {
  MatchRecord record = hidden();
  record.roles = {"black", "white"};
  for (auto& moves : record.moves) std::swap(moves[0], moves[1]);
  for (auto& percepts : record.percepts) std::swap(percepts[0], percepts[1]);
  record.goals = {70, 30};
  record.roles_by_name = true;
  EXPECT_EQ(hidden_disagreement(record), "0");
}

TEST(Replay, FindsOtherRoles) {
  MatchRecord record = right();
  record.roles = {"black", "white"};
  EXPECT_EQ(disagreement(record), "0: the roles are white black, recorded are black white");
}

TEST(Replay, ArrangesRolesThatAreKnownByNameAlone) {
  MatchRecord record = right();
  record.roles = {"Black", "white"};
  for (auto& moves : record.moves) std::swap(moves[0], moves[1]);
  record.goals = {70, 30};
  EXPECT_EQ(disagreement(record), "0: the roles are white black, recorded are Black white");
  record.roles_by_name = true;
  EXPECT_EQ(disagreement(record), "0");
  record.goals = {30, 70};
  EXPECT_EQ(disagreement(record), "2: the goals are 30 70, recorded are 70 30");
  record.roles[0] = "red";
  EXPECT_EQ(disagreement(record), "0: the roles are white black, recorded are red white");
}

}  // namespace
}  // namespace ludens::server
