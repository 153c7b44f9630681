// SPDX-License-Identifier: MIT
#include "server/records/dresden_xml.h"

#include "tests/server/golden.h"
#include "tests/server/records/parsed_xml.h"
#include "tests/server/records/sample_record.h"

namespace ludens::server {
namespace {

/// What is said of the sample's last document with `before` replaced.
std::string problem_with(const std::string& before, const std::string& after) {
  std::string text = to_dresden_xml(sample_record(), 2);
  const auto at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  text.replace(at, before.size(), after);
  const auto result = parse_xml_record(text);
  return result ? "none" : result.error().text;
}

TEST(DresdenXml, IsWrittenAsTheGoldenFilesHaveIt) {
  for (std::size_t state = 0; state < 3; ++state) {
    const std::string text = to_dresden_xml(sample_record(), state);
    EXPECT_EQ(text, golden("records/sample_" + std::to_string(state + 1) + ".xml", text));
  }
}

TEST(DresdenXml, ComesBackButForCase) {
  const MatchRecord record = parsed(to_dresden_xml(sample_record(), 2));
  EXPECT_EQ(record.match_id, "sample.1400000000000");
  EXPECT_EQ(record.roles, sample_record().roles);
  EXPECT_EQ(record.players, sample_record().players);
  EXPECT_EQ(record.moves.size(), 2u);
  EXPECT_EQ(record.moves[1][1], "(PUT (PAIR A 1) <)");
  EXPECT_EQ(record.errors, sample_record().errors);
  EXPECT_EQ(record.goals, (std::vector<int>{100, 0}));
  EXPECT_TRUE(record.completed);
  EXPECT_EQ(record.start_clock, 30);
}

TEST(DresdenXml, KeepsWhatEachRolePerceivedButForCase) {
  MatchRecord record = sample_record();
  EXPECT_TRUE(parsed(to_dresden_xml(record, 2)).percepts.empty()) << "nothing is hidden";
  record.percepts = {{{"( saw a )", "dark"}, {}}, {{}, {}}};
  const auto read = parsed(to_dresden_xml(record, 2)).percepts;
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0][0], (std::vector<std::string>{"(SAW A)", "DARK"}));
  EXPECT_TRUE(read[0][1].empty());
  EXPECT_EQ(read[1], (std::vector<std::vector<std::string>>(2))) << "nobody perceived anything";
}

TEST(DresdenXml, RefusesPerceptsThatCannotBePlaced) {
  MatchRecord record = sample_record();
  record.percepts = {{{"a"}, {"b"}}, {{}, {}}};
  const std::string text = to_dresden_xml(record, 2);
  const auto without = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const std::size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << text;
    changed.replace(at, from.size(), to);
    const auto result = parse_xml_record(changed);
    return result ? std::string("none") : result.error().text;
  };
  EXPECT_EQ(without("<sees role=\"black\"", "<sees role=\"red\""),
            "<sees> of 'red', which is no <role>");
  const std::size_t second = text.find("<sees", text.find("<step-number>2"));
  EXPECT_EQ(without(text.substr(second, text.find("</step>", second) - second), ""),
            "<sees> is in some steps, but not in others");
}

TEST(DresdenXml, KeepsNestedTermsAndConstants) {
  const MatchRecord record = parsed(to_dresden_xml(sample_record(), 0));
  EXPECT_EQ(record.states.back(), "( ( AT ( PAIR A 1 ) ) GO )");
}

TEST(DresdenXml, HasScoresInTheLastStateOnly) {
  EXPECT_TRUE(parsed(to_dresden_xml(sample_record(), 1)).goals.empty());
  EXPECT_FALSE(parsed(to_dresden_xml(sample_record(), 1)).completed);
}

TEST(DresdenXml, LeavesOutAllBlanksBesideParentheses) {
  MatchRecord record = sample_record();
  record.moves[0][0] = "(  mark 1 1   )";
  const MatchRecord once = parsed(to_dresden_xml(record, 1));
  EXPECT_EQ(once.moves[0][0], "(MARK 1 1)");
  EXPECT_EQ(parsed(to_dresden_xml(once, 1)).moves, once.moves);
}

TEST(DresdenXml, EscapesWhatIsMarkup) {
  MatchRecord record = sample_record();
  record.states[0] = "( ( < & > ) ( say \"a'b\" ]]> ) )";
  EXPECT_EQ(parsed(to_dresden_xml(record, 0)).states.back(), "( ( < & > ) ( SAY \"A'B\" ]]> ) )");
}

