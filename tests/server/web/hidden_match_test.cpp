// SPDX-License-Identifier: MIT
// A person in a game with hidden information: what the page is told while the match is played, and
// what when it is over.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/json.hpp>

#include "server/game/rulesheet.h"
#include "server/match/match_observers.h"
#include "server/web/human_player.h"
#include "server/web/match_document.h"
#include "server/web/table.h"
#include "server/web/watched_match.h"
#include "tests/server/match/hidden_games.h"
#include "tests/server/web/clicker.h"

namespace ludens::server {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::Not;

/// Two steps; the seeker (role 0) has looked north and west, and found nobody but once.
MatchRecord two_rounds() {
  MatchRecord record;
  record.match_id = "m.1";
  record.game = "hideout";
  record.rulesheet = kHideout;
  record.roles = {"seeker", "hider", "random"};
  record.players = {"human", "mcts", "random"};
  record.human = {true, false, false};
  record.states = {"( ( round 0 ) ( sky fair ) )", "( ( lair south ) ( round 1 ) ( sky foggy ) )",
                   "( ( caught 1 ) ( lair west ) ( round 2 ) ( sky fair ) )"};
  record.moves = {{"( look north )", "( crouch south )", "( bring foggy )"},
                  {"( look west )", "( crouch west )", "( bring fair )"}};
  record.percepts = {{{"calm"}, {"( looked north )"}, {}}, {{"found"}, {"( looked west )"}, {}}};
  record.errors = {{"", "CE", ""}, {"", "", ""}, {"", "IL ( crouch away )", ""}};
  record.latencies_ms = {{1, 2, 0}, {10, 777, 0}, {20, 888, 0}};
  record.values = {{{"hider", 99}}, {}};
  return record;
}

/// Time for beliefs that no machine is too slow for.
constexpr std::chrono::minutes kPatient{10};

/// A step without what the role believes.
json::value without_belief(json::object step) {
  step.erase("beliefs");
  return step;
}

TEST(HiddenDocument, TellsEverythingOfARecord) {
  const MatchRecord record = two_rounds();
  const auto game = game_of(record);
  EXPECT_TRUE(game->json().at("hidden").as_bool());
  const json::value match = match_json(record, game);
  EXPECT_FALSE(match.as_object().contains("sight"));
  EXPECT_EQ(json::serialize(match.at("steps").at(1).at("percepts")),
            R"j([["calm"],["( looked north )"],[]])j");
  EXPECT_FALSE(match.at("steps").at(0).as_object().contains("percepts"));
}

TEST(HiddenDocument, OfOneRoleTellsItsMovesAndPerceptsAlone) {
  const MatchRecord record = two_rounds();
  MatchDocument document(game_of(record), 0);
  EXPECT_EQ(document.header(record).at("sight"), 0);
  EXPECT_EQ(without_belief(document.step(record, 0)), json::parse("{}"));
  EXPECT_EQ(without_belief(document.step(record, 1)),
            json::parse(R"j({"moves":["( look north )","",""],"percepts":[["calm"],[],[]]})j"));
  EXPECT_EQ(without_belief(document.step(record, 2)),
            json::parse(R"j({"moves":["( look west )","",""],"percepts":[["found"],[],[]]})j"));
}

/// [fact, percent].. of a group, of what a role believes.
std::string believed(const json::value& step, std::size_t role, std::string_view group) {
  for (const json::value& facts : step.at("beliefs").at(role).at("facts").as_array()) {
    if (facts.at(0) == json::value(group)) return json::serialize(facts.at(1));
  }
  return "";
}

TEST(HiddenDocument, TellsHowLikelyEverythingIsToARole) {
  MatchRecord record = two_rounds();
  MatchDocument document(game_of(record), std::nullopt, kPatient);
  const json::value start = document.step(record, 0);
  EXPECT_EQ(start.at("beliefs").at(0).at("histories"), 1);
  EXPECT_EQ(believed(start, 0, "sky"), R"j([["fair",100]])j");
  EXPECT_TRUE(start.at("beliefs").at(2).is_null()) << "nobody is `random`";
  const json::value step = document.step(record, 1);
  // In fair weather it was calm: the hider is in one of the two other holes.
  EXPECT_EQ(believed(step, 0, "lair"), R"j([["south",50],["west",50]])j");
  EXPECT_EQ(believed(step, 0, "sky"), R"j([["fair",50],["foggy",50]])j");
  EXPECT_EQ(step.at("beliefs").at(0).at("histories"), 4);
  EXPECT_TRUE(step.at("beliefs").at(0).at("exact").as_bool());
  // The hider knows its own lair, and nothing of the weather.
  EXPECT_EQ(believed(step, 1, "lair"), R"j([["south",100]])j");
  EXPECT_EQ(believed(step, 1, "sky"), R"j([["fair",50],["foggy",50]])j");
  const json::value last = document.step(record, 2);
  EXPECT_EQ(believed(last, 0, "lair"), R"j([["west",100]])j") << "found there";
  EXPECT_THAT(json::serialize(last.at("beliefs").at(0).at("controls")),
              HasSubstr(R"j(["caught","1",)j"));
}

/// Hidden facts don't change anything that is written from the role's view.
TEST(HiddenDocument, OfOneRoleFollowsFromItsMovesAndPerceptsAlone) {
  const MatchRecord one = two_rounds();
  MatchRecord other = one;
  other.states = {"( ( round 0 ) ( sky fair ) )", "( ( lair west ) ( round 1 ) ( sky fair ) )",
                  "( ( caught 1 ) ( lair west ) ( round 2 ) ( sky foggy ) )"};
  other.moves = {{"( look north )", "( crouch west )", "( bring fair )"},
                 {"( look west )", "( crouch west )", "( bring foggy )"}};
  other.percepts[0][1] = {"( looked east )"};
  MatchDocument of_one(game_of(one), 0, kPatient), of_other(game_of(other), 0, kPatient);
  EXPECT_EQ(of_one.header(one), of_other.header(other));
  for (std::size_t step = 0; step < one.states.size(); ++step) {
    const json::object told = of_one.step(one, step);
    EXPECT_EQ(told, of_other.step(other, step));
    EXPECT_TRUE(told.contains("beliefs"));
  }
}

/// A board in two layers, on which nothing lies at first; nobody sees where the other one moves.
constexpr const char* kLayers = R"((role x) (role o) (index 1) (index 2) (index 3)
(level 1) (level 2) (succ 1 2) (succ 2 3) (other x o) (other o x) (init (control x))
(<= (base (cell ?l ?c ?r ?p)) (level ?l) (index ?c) (index ?r) (role ?p))
(<= (base (control ?p)) (role ?p))
(<= (input ?p (mark ?l ?c ?r)) (role ?p) (level ?l) (index ?c) (index ?r))
(<= (input ?p noop) (role ?p))
(<= (taken ?l ?c ?r) (true (cell ?l ?c ?r ?p)))
(<= (legal ?p (mark ?l ?c ?r)) (true (control ?p)) (level ?l) (index ?c) (index ?r)
    (not (true (cell ?l ?c ?r ?p))))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (cell ?l ?c ?r ?p)) (true (cell ?l ?c ?r ?p)))
