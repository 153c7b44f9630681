// SPDX-License-Identifier: MIT
// What a report shows: matches once each, games shared, tournaments, problems; logs that belong
// together.
#include "server/report/report_page.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "server/report/tournament_groups.h"
#include "tests/server/heap_game.h"
#include "tests/server/tournament/sample_plan.h"

namespace ludens::server {
namespace {

MatchRecord record(const std::string& id) {
  MatchRecord out;
  out.match_id = id;
  out.game = "heap";
  out.rulesheet = kHeapGame;
  out.roles = {"white", "black"};
  out.players = {"ann", "bob"};
  out.human = {false, false};
  out.states = {"( ( control white ) ( heap 2 ) )", "( ( control black ) ( heap 1 ) )"};
  out.moves = {{"( take 1 )", "noop"}};
  out.state_times_ms = {1, 2};
  out.errors = {{"", ""}, {"", ""}};
  out.aborted = true;
  return out;
}

/// The text between the tags of the page's data.
boost::json::object data_of(const ReportPage& page) {
  const std::string html = page.html("Title", "subtitle");
  const std::size_t begin = html.find("{\"games\":[");
  EXPECT_NE(begin, std::string::npos);
  const std::size_t end = html.find("</script>", begin);
  boost::json::error_code error;
  const auto value = boost::json::parse(html.substr(begin, end - begin), error);
  EXPECT_FALSE(error) << error.message();
  return value.is_object() ? value.as_object() : boost::json::object{};
}

TEST(ReportPage, ListsMatchesInTheOrderInWhichTheyWereAdded) {
  ReportPage page;
  EXPECT_TRUE(page.add_match(record("second"), "b/2.json"));
  EXPECT_TRUE(page.add_match(record("first"), "a/1.json"));
  EXPECT_EQ(page.matches(), 2U);
  const auto data = data_of(page);
  const auto& matches = data.at("matches").as_array();
  ASSERT_EQ(matches.size(), 2U);
  EXPECT_EQ(matches[0].at("place").as_string(), "b/2.json");
  EXPECT_EQ(matches[1].at("place").as_string(), "a/1.json");
  EXPECT_EQ(data.at("games").as_array().size(), 1U) << "of one rulesheet";
}

TEST(ReportPage, ShowsTheVerySameMatchOnce) {
  ReportPage page;
  EXPECT_TRUE(page.add_match(record("m"), "a"));
  EXPECT_FALSE(page.add_match(record("m"), "b")) << "from wherever";
  MatchRecord other = record("m");
  other.players[1] = "cid";
  EXPECT_TRUE(page.add_match(other, "a")) << "another one of the same id";
  EXPECT_FALSE(page.add_match(other, "c"));
  EXPECT_EQ(page.matches(), 2U);
  EXPECT_EQ(data_of(page).at("matches").as_array().size(), 2U);
}

TEST(ReportPage, HasAPictureForEachRulesheet) {
  ReportPage page;
  page.add_match(record("one"), "");
  MatchRecord other = record("other");
  other.rulesheet += "(init extra)";
  page.add_match(other, "");
  page.add_match(record("again"), "");
  const auto data = data_of(page);
  EXPECT_EQ(data.at("games").as_array().size(), 2U);
  const auto& matches = data.at("matches").as_array();
  EXPECT_EQ(matches[0].at("picture"), 0);
  EXPECT_EQ(matches[1].at("picture"), 1);
  EXPECT_EQ(matches[2].at("picture"), 0);
}

TEST(ReportPage, OfNothingIsAPage) {
  const ReportPage page;
  EXPECT_EQ(page.matches(), 0U);
  const auto data = data_of(page);
  for (const char* list : {"games", "matches", "tournaments", "problems"}) {
    EXPECT_TRUE(data.at(list).as_array().empty()) << list;
  }
}

TEST(ReportPage, CarriesTournamentsAndProblems) {
  ReportPage page;
  page.add_tournament({{"matches", 1}});
  page.add_tournament({{"matches", 2}});
  page.add_problem("a \"quoted\" reason\nof two lines");
  const auto data = data_of(page);
  EXPECT_EQ(data.at("tournaments").as_array().size(), 2U);
  ASSERT_EQ(data.at("problems").as_array().size(), 1U);
  EXPECT_EQ(data.at("problems").as_array()[0].as_string(), "a \"quoted\" reason\nof two lines");
}

TEST(ReportPage, LetsNoTextOfOthersEndItsScript) {
  ReportPage page;
  MatchRecord wicked = record("</script><b>");
  wicked.players[0] = "</SCRIPT>";
  page.add_match(wicked, "</script>.json");
  page.add_problem("</script>");
  const std::string html = page.html("</title><script>", "<i>");
  const auto data = data_of(page);
  EXPECT_EQ(data.at("matches").as_array()[0].at("place").as_string(), "</script>.json");
  EXPECT_EQ(html.find("</title><script>"), std::string::npos);
  EXPECT_EQ(html.find("<i>"), std::string::npos);
}

// ---- groups ----

TournamentLog log_of(const std::vector<std::pair<std::size_t, std::size_t>>& places,
                     const Shard& shard = {}) {
  TournamentLog log;
  log.plan = sample_plan();
  log.plan.rounds = 4;
  log.shard = shard;
  for (const auto& [block, rotation] : places) {
    log.results.push_back(sample_result(block, rotation));
  }
  return log;
}

TEST(TournamentGroups, JoinPartsAndCopiesOfOneRun) {
  TournamentGroups groups;
  groups.add("t/2", log_of({{1, 0}, {1, 1}}, {2, 2}));
  groups.add("t/1", log_of({{0, 0}}, {1, 2}));
  groups.add("copy/1", log_of({{0, 0}}, {1, 2}));
  const auto found = groups.groups();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].folders, (std::vector<std::filesystem::path>{"t/2", "t/1", "copy/1"}));
  ASSERT_EQ(found[0].log.results.size(), 3U);
  EXPECT_EQ(found[0].log.results[0].block.number, 0U) << "in schedule order";
  EXPECT_EQ(found[0].log.shard.text(), "1/1");
}

