// SPDX-License-Identifier: MIT
#include "server/wasm/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "gdl/text/file.h"
#include "server/game/rulesheet.h"
#include "server/records/ggp_json.h"
#include "server/records/replay.h"
#include "tests/project_folder.h"

namespace ludens::server::wasm {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

std::string bundled(const std::string& name) {
  return gdl::read_file(std::string(project_folder()) + "/config/games/" + name + ".kif").value();
}

/// A table as the page has it.
class TableInAPage : public testing::Test {
 protected:
  json::object ask(json::object request) {
    return json::parse(engine_.ask(json::serialize(request))).as_object();
  }
  /// A new match with people in these roles.
  json::object sit(const std::string& game, const std::vector<std::size_t>& people) {
    return sit_at(bundled(game), people);
  }
  json::object sit_at(const std::string& rules, const std::vector<std::size_t>& people) {
    json::array seats(ask({{"do", "look"}, {"text", rules}}).at("roles").as_array().size(),
                      program());
    for (const std::size_t role : people) seats[role] = person();
    return seat(rules, seats);
  }
  /// The others have 20 ms.
  static json::object person() { return {{"person", true}, {"ms", 20}}; }
  static json::object program() { return {{"strategy", "auto"}, {"ms", 20}}; }
  json::object seat(const std::string& rules, const json::array& seats, json::object more = {}) {
    more["do"] = "table";
    more["game"] = "game";
    more["text"] = rules;
    more["seats"] = seats;
    return ask(std::move(more));
  }
  /// The record as the page keeps it.
  std::string record() { return std::string(ask({{"do", "record"}}).at("record").as_string()); }
  /// Lets the program do all that it has to do.
  void go() {
    while (ask({{"do", "go"}}).at("busy").as_bool()) {
    }
  }
  /// The last event of that name; fails where there is none.
  json::object last(const std::string& event) {
    for (auto told = told_.rbegin(); told != told_.rend(); ++told) {
      if (told->at("event").as_string() == event) return told->at("data").as_object();
    }
    ADD_FAILURE() << "no event " << event;
    return {};
  }
  int count(const std::string& event) {
    int n = 0;
    for (const json::object& told : told_) n += told.at("event").as_string() == event;
    return n;
  }
  /// Makes the first legal move of the person whose turn it is.
  json::object move() {
    const json::object turn = last("turn");
    return ask({{"do", "move"},
                {"role", turn.at("role")},
                {"step", turn.at("step")},
                {"move", turn.at("legal").at(0).at("move")}});
  }

