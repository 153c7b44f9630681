// SPDX-License-Identifier: MIT
#include "server/records/record_shape.h"

#include "tests/server/records/sample_record.h"

namespace ludens::server {
namespace {

/// The problem of the sample after a change.
std::string problem_after(const std::function<void(MatchRecord&)>& change) {
  MatchRecord record = sample_record();
  change(record);
  return shape_problem(record);
}

TEST(RecordShape, OfAWholeRecordIsRight) {
  EXPECT_EQ(shape_problem(sample_record()), "");
}

TEST(RecordShape, MayLackWhatOthersLeaveOut) {
  EXPECT_EQ(problem_after([](MatchRecord& r) {
              r.roles.clear();
              r.human.clear();
              r.state_times_ms.clear();
              r.errors.clear();
              r.latencies_ms.clear();
              r.values.clear();
              r.claims.clear();
            }),
            "");
}

TEST(RecordShape, IsWrongWhereListsDiffer) {
  using R = MatchRecord;
  EXPECT_EQ(problem_after([](R& r) { r.states.pop_back(); }),
            "'states' must be one more than 'moves'");
  EXPECT_EQ(problem_after([](R& r) { r.errors[1] = {""}; }),
            "row 1 of 'errors' has 1 entry for 2 roles");
  EXPECT_EQ(problem_after([](R& r) { r.errors[2].clear(); }),
            "row 2 of 'errors' has 0 entries for 2 roles");
  EXPECT_EQ(problem_after([](R& r) { r.errors.pop_back(); }),
            "'errors' has 2 entries for 3 states");
  EXPECT_EQ(problem_after([](R& r) { r.players.push_back("c"); }),
            "'playerNamesFromHost' has 3 entries for 2 roles");
  EXPECT_EQ(problem_after([](R& r) { r.goals.pop_back(); }),
            "'goalValues' has 1 entry for 2 roles");
  EXPECT_EQ(problem_after([](R& r) { r.state_times_ms.pop_back(); }),
            "'stateTimes' has 2 entries for 3 states");
  EXPECT_EQ(problem_after([](R& r) { r.latencies_ms[0].pop_back(); }),
            "row 0 of 'x-latenciesMs' has 1 entry for 2 roles");
  EXPECT_EQ(problem_after([](R& r) { r.percepts.resize(1); }),
            "'x-percepts' has 1 entry for 2 steps");
  EXPECT_EQ(problem_after([](R& r) {
              r.percepts = {{{"a"}, {}}, {{}}};
            }),
            "row 1 of 'x-percepts' has 1 entry for 2 roles");
  EXPECT_EQ(problem_after([](R& r) { r.percepts = {{{"a", "b"}, {}}, {{}, {}}}; }), "");
  EXPECT_EQ(problem_after([](R& r) { r.claims.emplace_back(); }),
            "'x-claims' has 3 entries for 2 steps");
  EXPECT_EQ(problem_after([](R& r) { r.claims[1]["red"] = 1; }),
            "row 1 of 'x-claims' names 'red', which is no role");
  EXPECT_EQ(problem_after([](R& r) { r.risked[0]["red"] = 1; }),
            "row 0 of 'x-risked' names 'red', which is no role");
  EXPECT_EQ(problem_after([](R& r) { r.replacements[0].step = 3; }),
            "'x-replacedMoves' names step 3 of 2");
  EXPECT_EQ(problem_after([](R& r) { r.roles[1] = "white"; }), "role 'white' stands twice");
}

TEST(RecordShape, GoesByWhateverTellsHowManyRolesThereAre) {
  MatchRecord record = sample_record();
  record.roles.clear();
  record.players.clear();
  record.human.clear();
  record.values.clear();
  record.claims.clear();
  record.risked.clear();
  record.errors[0] = {"", "", ""};
  EXPECT_EQ(shape_problem(record), "row 0 of 'errors' has 3 entries for 2 roles");
  record.goals.clear();
  EXPECT_EQ(shape_problem(record), "row 0 of 'errors' has 3 entries for 2 roles");
}

}  // namespace
}  // namespace ludens::server