(<= (next (cell ?l ?c ?r ?p)) (does ?p (mark ?l ?c ?r)) (not (taken ?l ?c ?r)))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
(<= (sees ?p done) (does ?p (mark ?l ?c ?r)) (not (taken ?l ?c ?r)))
(<= open (level ?l) (index ?c) (index ?r) (not (taken ?l ?c ?r)))
(<= terminal (not open)) (goal x 50) (goal o 50))";

/// A square has the number by which moves name it, whichever layer is the first with something on.
TEST(HiddenDocument, OfOneRoleHasTheLayersOfTheBoard) {
  MatchRecord record;
  record.rulesheet = kLayers;
  record.roles = {"x", "o"};
  record.states = {"( ( control x ) )", "( ( cell 2 1 1 x ) ( control o ) )"};
  record.moves = {{"( mark 2 1 1 )", "noop"}};
  record.percepts = {{{"done"}, {}}};
  const auto game = game_of(record);
  const json::value move = game->move_json("( mark 2 1 1 )");
  MatchDocument document(game, 0, kPatient);
  const json::value start = document.step(record, 0);
  EXPECT_EQ(start.at("layers"), json::parse(R"j(["1","2"])j"));
  const json::value step = document.step(record, 1);
  const json::value& cells = step.at("beliefs").at(0).at("cells");
  ASSERT_EQ(cells.as_array().size(), 1u) << cells;
  EXPECT_EQ(cells.at(0).at(0), move.at("squares").at(0));
}