TEST(TournamentGroups, KeepThePartOfALogThatIsAlone) {
  TournamentGroups groups;
  groups.add("t/2", log_of({{1, 0}}, {2, 2}));
  ASSERT_EQ(groups.groups().size(), 1U);
  EXPECT_EQ(groups.groups()[0].log.shard.text(), "2/2");
}

TEST(TournamentGroups, KeepRunsThatDifferApart) {
  TournamentLog other = log_of({{0, 0}});
  other.results[0].goals = {50, 50};
  TournamentGroups groups;
  groups.add("first", log_of({{0, 0}}));
  groups.add("second", other);
  const auto found = groups.groups();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].folders, (std::vector<std::filesystem::path>{"first"}));
  EXPECT_EQ(found[1].log.results[0].goals, (std::vector{50, 50}));
}

TEST(TournamentGroups, KeepOtherTournamentsApart) {
  TournamentLog other = log_of({{0, 0}});
  other.plan.seed += 1;
  TournamentGroups groups;
  groups.add("a", log_of({{0, 0}}));
  groups.add("b", other);
  EXPECT_EQ(groups.groups().size(), 2U);
}

TEST(TournamentGroups, PutAPartToThePartsThatLieBesideIt) {
  TournamentLog second = log_of({{0, 0}}, {1, 2});
  second.results[0].goals = {50, 50};
  TournamentGroups groups;
  groups.add("run1/1", log_of({{0, 0}}, {1, 2}));
  groups.add("run2/1", second);
  groups.add("run2/2", log_of({{1, 0}}, {2, 2}));  // would fit either
  const auto found = groups.groups();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].folders.size(), 1U);
  EXPECT_EQ(found[1].folders, (std::vector<std::filesystem::path>{"run2/1", "run2/2"}));
}

TEST(TournamentGroups, OfNothingAreNone) {
  EXPECT_TRUE(TournamentGroups().groups().empty());
}

}  // namespace
}  // namespace ludens::server