TEST(DresdenXml, IsLatin1UnlessACharacterGoesBeyond) {
  MatchRecord record = sample_record();
  record.players[0] = "Z\xc3\xbcrich";
  EXPECT_NE(to_dresden_xml(record, 0).find("Z\xfcrich"), std::string::npos);
  EXPECT_EQ(parsed(to_dresden_xml(record, 0)).players[0], "Z\xc3\xbcrich");
  record.players[0] = "\xce\xa9";
  EXPECT_NE(to_dresden_xml(record, 0).find("UTF-8"), std::string::npos);
  EXPECT_EQ(parsed(to_dresden_xml(record, 0)).players[0], "\xce\xa9");
}

TEST(DresdenXml, ReadsWhatTheServerWrites) {
  const MatchRecord record = parsed(
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<match>\n<match-id>t.1</match-id>"
      "<role>xplayer</role><role>oplayer</role><player>ALPHA</player><player>BETA</player>"
      "<timestamp>1300000032000</timestamp><startclock>30</startclock><playclock>15</playclock>"
      "<history><step><step-number>1</step-number><move>(MARK 1 1)</move><move>NOOP</move></step>"
      "</history><state><fact><prop-f>CELL</prop-f><arg>1</arg><arg>1</arg><arg>X</arg></fact>"
      "<fact><prop-f>CONTROL</prop-f><arg>OPLAYER</arg></fact></state></match>");
  EXPECT_EQ(record.moves, (std::vector<std::vector<std::string>>{{"(MARK 1 1)", "NOOP"}}));
  EXPECT_EQ(record.states,
            (std::vector<std::string>{"", "( ( CELL 1 1 X ) ( CONTROL OPLAYER ) )"}));
  EXPECT_EQ(record.state_times_ms.back(), 1300000032000);
}

TEST(DresdenXml, ReadsMovesAsTheHostOf2007WroteThem) {
  const MatchRecord record = parsed(
      "<?xml version=\"1.0\"?><!DOCTYPE match SYSTEM \"http://games.stanford.edu/viewmatch.dtd\">"
      "<match><match-id>Match.1</match-id><role>A</role><player>P</player><history>"
      "<step><step-number>1</step-number><move>put(pair(a,f(1)),b)</move></step>"
      "<step><step-number>2</step-number><move>noop</move></step>"
      "<step><step-number>3</step-number><move>go()</move></step>"
      "<step><step-number>4</step-number><move>)go(</move></step></history>"
      "<state><fact><prop-f>DONE</prop-f></fact></state></match>");
  EXPECT_EQ(record.moves, (std::vector<std::vector<std::string>>{
                              {"( put ( pair a ( f 1 ) ) b )"}, {"noop"}, {"( go )"}, {")go("}}));
  EXPECT_EQ(record.states.back(), "( DONE )");
}

TEST(DresdenXml, SaysWhatIsWrong) {
  EXPECT_THAT(parse_xml_record("<match>").error().text, testing::HasSubstr("no XML"));
  EXPECT_THAT(parse_xml_record("<html/>").error().text, testing::HasSubstr("<match>"));
  EXPECT_THAT(
      problem_with("<match>", "<match>\n<"),
      testing::AllOf(testing::StartsWith("no XML: "), testing::EndsWith(" at line 4, column 2")));
  EXPECT_EQ(problem_with(">30</startclock>", ">soon</startclock>"),
            "<startclock> is 'soon', which is no number of its range");
  EXPECT_EQ(problem_with(">100</reward>", ">99999999999</reward>"),
            "<reward> is '99999999999', which is no number of its range");
  EXPECT_EQ(problem_with("<reward>0</reward>", ""), "'goalValues' has 1 entry for 2 roles");
  EXPECT_EQ(problem_with("step=\"2\"", "step=\"7\""), "<error> of step 7, and there are 2 steps");
  EXPECT_EQ(problem_with("step=\"2\"", "step=\"-1\""),
            "<error step> is '-1', which is no number of its range");
  EXPECT_EQ(problem_with("step=\"2\" role=\"white\"", "step=\"2\" role=\"red\""),
            "<error> of 'red', which is no <role>");
}

TEST(DresdenXml, IsWrittenOfRecordsThatLackLists) {
  MatchRecord record = sample_record();
  record.roles.clear();
  record.players.clear();
  record.state_times_ms.clear();
  const std::string text = to_dresden_xml(record, 2);
  EXPECT_THAT(text, testing::HasSubstr("<error step=\"2\">TO</error>"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("<timestamp>")));
}

}  // namespace
}  // namespace ludens::server
