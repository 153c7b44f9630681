// SPDX-License-Identifier: MIT
#include "server/records/ggp_json.h"

#include <boost/json.hpp>

#include "tests/server/golden.h"
#include "tests/server/records/sample_record.h"

namespace ludens::server {
namespace {

MatchRecord parsed_json(const std::string& text) {
  auto result = parse_ggp_json(text);
  EXPECT_TRUE(result.has_value()) << result.error().text;
  return result ? *std::move(result) : MatchRecord{};
}

std::string problem_with(const std::string& text) {
  const auto result = parse_ggp_json(text);
  return result ? "none" : result.error().text;
}

TEST(GgpJson, IsWrittenAsTheGoldenFileHasIt) {
  const std::string text = to_ggp_json(sample_record());
  EXPECT_EQ(text, golden("records/sample.json", text));
}

TEST(GgpJson, ComesBackAsItWas) {
  const MatchRecord record = parsed_json(to_ggp_json(sample_record()));
  EXPECT_EQ(to_ggp_json(record), to_ggp_json(sample_record()));
  EXPECT_EQ(record.rulesheet, sample_record().rulesheet);
  EXPECT_EQ(record.seed, sample_record().seed);
  EXPECT_EQ(record.replacements.size(), 2u);
  EXPECT_EQ(record.values[0].at("white"), 62.5);
  EXPECT_EQ(record.claims[0].at("white"), 50);
  EXPECT_EQ(record.risked[1].at("white"), 50);
}

TEST(GgpJson, KeepsWhatEachRolePerceived) {
  MatchRecord record = sample_record();
  EXPECT_EQ(to_ggp_json(record).find("x-percepts"), std::string::npos) << "nothing is hidden";
  record.percepts = {{{"( saw a )", "dark"}, {}}, {{}, {"( saw \"b\" )"}}};
  const std::string text = to_ggp_json(record);
  EXPECT_NE(text.find(R"j("x-percepts":[[["( saw a )","dark"],[]],[[],["( saw \"b\" )"]]])j"),
            std::string::npos)
      << text;
  EXPECT_EQ(parsed_json(text).percepts, record.percepts);
}

TEST(GgpJson, RefusesPerceptsOfAnotherShape) {
  MatchRecord record = sample_record();
  record.percepts = {{{}, {}}, {{}, {}}};
  const std::string text = to_ggp_json(record);
  const std::string right = R"("x-percepts":[[[],[]],[[],[]]])";
  const auto with = [&](const std::string& percepts) {
    std::string changed = text;
    changed.replace(changed.find(right), right.size(), "\"x-percepts\":" + percepts);
    return problem_with(changed);
  };
  EXPECT_EQ(with("[[[],[]],[[],[]]]"), "none");
  EXPECT_EQ(with("[[[],[]]]"), "'x-percepts' has 1 entry for 2 steps");
  EXPECT_EQ(with("[[[],[]],[[]]]"), "row 1 of 'x-percepts' has 1 entry for 2 roles");
  EXPECT_EQ(with("[[[],[]],7]"), "'x-percepts' holds something else than arrays");
  EXPECT_EQ(with("[[[],[]],[[],7]]"), "'x-percepts' holds something else than arrays");
  EXPECT_EQ(with("[[[],[]],[[],[7]]]"), "'x-percepts' holds something else than strings");
  EXPECT_EQ(with("{}"), "'x-percepts' is not an array");
}

TEST(GgpJson, NamesTheMatchThatItGoesOnFrom) {
  MatchRecord record = sample_record();
  EXPECT_EQ(to_ggp_json(record).find("x-continues"), std::string::npos);
  record.continues = "m.0";
  EXPECT_EQ(parsed_json(to_ggp_json(record)).continues, "m.0");
}

TEST(GgpJson, HasGoalsOnlyWhenCompletedAndNeverNull) {
  MatchRecord record = sample_record();
  record.completed = false;
  record.aborted = true;
  record.end_reason = "interrupted";
  const auto json = boost::json::parse(to_ggp_json(record)).as_object();
  EXPECT_FALSE(json.contains("goalValues"));
  EXPECT_TRUE(json.at("isAborted").as_bool());
  EXPECT_EQ(to_ggp_json(record).find("null"), std::string::npos);
}

TEST(GgpJson, OfAnUnfinishedMatchLosesTheGoalsThatAnotherWrote) {
  auto json = boost::json::parse(to_ggp_json(sample_record())).as_object();
  json["isCompleted"] = false;
  const MatchRecord record = parsed_json(boost::json::serialize(json));
  EXPECT_TRUE(record.goals.empty());
  EXPECT_EQ(to_ggp_json(parsed_json(to_ggp_json(record))), to_ggp_json(record));
}

TEST(GgpJson, HoldsBytesThatAreNoUtf8AsLatin1) {
  MatchRecord record = sample_record();
  record.states[0] = "( \xe9t\xe9 )";
  EXPECT_EQ(parsed_json(to_ggp_json(record)).states[0], "( \xc3\xa9t\xc3\xa9 )");
}

TEST(GgpJson, NamesWithControlCharactersStayOneName) {
  MatchRecord record = sample_record();
  record.states[0] = std::string("( a\x01z \x7f b\fc\vd\te\n") + '\0' + " )";
  record.players[0] = "one\x1fname";
  const MatchRecord read = parsed_json(to_ggp_json(record));
  EXPECT_EQ(read.states[0], "( a\u2401z \u2421 b c d\te\n\u2400 )");
  EXPECT_EQ(read.players[0], "one\u241fname");
  EXPECT_EQ(parsed_json(to_ggp_json(read)).states[0], read.states[0]);
}

TEST(GgpJson, ReadsArchiveEntriesAndRecordsOfOthers) {
  const MatchRecord record = parsed_json(R"json({"url":"http://x/1/","data":{
      "matchId":"m.1","states":["( ( a ) )"],"moves":[],"errors":[["",""]],"stateTimes":[1],
      "isCompleted":false,"matchHostPK":"0abc","matchHostSignature":"1","weather":"fine",
      "playerNamesFromHost":["A","B"]}})json");
  EXPECT_EQ(record.match_id, "m.1");
  EXPECT_EQ(record.players, (std::vector<std::string>{"A", "B"}));
  EXPECT_TRUE(record.rulesheet.empty());
}

TEST(GgpJson, SaysWhatIsWrong) {
  EXPECT_THAT(problem_with("{"), testing::HasSubstr("no JSON"));
  EXPECT_EQ(problem_with("[]"), "no match object");
  EXPECT_EQ(problem_with(R"({"matchId":"m","moves":[]})"), "'states' is missing");
  EXPECT_EQ(problem_with(R"({"matchId":"m","moves":[],"states":[]})"),
            "'states' must be one more than 'moves'");
  EXPECT_EQ(problem_with(R"json({"matchId":"m","moves":[1],"states":["( )","( )"]})json"),
            "'moves' holds something else than arrays");
  EXPECT_EQ(problem_with(R"json({"matchId":"m","moves":[],"states":["( )"],"startClock":"x"})json"),
            "'startClock' is not a number of its range");
}

}  // namespace
}  // namespace ludens::server
