// SPDX-License-Identifier: MIT
#include "server/wasm/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "gdl/text/file.h"
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
  json::object sit(const std::string& game, json::array people) {
    return sit_at(bundled(game), std::move(people));
  }
  json::object sit_at(const std::string& rules, json::array people) {
    return ask(
        {{"do", "table"}, {"game", "game"}, {"text", rules}, {"people", people}, {"ms", 20}});
  }
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
