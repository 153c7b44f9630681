// SPDX-License-Identifier: MIT
#include "server/records/xml_record.h"

#include "server/game/rulesheet.h"
#include "server/records/dresden_xml.h"
#include "server/records/replay.h"
#include "tests/server/records/parsed_xml.h"

namespace ludens::server {
namespace {

std::string replaced(std::string text, const std::string& before, const std::string& after) {
  const auto at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  return text.replace(at, before.size(), after);
}

/// What is said of a text with `before` replaced by `after`.
std::string problem_with(const std::string& text, const std::string& before,
                         const std::string& after) {
  const auto result = parse_xml_record(replaced(text, before, after));
  return result ? "none" : result.error().text;
}

/// Two roles that go up to 2, first x, then o.
const char* const kCounterRules =
    "(role x) (role o) (init (at 0)) (init (control x)) (succ 0 1) (succ 1 2)"
    "(<= (legal ?r (go ?m)) (true (control ?r)) (true (at ?n)) (succ ?n ?m))"
    "(<= (legal ?r noop) (role ?r) (not (true (control ?r))))"
    "(<= (next (at ?m)) (true (at ?n)) (succ ?n ?m)) (<= (next (control o)) (true (control x)))"
    "(<= (next over) (true (control o))) (<= terminal (true over)) (goal x 100) (goal o 0)";

std::string first_disagreement(const MatchRecord& record) {
  const ReplayResult result = replay(record, read_rulesheet("up", kCounterRules).rules);
  if (!result.disagreements.empty()) return result.disagreements.front().what;
  return "none in " + std::to_string(result.steps);
}

const char* const kStanford =
    "<?xml version='1.0'?>\n<?xml-stylesheet type='text/xsl' href='/stylesheets/UP.xsl'?>\n"
    "<match id='Match.0812000'>\n<game>Up</game>\n<role>X</role>\n<role>O</role>\n"
    "<player>Ary</player>\n<player>Cadiaplayer</player>\n<scrambled>Yes</scrambled>\n"
    "<timed>Yes</timed>\n<startclock>30</startclock>\n<playclock>10</playclock>\n"
    "<steplimit>100</steplimit>\n<tournament>Test</tournament>\n<owner>Eschkufz</owner>\n"
    "<herstory>\n"
    " <state>\n  <stepnum>1</stepnum>\n  <fact>\n   <relation>control</relation>\n"
    "   <argument>x</argument>\n  </fact>\n"
    "  <fact><relation>at</relation><argument>0</argument></fact>\n </state>\n"
    " <state><stepnum>2</stepnum><fact><relation>at</relation><argument>1</argument></fact>"
    "<fact><relation>control</relation><argument>o</argument></fact></state>\n"
    " <state><stepnum>3</stepnum><fact><relation>at</relation><argument>2</argument></fact>"
    "<fact><relation>over</relation></fact></state>\n</herstory>\n"
    "<history>\n <move>\n  <stepnum>1</stepnum>\n  <action>(go 1)</action>\n"
    "  <action>noop</action>\n </move>\n"
    " <move><stepnum>2</stepnum><action>noop</action><action>(go 2)</action></move>\n</history>\n"
    "<rewards>\n <reward>100</reward>\n <reward>0</reward>\n</rewards>\n</match>";

TEST(StanfordXml, IsReadAndReplayed) {
  const MatchRecord record = parsed(kStanford);
  EXPECT_EQ(record.match_id, "Match.0812000");
  EXPECT_EQ(record.game, "Up");
  EXPECT_EQ(record.roles, (std::vector<std::string>{"X", "O"}));
  EXPECT_EQ(record.players, (std::vector<std::string>{"Ary", "Cadiaplayer"}));
  EXPECT_EQ(record.states[0], "( ( control x ) ( at 0 ) )");
  EXPECT_EQ(record.states[2], "( ( at 2 ) over )");
  EXPECT_EQ(record.moves[1], (std::vector<std::string>{"noop", "(go 2)"}));
  EXPECT_EQ(record.goals, (std::vector<int>{100, 0}));
  EXPECT_EQ(record.start_clock, 30);
  EXPECT_TRUE(record.completed);
  EXPECT_EQ(first_disagreement(record), "none in 2");
}

TEST(StanfordXml, OfAnotherMatchIsFoundOut) {
  EXPECT_EQ(first_disagreement(parsed(replaced(kStanford, "<argument>1<", "<argument>2<"))),
            "( at 2 ) is recorded, and not derived");
  EXPECT_EQ(first_disagreement(parsed(replaced(kStanford, "(go 2)", "(go 1)"))),
            "(go 1) is not legal for o");
}

TEST(StanfordXml, ThatIsDamagedIsAnErrorWithASentence) {
  EXPECT_EQ(problem_with(kStanford, "<stepnum>2</stepnum>", "<stepnum>5</stepnum>"),
            "<stepnum> is 5 where 2 belongs");
  EXPECT_EQ(problem_with(kStanford, "<reward>0</reward>", ""),
            "'goalValues' has 1 entry for 2 roles");
  EXPECT_EQ(problem_with(kStanford, "<reward>0</reward>", "<reward>much</reward>"),
            "<reward> is 'much', which is no number of its range");
  EXPECT_EQ(problem_with(kStanford, "<move><stepnum>2", "<mov><stepnum>2").substr(0, 6), "no XML");
  EXPECT_EQ(
      problem_with(kStanford,
                   "<move><stepnum>2</stepnum><action>noop</action><action>(go 2)</action></move>",
                   ""),
      "<herstory> has 3 states for 1 moves; it must be one more");
}

const char* const kTrace =
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<gametrace>\n"
    "  <game>up</game>\n  <steps>\n    <step nb=\"1\">\n      <state>\n"
    "        <fluent>(at 0)</fluent>\n        <fluent>(control x)</fluent>\n      </state>\n"
    "      <legal_moves><move role=\"x\">(go 1)</move><move role=\"o\">noop</move></legal_moves>\n"
    "      <moves><move role=\"o\">noop</move><move role=\"x\">(go 1)</move></moves>\n    </step>\n"
    "    <step nb=\"2\"><moves><move role=\"x\">noop</move><move role=\"o\">(go 2)</move></moves>"
    "</step>\n    <step nb=\"3\"><state><fluent>over</fluent><fluent>(at 2)</fluent></state>"
    "<terminal/><goal_values><goal_value role=\"x\">100</goal_value>"
    "<goal_value role=\"o\">0</goal_value></goal_values></step>\n  </steps>\n</gametrace>\n";

TEST(GametraceXml, IsReadAndReplayedWhateverTheOrderOfItsRoles) {
  const MatchRecord record = parsed(kTrace);
  EXPECT_EQ(record.game, "up");
  EXPECT_EQ(record.roles, (std::vector<std::string>{"o", "x"}));
  EXPECT_EQ(record.moves[1], (std::vector<std::string>{"(go 2)", "noop"}));
  EXPECT_EQ(record.states,
            (std::vector<std::string>{"( (at 0) (control x) )", "", "( over (at 2) )"}));
  EXPECT_EQ(record.goals, (std::vector<int>{0, 100}));
  EXPECT_EQ(first_disagreement(record), "none in 2");
  EXPECT_EQ(first_disagreement(parsed(replaced(kTrace, ">100<", ">50<"))),
            "the goals are 100 0, recorded are 50 0");
}

TEST(GametraceXml, MayEndWithMoves) {
  const std::string text = kTrace;
  const auto last = text.find("    <step nb=\"3\">");
  const MatchRecord record = parsed(text.substr(0, last) + "</steps></gametrace>");
  EXPECT_EQ(record.states.size(), 3u);
  EXPECT_FALSE(record.completed);
  EXPECT_EQ(first_disagreement(record), "none in 2");
}

TEST(GametraceXml, ThatIsDamagedIsAnErrorWithASentence) {
  EXPECT_EQ(problem_with(kTrace, "nb=\"2\"", "nb=\"4\""), "step 4 is where step 2 belongs");
  EXPECT_EQ(problem_with(kTrace, "nb=\"2\"", "nb=\"two\""),
            "<step nb> is 'two', which is no number of its range");
  EXPECT_EQ(problem_with(kTrace, "<move role=\"x\">noop</move>", "<move role=\"o\">noop</move>"),
            "step 2 has two moves of one role");
  EXPECT_EQ(problem_with(kTrace, "<move role=\"x\">noop</move>", ""),
            "step 2 has no <move> of 'x'");
  EXPECT_EQ(problem_with(kTrace, "<move role=\"x\">noop</move>", "<move role=\"y\">noop</move>"),
            "step 2 names 'y', which is no role of earlier steps");
  EXPECT_EQ(problem_with(kTrace, "<goal_value role=\"o\">0</goal_value>", ""),
            "step 3 has no <goal_value> of 'o'");
  EXPECT_EQ(problem_with(kTrace, "(at 0)", "((at) 0)"),
            "step 1 has the fluent '((at) 0)', which is no term");
  EXPECT_EQ(problem_with(kTrace, "(at 0)", "at) (0"),
            "step 1 has the fluent 'at) (0', which is no term");
  EXPECT_EQ(problem_with(kTrace, "(at 0)", ""), "step 1 has the fluent '', which is no term");
  EXPECT_EQ(problem_with("<gametrace><steps/></gametrace>", "<steps/>", ""),
            "<gametrace> without a <step>");
}

TEST(GametraceXml, TellsRolesApartByWhatIsWrittenOfThem) {
  EXPECT_EQ(problem_with(kTrace, "<moves><move role=\"o\">", "<moves><move role=\" x&#13;\">"),
            "step 1 has two moves of one role");
}

TEST(XmlRecord, IsReadAgainThoughItNamesNoRoles) {
  const std::string text =
      to_dresden_xml(parsed(replaced(kStanford, "<role>X</role>\n<role>O</role>\n", "")), 2);
  const MatchRecord record = parsed(text);
  EXPECT_EQ(record.goals, (std::vector<int>{100, 0}));
  EXPECT_TRUE(record.errors.empty());
}

TEST(XmlRecord, FindsTheRoleOfAnErrorWhateverItsNameIsMadeOf) {
  const MatchRecord record = parsed(
      "<match><match-id>m</match-id><role>a&#13;b</role><history/>"
      "<errors><error step=\"0\" role=\"a&#13;b\">TO</error></errors><state/></match>");
  EXPECT_EQ(parsed(to_dresden_xml(record, 0)).errors, record.errors);
}

TEST(XmlRecord, IsToldFromOtherDocuments) {
  EXPECT_TRUE(may_be_xml_record(kTrace));
  EXPECT_TRUE(may_be_xml_record(kStanford));
  EXPECT_TRUE(may_be_xml_record("<match"));
  EXPECT_FALSE(may_be_xml_record("<tournament/>"));
}

}  // namespace
}  // namespace ludens::server