TEST(HiddenDocument, HasNoBeliefsWithoutTimeOrWhereNothingFits) {
  MatchRecord record = two_rounds();
  MatchDocument hurried(game_of(record), std::nullopt, std::chrono::seconds(0));
  EXPECT_FALSE(hurried.step(record, 0).contains("beliefs"));
  EXPECT_FALSE(hurried.step(record, 1).contains("beliefs"));
  record.percepts[1][0] = {"calm", "found"};  // can't be
  MatchDocument document(game_of(record), std::nullopt, kPatient);
  document.step(record, 0);
  document.step(record, 1);
  const json::value last = document.step(record, 2);
  EXPECT_TRUE(last.at("beliefs").at(0).is_null());
  EXPECT_FALSE(last.at("beliefs").at(1).is_null());
}

/// The last turn of a match fits what ends it, and nothing else does.
TEST(HiddenDocument, TellsWhatIsBelievedAtTheEnd) {
  MatchRecord record = two_rounds();
  record.states.emplace_back("( ( caught 1 ) ( lair north ) ( round 3 ) ( sky fair ) )");
  record.moves.push_back({"( look west )", "( crouch north )", "( bring fair )"});
  record.percepts.push_back({{}, {"( looked west )"}, {}});
  for (const bool recorded : {true, false}) {
    record.completed = recorded;
    MatchDocument document(game_of(record), std::nullopt, kPatient);
    for (std::size_t step = 0; step < 3; ++step) document.step(record, step);
    const json::value last = document.step(record, 3, !recorded);
    // It was not calm: foggy weather.
    EXPECT_EQ(believed(last, 0, "lair"), R"j([["north",50],["south",50]])j");
  }
}

TEST(HiddenDocument, OfOneRoleTellsItsOwnFaults) {
  const MatchRecord record = two_rounds();
  MatchDocument document(game_of(record), 1);
  document.step(record, 0);
  document.step(record, 1);
  EXPECT_EQ(document.step(record, 2).at("errors"),
            json::parse(R"j(["","IL ( crouch away )",""])j"));
}

TEST(HiddenDocument, OpenGamesHaveNoneOfIt) {
  MatchRecord record = two_rounds();
  record.rulesheet = "(role a) (init x) (legal a go) (<= (next x) (true x))";
  record.percepts.clear();
  const auto game = game_of(record);
  EXPECT_FALSE(game->json().contains("hidden"));
  EXPECT_THAT(json::serialize(match_json(record, game)), Not(HasSubstr("percepts")));
}

/// A match of a person, as the seeker, against chance, as a browser hears of it.
class HiddenPage : public testing::Test {
 protected:
  HiddenPage() { EXPECT_EQ(feed_.listen(0), std::nullopt); }

  MatchRecord play(Table* table) {
    boost::asio::io_context context;
    auto person = std::make_unique<HumanPlayer>(feed_, context, 0, std::chrono::minutes(1));
    WatchedMatch live(feed_, {person.get(), nullptr, nullptr});
    MatchOptions options;
    options.match_id = "m.1";
    std::stop_token stop;
    if (table != nullptr) stop = table->prepare({person.get(), nullptr, nullptr}, 0, {});
    std::vector<std::unique_ptr<MatchPlayer>> players;
    players.push_back(std::move(person));
    players.push_back(nullptr);
    players.push_back(nullptr);
    Clicker clicker(feed_.url(), 100);
    MatchObservers observers(
        {table != nullptr ? static_cast<MatchObserver*>(table) : &live, &clicker});
    return run_match(read_rulesheet("hideout", kHideout), options, players, context, stop,
                     observers);
  }
  [[nodiscard]] std::uint16_t port() const {
    const std::string url = feed_.url();
    return static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
  }
  /// The events of a browser, each `event: NAME` and its data.
  static std::vector<std::string> events(const std::string& stream) {
    std::vector<std::string> all;
    for (std::size_t at = stream.find("event: "); at != std::string::npos;) {
      const std::size_t next = stream.find("event: ", at + 1);
      all.push_back(stream.substr(at, next - at));
      at = next;
    }
    return all;
  }
  static constexpr const char* kGet = "GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

