// SPDX-License-Identifier: MIT
// What pages get of a match.
#include "server/web/match_document.h"

#include <boost/json.hpp>

#include "server/board/board.h"
#include "server/game/rulesheet.h"

namespace ludens::server {
namespace {

namespace json = boost::json;

MatchRecord two_steps() {
  MatchRecord record;
  record.match_id = "m.1";
  record.game = "test";
  record.rulesheet =
      "(role x) (role o) (n 1) (n 2) (n 3) (init (control x))"
      "(<= (init (cell ?c ?r blank)) (n ?c) (n ?r))"
      "(<= (legal ?p (mark ?c ?r)) (true (cell ?c ?r blank)) (role ?p))"
      "(<= (next (cell ?c ?r ?p)) (does ?p (mark ?c ?r)))"
      "(<= (next (control o)) (true (control x)))";
  record.roles = {"x", "o"};
  record.players = {"</script>", "mcts"};
  std::string blanks;
  for (const char* square : {"1 2", "1 3", "2 1", "2 2", "2 3", "3 1", "3 2", "3 3"}) {
    blanks += " ( cell " + std::string(square) + " blank )";
  }
  record.states = {"( ( cell 1 1 blank )" + blanks + " ( control x ) )",
                   "( ( cell 1 1 x )" + blanks + " ( control o ) ( extra thing ) )"};
  record.moves = {{"( mark 1 1 )", "noop"}};
  record.errors = {{"", ""}, {"TO", ""}};
  record.latencies_ms = {{1, 2}, {12.345, 0.5}};
  record.values = {{{"o", 62.5}}};
  record.completed = true;
  record.goals = {100, 0};
  return record;
}

TEST(MatchDocument, WritesEachStateAsWhatIsNew) {
  const MatchRecord record = two_steps();
  const json::value match = match_json(record, game_of(record));
  const json::array& steps = match.at("steps").as_array();
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].at("cells").as_array().size(), 9u);
  EXPECT_EQ(json::serialize(steps[1].at("cells")).find("[[6,["), 0u);  // the lower left square
  EXPECT_EQ(steps[1].at("cells").as_array().size(), 1u);
  EXPECT_EQ(json::serialize(steps[1].at("facts")), R"([["extra",["thing"]]])");
  EXPECT_EQ(json::serialize(steps[1].at("controls")), R"([["control","o","red"]])");
  EXPECT_EQ(json::serialize(steps[1].at("errors")), R"(["TO",""])");
  EXPECT_EQ(json::serialize(steps[1].at("values")), "[null,6.25E1]");
  EXPECT_EQ(json::serialize(match.at("end").at("goals")), "[100,0]");
  EXPECT_EQ(match.at("roles").at(0).at("player"), "</script>");
}

TEST(MatchDocument, MarksTheSquaresOfAMoveThatChangesNothingToBeSeen) {
  MatchRecord record = two_steps();
  record.states.push_back(record.states.back());
  record.moves.push_back({"noop", "( mark 2 2 )"});
  const json::value match = match_json(record, game_of(record));
  const json::array& steps = match.at("steps").as_array();
  EXPECT_FALSE(steps[1].as_object().contains("marked"));
  EXPECT_FALSE(steps[2].as_object().contains("cells"));
  EXPECT_EQ(json::serialize(steps[2].at("marked")), "[4]");
}

TEST(MatchDocument, SaysWhoIsAPerson) {
  MatchRecord record = two_steps();
  record.human = {true, false};
  const json::value match = match_json(record, game_of(record));
  EXPECT_EQ(match.at("roles").at(0).at("human"), json::value(true));
  EXPECT_FALSE(match.at("roles").at(1).as_object().contains("human"));
}

TEST(MatchDocument, DescribesTheBoardOnce) {
  const json::value game = game_of(two_steps())->json();
  EXPECT_EQ(json::serialize(game.at("rows")), R"(["3","2","1"])");
  EXPECT_EQ(json::serialize(game.at("columns")), R"(["1","2","3"])");
  EXPECT_EQ(game.at("chequered"), false);
  EXPECT_FALSE(game.at("things").as_array().empty());
}

TEST(MatchDocument, SaysWhichSquaresAMoveNames) {
  const auto game = game_of(two_steps());
  EXPECT_EQ(game->move_json("( mark 2 3 )"),
            json::parse(R"x({"move":"( mark 2 3 )","squares":[1]})x"));
  EXPECT_EQ(game->move_json("noop"), json::parse(R"({"move":"noop"})"));
}

TEST(MatchDocument, NamesMovesAndFactsInTheLanguageOfTheSheet) {
  MatchRecord record = two_steps();
  record.rulesheet =
      "role(x) role(o) index(1) index(2) index(3) init(control(x)) init(cell(X,Y,b)) :- "
      "index(X) & index(Y)\nlegal(mark(X,Y)) :- cell(X,Y,b)\n"
      "mark(X,Y) :: control(R) ==> cell(X,Y,R) & ~cell(X,Y,b)\n"
      "mark(X,Y) :: control(x) ==> ~control(x) & control(o)\n"
      "mark(X,Y) :: control(o) ==> ~control(o) & control(x) & extra(a,f(b))\n";
  record.states[1].insert(record.states[1].size() - 1, "( extra a ( f b ) ) ");
  const auto game = game_of(record);
  const json::value match = match_json(record, game);
  const json::value& step = match.at("steps").at(1);
  EXPECT_EQ(json::serialize(step.at("moves")), R"x(["mark(1,1)","noop"])x");
  EXPECT_EQ(json::serialize(step.at("facts")), R"x([["extra",["thing","a,f(b)"]]])x");
  EXPECT_EQ(json::serialize(step.at("controls")), R"([["control","o","red"]])");
  // What a page sends back is prefix GDL.
  EXPECT_EQ(game->move_json("( mark 2 3 )"),
            json::parse(R"x({"move":"( mark 2 3 )","text":"mark(2,3)","squares":[1]})x"));
  EXPECT_EQ(game->move_json("noop"), json::parse(R"({"move":"noop"})"));
}

TEST(MatchDocument, ShowsAGameWithoutRulesheetAsFacts) {
  MatchRecord record = two_steps();
  record.rulesheet.clear();
  const auto game = game_of(record);
  EXPECT_TRUE(game->json().at("rows").as_array().empty());
  const json::value match = match_json(record, game);
  EXPECT_FALSE(match.at("steps").at(0).at("facts").as_array().empty());
}

}  // namespace
}  // namespace ludens::server