  std::vector<json::object> told_;
  Engine engine_{std::size_t{256} << 20, [this](const std::string& text) {
                   told_.push_back(json::parse(text).as_object());
                 }};
};

TEST_F(TableInAPage, AsksAPersonAndAnswers) {
  EXPECT_FALSE(sit("tic_tac_toe", {0}).at("busy").as_bool());
  EXPECT_EQ(last("game").at("rows").as_array().size(), 3u);
  EXPECT_EQ(last("match").at("roles").at(0).at("human"), true);
  EXPECT_EQ(last("turn").at("legal").as_array().size(), 9u);
  EXPECT_TRUE(move().at("busy").as_bool());
  go();
  EXPECT_EQ(count("step"), 2);
  EXPECT_EQ(last("turn").at("legal").as_array().size(), 7u);
}

TEST_F(TableInAPage, PlaysAgainstItself) {
  EXPECT_TRUE(sit("tic_tac_toe", {}).at("busy").as_bool());
  go();
  const json::object end = last("end").at("end").as_object();
  EXPECT_EQ(end.at("completed"), true);
  EXPECT_EQ(end.at("goals").as_array().size(), 2u);
  EXPECT_EQ(count("turn"), 0);
}

TEST_F(TableInAPage, GivesAHintAndTakesBack) {
  sit("tic_tac_toe", {0});
  do {  // again where a slow machine finds nothing in time
    EXPECT_TRUE(ask({{"do", "hint"}, {"role", 0}, {"step", 0}}).at("busy").as_bool());
    go();
  } while (!last("advice").contains("move"));
  move();
  go();
  EXPECT_FALSE(ask({{"do", "undo"}}).contains("problem"));
  EXPECT_EQ(count("dropped"), 1);
  EXPECT_EQ(last("match").at("steps").as_array().size(), 1u);
  EXPECT_EQ(last("turn").at("legal").as_array().size(), 9u);
  EXPECT_EQ(ask({{"do", "undo"}}).at("problem"), "nothing was chosen yet");
}

TEST_F(TableInAPage, EndsWhenSomebodyResignsAndBeginsAnew) {
  sit("tic_tac_toe", {0});
  EXPECT_FALSE(ask({{"do", "resign"}, {"role", 0}}).contains("problem"));
  EXPECT_EQ(last("end").at("end").at("completed"), false);
  EXPECT_TRUE(ask({{"do", "restart"}, {"role", 1}}).at("busy").as_bool());
  EXPECT_EQ(last("match").at("roles").at(1).at("human"), true);
  go();
  EXPECT_EQ(last("turn").at("role"), 1);
}

TEST_F(TableInAPage, RefusesWhatIsMeantForTheMatchBefore) {
  sit("tic_tac_toe", {0});
  for (int moves = 0; moves < 2; ++moves) {
    move();
    go();
  }
  const json::value id = last("match").at("id");
  EXPECT_FALSE(ask({{"do", "undo"}, {"id", id}}).contains("problem"));
  for (const char* what : {"undo", "restart", "resign", "hint", "move"}) {
    EXPECT_EQ(ask({{"do", what}, {"id", id}, {"role", 0}, {"step", 2}}).at("problem"),
              "that match is over")
        << what;
  }
  EXPECT_EQ(last("match").at("steps").as_array().size(), 3u);
}

TEST_F(TableInAPage, GivesNoHintForAMoveThatIsMade) {
  sit("tic_tac_toe", {0});
  EXPECT_TRUE(ask({{"do", "hint"}, {"role", 0}, {"step", 0}}).at("busy").as_bool());
  move();
  go();
  EXPECT_EQ(count("advice"), 0);
  EXPECT_EQ(last("turn").at("step"), 2);
}

TEST_F(TableInAPage, GivesNoHintForTheMatchBefore) {
  sit("tic_tac_toe", {0});
  EXPECT_TRUE(ask({{"do", "hint"}, {"role", 0}, {"step", 0}}).at("busy").as_bool());
  EXPECT_FALSE(ask({{"do", "restart"}}).at("busy").as_bool());
}

/// Steps without a choice may be so many that they can't be made within each other.
TEST_F(TableInAPage, EachStepWithoutAChoiceIsMadeByItself) {
  EXPECT_TRUE(sit_at("(role solo) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)"
                     "(legal solo noop) (<= (next (at ?n)) (true (at ?m)) (succ ?m ?n))"
                     "(<= terminal (true (at 3))) (goal solo 100)",
                     {0})
                  .at("busy")
                  .as_bool());
  for (int steps = 0; steps < 3; ++steps) {
    EXPECT_EQ(count("step"), steps);
    EXPECT_EQ(count("end"), 0);
    ask({{"do", "go"}});
  }
  EXPECT_EQ(count("step"), 3);
  EXPECT_EQ(last("end").at("end").at("completed"), true);
}

TEST_F(TableInAPage, PlaysWhereAllMoveAtOnceAndDiceAreThrown) {
  sit("rock_paper_scissors", {0});
  for (int moves = 0; moves < 100 && count("end") == 0; ++moves) {
    go();
    if (count("end") == 0) move();
  }
  EXPECT_EQ(last("end").at("end").at("completed"), true);
  told_.clear();
  sit("pig", {});
  go();
  EXPECT_EQ(last("end").at("end").at("completed"), true);
}

TEST_F(TableInAPage, ItsRecordIsOneOfTheProgram) {
  sit("tic_tac_toe", {0});
  while (count("end") == 0) {
    move();
    go();
  }
  const auto record = parse_ggp_json(this->record());
  ASSERT_TRUE(record) << record.error().text;
  EXPECT_TRUE(record->completed);
  EXPECT_EQ(record->players, (std::vector<std::string>{"you", "Ludens"}));
  EXPECT_EQ(record->random_token.size(), 32u);
  const Rulesheet sheet = read_rulesheet("game", record->rulesheet);
  const ReplayResult replayed = replay(*record, sheet.rules);
  EXPECT_EQ(replayed.steps, record->moves.size());
  EXPECT_TRUE(replayed.disagreements.empty()) << replayed.disagreements.front().what;
}

TEST_F(TableInAPage, GoesOnFromARecord) {
  sit("tic_tac_toe", {0});
  move();
  go();
  move();
  const json::value id = last("match").at("id");
  const json::object before = ask({{"do", "record"}});
  const std::string kept(before.at("record").as_string());
  told_.clear();
  EXPECT_TRUE(
      seat(bundled("tic_tac_toe"), {person(), program()}, {{"record", kept}}).at("busy").as_bool());
  EXPECT_EQ(last("match").at("id"), id);
  EXPECT_EQ(last("match").at("steps").as_array().size(), 4u);
  EXPECT_EQ(before.at("steps"), 3);
  EXPECT_EQ(parse_ggp_json(record())->moves, parse_ggp_json(kept)->moves);
  EXPECT_GT(parse_ggp_json(record())->latencies_ms[2][1], 0);
  go();
  EXPECT_EQ(last("turn").at("step"), 4);
  EXPECT_FALSE(ask({{"do", "undo"}}).contains("problem"));
  EXPECT_EQ(last("match").at("steps").as_array().size(), 3u);
}

TEST_F(TableInAPage, GoesOnFromAMatchThatWasResigned) {
  sit("tic_tac_toe", {0});
  ask({{"do", "resign"}, {"role", 0}});
  const std::string kept = record();
  told_.clear();
  seat(bundled("tic_tac_toe"), {person(), program()}, {{"record", kept}});
  EXPECT_EQ(last("end").at("end").at("reason"), "role x has resigned");
}

TEST_F(TableInAPage, RefusesARecordOfAnotherGame) {
  sit("tic_tac_toe", {0});
  move();
  const std::string kept = record();
  seat(bundled("nim"), {person()}, {{"record", kept}});
  EXPECT_EQ(last("end").at("end").at("reason"), "step 1 of the record is not legal");
  EXPECT_THAT(
      std::string(seat(bundled("nim"), {person()}, {{"record", "{}"}}).at("problem").as_string()),
      HasSubstr("the record can't be read"));
}

/// The program's choice may be made for it: it was interrupted, and this was the best it knew.
TEST_F(TableInAPage, TellsWhatItThinksAndTakesThatForItsMove) {
  seat(bundled("connect_four"), {person(), {{"strategy", "mcts"}, {"ms", 500}}});
  move();
  go();
  const json::object thought = last("thought");
  EXPECT_EQ(thought.at("role"), 1);
  EXPECT_EQ(thought.at("step"), 1);
  EXPECT_FALSE(ask({{"do", "undo"}}).contains("problem"));
  move();
  EXPECT_FALSE(
      ask({{"do", "move"}, {"role", 1}, {"step", 1}, {"move", thought.at("move").at("move")}})
          .contains("problem"));
  EXPECT_EQ(last("turn").at("step"), 2);
}

/// Where all move at once, the seats of the program think one after the other.
TEST_F(TableInAPage, SeatsOfTheProgramShareTheTimeOfAStep) {
  const json::object one{{"strategy", "mcts"}, {"ms", 3000}};
  seat(bundled("tron"), {one, one});
  EXPECT_EQ(last("asked").at("ms"), 3000);
  for (int choices = 0; choices < 2; ++choices) ask({{"do", "go"}});
  EXPECT_EQ(count("step"), 1);
  EXPECT_LT(parse_ggp_json(record())->latencies_ms[1][0], 3000);
}

TEST_F(TableInAPage, SeatsStrategiesByName) {
  const json::object random{{"strategy", "random:seed=7"}, {"ms", 20}};
  seat(bundled("tic_tac_toe"), {random, program()});
  EXPECT_EQ(last("match").at("roles").at(0).at("player"), "Ludens random:seed=7");
  go();
  EXPECT_EQ(last("end").at("end").at("completed"), true);
  EXPECT_THAT(
      std::string(seat(bundled("nim"), {{{"strategy", "nonsense"}}}).at("problem").as_string()),
      HasSubstr("nonsense"));
  EXPECT_THAT(
      std::string(
          seat(bundled("nim"), {program(), program(), program()}).at("problem").as_string()),
      HasSubstr("3 seats for 2 roles"));
}

/// What the manager says to a page in the last event.
std::string said(const json::object& pages) {
  return std::string(pages.at("messages").at(0).at("content").as_string());
}

TEST_F(TableInAPage, SpeaksToPagesAsAManagerDoes) {
  const json::object page{{"page", "white"}};
  EXPECT_FALSE(seat(bundled("tic_tac_toe"), {page, {{"strategy", "random"}, {"ms", 20}}},
                    {{"startClock", 7}, {"playClock", 3}})
                   .at("busy")
                   .as_bool());
  EXPECT_THAT(said(last("pages")), testing::StartsWith("start(x,ruleset("));
  EXPECT_THAT(said(last("pages")), testing::EndsWith("),7,3)"));
  EXPECT_EQ(last("pages").at("messages").at(0).at("ms"), 7000);
  const auto answer = [&](std::size_t step, const char* text) {
    return ask({{"do", "answer"}, {"role", 0}, {"step", step}, {"text", text}, {"ms", 5}});
  };
  answer(0, "ready");
  EXPECT_EQ(said(last("pages")), "play([])");
  EXPECT_EQ(last("pages").at("messages").at(0).at("player"), "white");
  EXPECT_EQ(last("pages").at("messages").at(0).at("ms"), 3000);
  answer(0, "mark(2,2)");
  EXPECT_EQ(said(last("pages")), "play(mark(2,2))");
  EXPECT_FALSE(last("pages").at("messages").at(0).as_object().contains("ms")) << "it waits";
  EXPECT_EQ(answer(1, "mark(1,1)").at("problem"), "that was not asked for");
  go();
  EXPECT_EQ(last("pages").at("step"), 2);
  EXPECT_THAT(said(last("pages")), testing::StartsWith("play(mark("));
  answer(2, "mark(2,2)");  // taken
  EXPECT_EQ(last("step").at("step").at("errors").at(0), "IL ( mark 2 2 )");
  go();
  ask({{"do", "answer"}, {"role", 0}, {"step", 4}, {"ms", 3000}});
  EXPECT_EQ(last("step").at("step").at("errors").at(0), "TO");
  EXPECT_EQ(ask({{"do", "undo"}}).at("problem"), "a page can't take moves back");
  const auto record = parse_ggp_json(this->record());
  ASSERT_EQ(record->replacements.size(), 2u);
  EXPECT_EQ(record->replacements[0].answer, "(mark 2 2)");
  EXPECT_EQ(record->latencies_ms[1][0], 5);
}

TEST_F(TableInAPage, TellsPagesThatAnotherMatchBegins) {
  seat(bundled("tic_tac_toe"), {{{"page", "white"}}});
  ask({{"do", "answer"}, {"role", 0}, {"step", 0}, {"text", "late"}});
  EXPECT_THAT(parse_ggp_json(record())->warnings,
              testing::ElementsAre(HasSubstr("answered START")));
  ask({{"do", "restart"}});
  std::vector<std::string> all;
  for (const json::object& told : told_) {
    if (told.at("event") == "pages") all.push_back(said(told.at("data").as_object()).substr(0, 6));
  }
  EXPECT_THAT(all, testing::ElementsAre("start(", "play([", "abort(", "start("));
}

TEST_F(TableInAPage, TellsPagesOfAMatchThatWasLoadedAgainBeforeItsFirstMove) {
  const json::array seats{{{"page", "white"}}, {{"page", "black"}}};
  seat(bundled("tic_tac_toe"), seats);
  const std::string kept = record();
  told_.clear();
  seat(bundled("tic_tac_toe"), seats, {{"record", kept}});
  EXPECT_THAT(said(last("pages")), testing::StartsWith("start("));
  for (const int role : {0, 1})
    ask({{"do", "answer"}, {"role", role}, {"step", 0}, {"text", "ready"}});
  EXPECT_EQ(said(last("pages")), "play([])");
  ask({{"do", "answer"}, {"role", 0}, {"step", 0}, {"text", "mark(2,2)"}});
  EXPECT_FALSE(last("step").at("step").as_object().contains("errors"));
}

TEST_F(TableInAPage, TellsPagesOfTheEnd) {
  const json::object page{{"page", "white"}};
  seat(bundled("tic_tac_toe"), {page, {{"page", "black"}}});
  for (const int role : {0, 1})
    ask({{"do", "answer"}, {"role", role}, {"step", 0}, {"text", "ready"}});
  const char* moves[] = {"mark(1,1)", "mark(2,1)", "mark(1,2)", "mark(2,2)", "mark(1,3)"};
  for (std::size_t step = 0; step < 5; ++step) {
    EXPECT_EQ(last("pages").at("messages").as_array().size(), 2u);
    ask({{"do", "answer"}, {"role", step % 2}, {"step", step}, {"text", moves[step]}});
  }
  EXPECT_EQ(said(last("pages")), "stop(mark(1,3))");
  EXPECT_EQ(last("end").at("end").at("goals").at(0), 100);
}

TEST_F(TableInAPage, SendsNoGameToPagesThatTheyCanNotPlay) {
  EXPECT_THAT(
      std::string(
          seat(bundled("rock_paper_scissors"), {{{"page", "white"}}}).at("problem").as_string()),
      HasSubstr("can't be sent to a page"));
}

TEST_F(TableInAPage, RefusesWhatIsNotToBePlayed) {
  EXPECT_EQ(ask({{"do", "go"}}).at("problem"), "no match has begun");
  sit("tic_tac_toe", {0});
  EXPECT_EQ(ask({{"do", "move"}, {"role", 1}, {"step", 0}, {"move", "noop"}}).at("problem"),
            "that can't be played now");
  EXPECT_EQ(ask({{"do", "move"}, {"role", 0}, {"step", 0}, {"move", "noop"}}).at("problem"),
            "that is not a legal move");
  EXPECT_THAT(engine_.ask("no JSON"), HasSubstr("not an object"));
}

TEST_F(TableInAPage, LooksAtRules) {
  EXPECT_EQ(ask({{"do", "look"}, {"text", bundled("tic_tac_toe")}}).at("roles").as_array().size(),
            2u);
  EXPECT_THAT(
      std::string(ask({{"do", "look"}, {"text", bundled("kuhn_poker")}}).at("problem").as_string()),
      testing::HasSubstr("here everybody sees everything"));
  EXPECT_THAT(std::string(ask({{"do", "look"}, {"text", "(role x"}}).at("problem").as_string()),
              HasSubstr("rules:1:"));
}

TEST_F(TableInAPage, TellsAllThatIsToBeSaidOfRules) {
  const auto look = [&](const std::string& text) {
    return ask({{"do", "look"}, {"text", text}, {"all", true}});
  };
  const std::string begin = "role(r) control(r) base(p(1)) init(p(1)) action(a) action(b(1))\n";
  const auto first = [](const json::object& seen) { return seen.at("diagnostics").at(0); };
  const json::object typo = look(begin + "legal(a) :- pp(1)\nlegal(a) :- p(1)\nterminal :- ~p(1)");
  ASSERT_GE(typo.at("diagnostics").as_array().size(), 1u);
  EXPECT_EQ(first(typo).at("line"), 2);
  EXPECT_EQ(first(typo).at("severity"), "warning");
  EXPECT_FALSE(typo.contains("problem")) << "it can be played";
  const json::object wrong =
      look(begin + "legal(b(Z)) :- p(X)\nlegal(b(Y)) :- p(X)\nterminal :- ~p(1)");
  EXPECT_EQ(wrong.at("diagnostics").as_array().size(), 2u);
  EXPECT_EQ(first(wrong).at("text"), "Z is bound by no positive literal");
  std::string many = "role(r) control(r) legal(a) terminal\n";
  for (int i = 0; i < 150; ++i)
    many += "p" + std::to_string(i) + " :- q" + std::to_string(i) + "\n";
  EXPECT_EQ(look(many).at("diagnostics").as_array().size(), 100u);
  EXPECT_GT(look(many).at("more").to_number<int>(), 0);
}

TEST_F(TableInAPage, Measures) {
  const json::object figures =
      ask({{"do", "measure"}, {"text", bundled("tic_tac_toe")}, {"ms", 1}});
  EXPECT_GT(figures.at("steps_per_s").to_number<double>(), 0);
  EXPECT_GT(figures.at("iterations_per_s").to_number<double>(), 0);
  const json::object plain = ask(
      {{"do", "measure"}, {"text", bundled("tic_tac_toe")}, {"machine", "sliced:128"}, {"ms", 1}});
  EXPECT_EQ(plain.at("lanes"), 128);
  EXPECT_EQ(plain.at("generated"), false);
  EXPECT_GT(plain.at("steps_per_s").to_number<double>(), 0);
  EXPECT_TRUE(ask({{"do", "measure"}, {"text", bundled("nim")}, {"machine", "none"}, {"ms", 1}})
                  .contains("problem"));
}

}  // namespace
}  // namespace ludens::server::wasm