  /// What a looker-on hears from the beginning of a match to its end.
  void expect_nothing_told_too_early(const std::string& stream, const MatchRecord& record) {
    std::size_t steps = 0;
    bool over = false;
    for (const std::string& event : events(stream)) {
      // At the end the match is sent again, with everything.
      over =
          over || (event.starts_with("event: match") && event.find("crouch") != std::string::npos);
      if (over || event.starts_with("event: game")) continue;
      for (const char* secret : {"crouch", "bring", "looked"}) {
        EXPECT_THAT(event, Not(HasSubstr(secret)));
      }
      // Only the seeker's belief about the state is sent.
      const std::size_t facts = event.find("\"facts\"");
      if (facts != std::string::npos) {
        EXPECT_LT(event.find("\"beliefs\":[{"), facts);
        EXPECT_THAT(event, HasSubstr(",null,null]")) << "of nobody else";
      }
      steps += event.starts_with("event: step") ? 1 : 0;
    }
    EXPECT_TRUE(over) << "when the match is over, nothing is hidden";
    EXPECT_EQ(steps, record.moves.size());
    EXPECT_THAT(stream, HasSubstr("event: end"));
    EXPECT_THAT(stream, HasSubstr(R"("sight":0)"));
  }

  MatchFeed feed_{MatchFeed::Options{"test", true, false, 10}};
};

TEST_F(HiddenPage, ThePersonsKnowledgeAloneIsTold) {
  Client browser(port(), kGet);
  browser.read_up_to("event: complete");
  const MatchRecord record = play(nullptr);
  EXPECT_TRUE(record.completed);
  expect_nothing_told_too_early(browser.read_up_to("event: end"), record);
}

TEST_F(HiddenPage, AtATableToo) {
  Table table(feed_, nullptr);
  Client browser(port(), kGet);
  browser.read_up_to("event: complete");
  const MatchRecord record = play(&table);
  expect_nothing_told_too_early(browser.read_up_to("event: end"), record);
}

TEST_F(HiddenPage, ABrowserThatComesBehindTheEndHearsOfOneMatch) {
  play(nullptr);
  Client browser(port(), kGet);
  const std::string stream = browser.read_up_to("event: complete");
  std::size_t matches = 0;
  for (const std::string& event : events(stream))
    matches += event.starts_with("event: match") ? 1 : 0;
  EXPECT_EQ(matches, 1u);
  EXPECT_THAT(stream, HasSubstr("crouch"));
  EXPECT_THAT(stream, Not(HasSubstr("\"sight\"")));
}

TEST_F(HiddenPage, ThereAreNoHintsWithoutAnAdviser) {
  Table table(feed_, nullptr);
  play(&table);
  EXPECT_EQ(post(feed_.url(), "/hint", R"({"id":"m.1","role":0,"step":0})"), 409);
  EXPECT_EQ(post(feed_.url(), "/undo", R"({"id":"m.1"})"), 409);
}

TEST_F(HiddenPage, AMatchOfProgramsIsShownWhole) {
  Client browser(port(), kGet);
  browser.read_up_to("event: complete");
  boost::asio::io_context context;
  std::vector<std::unique_ptr<MatchPlayer>> players(3);
  WatchedMatch live(feed_);
  MatchOptions options;
  options.match_id = "m.2";
  run_match(read_rulesheet("hideout", kHideout), options, players, context, {}, live);
  const std::string stream = browser.read_up_to("event: end");
  EXPECT_THAT(stream, HasSubstr("crouch"));
  EXPECT_THAT(stream, HasSubstr("percepts"));
}

}  // namespace
}  // namespace ludens::server
