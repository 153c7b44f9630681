// SPDX-License-Identifier: MIT
// The host of a game with hidden information: what players learn of it, and what they don't.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "gdl/text/file.h"
#include "search/registry/registry.h"
#include "server/game/bundled_games.h"
#include "server/match/builtin_player.h"
#include "server/match/match.h"
#include "server/match/scrambler.h"
#include "server/records/record_files.h"
#include "server/records/replay.h"
#include "tests/project_folder.h"
#include "tests/server/match/hidden_games.h"
#include "tests/server/match/scripted_player.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

using testing::HasSubstr;
using testing::Not;
using Lines = std::vector<std::string>;

/// A match between scripted and built-in players.
class HiddenHostTest : public testing::Test {
 protected:
  /// A player that says these moves, the last of them again and again.
  Lines& add(const Lines& moves) {
    logs_.push_back(std::make_unique<Lines>());
    players.push_back(std::make_unique<ScriptedPlayer>(
        context,
        [moves](std::size_t n) { return text_answer(moves[std::min(n, moves.size() - 1)]); },
        *logs_.back()));
    return *logs_.back();
  }
  void add_strategy(const std::string& strategy) {
    BuiltinOptions builtin;
    builtin.strategy = search::parse_strategy(strategy).value();
    builtin.memory_bytes = std::size_t{128} << 20;
    builtin.seed = players.size() + 1;
    players.push_back(make_builtin_player(builtin, context));
  }
  void add_chance() { players.push_back(nullptr); }

  MatchRecord play(const Rulesheet& game) {
    options.match_id = "hidden.1";
    MatchObserver nobody;
    MatchRecord record = run_match(game, options, players, context, {}, nobody);
    players.clear();
    EXPECT_EQ(record.percepts.size(), record.moves.size());
    const ReplayResult result = replay(record, game.rules);
    EXPECT_TRUE(result.disagreements.empty())
        << game.name << ": " << result.disagreements.front().what;
    return record;
  }
  MatchRecord play() { return play(read_rulesheet("hideout", kHideout)); }

  /// What a scripted player of the role should have learned.
  static Lines expected(const MatchRecord& record, std::size_t role) {
    Lines lines{"START " + record.roles[role], "PLAY"};
    for (std::size_t step = 1; step <= record.moves.size(); ++step) {
      const OwnView view = view_of(record, role, step);
      std::string line = step < record.moves.size() ? "PLAY " : "STOP ";
      line += std::to_string(view.turn) + " " + view.move + " sees";
      for (const std::string& percept : view.percepts) line += " " + percept;
      lines.push_back(std::move(line));
    }
    return lines;
  }

  boost::asio::io_context context{1};
  std::vector<std::unique_ptr<MatchPlayer>> players;
  MatchOptions options;

 private:
  std::vector<std::unique_ptr<Lines>> logs_;
};

TEST_F(HiddenHostTest, EachPlayerIsToldItsOwnMoveAndPerceptsAlone) {
  Lines& seeker = add({"( look north )", "( look west )", "( look south )"});
  Lines& hider = add({"( crouch south )", "( crouch west )", "( crouch north )"});
  add_chance();
  const MatchRecord record = play();
  EXPECT_TRUE(record.completed);
  EXPECT_EQ(record.goals[0], 100);
  EXPECT_EQ(seeker, expected(record, 0));
  EXPECT_EQ(hider, expected(record, 1));
  // And by hand, of the first two rounds; the sky is fair in the first.
  EXPECT_EQ(seeker[2], "PLAY 1 ( look north ) sees calm");
  EXPECT_EQ(seeker[3], "PLAY 2 ( look west ) sees found");
  EXPECT_EQ(hider[2], "PLAY 1 ( crouch south ) sees ( looked north )");
  for (const std::string& line : seeker) {
    for (const char* secret : {"crouch", "bring", "foggy", "lair"}) {
      EXPECT_THAT(line, Not(HasSubstr(secret)));
    }
  }
}

TEST_F(HiddenHostTest, TheRecordKeepsEverything) {
  add({"( look north )"});
  add({"( crouch south )", "( crouch north )"});
  add_chance();
  const ScratchFolder folder;
  options.folder = folder.path();
  const MatchRecord record = play();
  ASSERT_EQ(record.percepts.size(), 3u);
  EXPECT_EQ(record.percepts[0][0], Lines{"calm"});
  EXPECT_EQ(record.percepts[1][0], Lines{"found"});
  EXPECT_EQ(record.percepts[1][1], Lines{"( looked north )"});
  EXPECT_EQ(record.percepts[1][2], Lines{}) << "chance perceives nothing";
  const Rulesheet game = read_rulesheet("hideout", kHideout);
  for (const char* file : {"hidden.1.json", "hidden.1.xml"}) {
    const auto found = read_records(folder.path() / file);
    ASSERT_TRUE(found) << file;
    ASSERT_EQ(found->size(), 1u);
    ASSERT_TRUE(found->front().record) << file << ": " << found->front().record.error().text;
    const MatchRecord& read = *found->front().record;
    EXPECT_EQ(read.percepts.size(), 3u) << file;
    EXPECT_TRUE(replay(read, game.rules).disagreements.empty()) << file;
    MatchRecord doctored = read;
    doctored.percepts[1][0].clear();
    EXPECT_EQ(replay(doctored, game.rules).disagreements.size(), 1u) << file;
  }
}

TEST_F(HiddenHostTest, AReplacedMoveIsToldAsThePlayersOwn) {
  options.replace = ReplacementPolicy::First;
  Lines& seeker = add({"( look up )", "( look north )"});
  add({"( crouch west )"});
  add_chance();
  const MatchRecord record = play();
  EXPECT_EQ(record.errors[1][0], "IL ( look up )");
  EXPECT_EQ(seeker, expected(record, 0));
  EXPECT_THAT(seeker[2], HasSubstr("PLAY 1 " + record.moves[0][0] + " sees"));
}

TEST_F(HiddenHostTest, AScrambledMatchHasOtherWordsForPercepts) {
  options.scramble = true;
  options.seed = 5;
  const Rulesheet game = read_rulesheet("hideout", kHideout);
  const Scrambler words(*game.rules->source, options.seed);
  Lines& seeker = add({words.scramble("( look north )")});
  Lines& hider = add({words.scramble("( crouch north )")});
  add_chance();
  const MatchRecord record = play();
  EXPECT_EQ(record.percepts[0][0], Lines{"found"}) << "records have the words of the rules";
  EXPECT_EQ(seeker[2], words.scramble("PLAY 1 ( look north ) sees found"));
  EXPECT_EQ(hider[2], words.scramble("PLAY 1 ( crouch north ) sees ( looked north )"));
  for (const std::string& line : seeker) EXPECT_THAT(line, Not(HasSubstr("found")));
}

/// Chance picks a letter, which only the spy perceives; the guard perceives both a turn later.
constexpr const char* kLetters =
    "(role guard) (role spy) (role random) (init (step 0)) (succ 0 1) (succ 1 2)"
    "(letter a) (letter b)"
    "(<= (legal random (pick ?x)) (letter ?x) (true (step 0)))"
    "(<= (legal random noop) (true (step 1))) (legal guard wait) (legal spy wait)"
    "(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))"
    "(<= (sees spy (card ?x)) (does random (pick ?x)))"
    "(<= (sees guard (card ?x)) (true (step 1)) (letter ?x))"
    "(<= terminal (true (step 2))) (goal guard 50) (goal spy 50) (goal random 50)";

TEST_F(HiddenHostTest, TheOrderOfPerceptsTellsNothing) {
  std::map<std::string, std::set<Lines>> told;  // [pick]: all that the guard was told
  for (options.seed = 1; options.seed <= 20; ++options.seed) {
    const Lines& guard = add({"wait"});
    add({"wait"});
    add_chance();
    const MatchRecord record = play(read_rulesheet("letters", kLetters));
    EXPECT_EQ(guard.back(), "STOP 2 wait sees ( card a ) ( card b )");
    told[record.moves[0][2]].insert(guard);
  }
  ASSERT_EQ(told.size(), 2u) << "chance picked the same letter each time";
  EXPECT_EQ(told["( pick a )"], told["( pick b )"]);
}

TEST_F(HiddenHostTest, PerceptsAreInTheOrderOfTheWordsThatAreTold) {
  options.scramble = true;
  for (options.seed = 1; options.seed <= 10; ++options.seed) {
    const Rulesheet game = read_rulesheet("letters", kLetters);
    const Scrambler words(*game.rules->source, options.seed);
    Lines cards{words.scramble("( card a )"), words.scramble("( card b )")};
    std::ranges::sort(cards);
    const Lines& guard = add({words.scramble("wait")});
    add({words.scramble("wait")});
    add_chance();
    play(game);
    EXPECT_THAT(guard.back(), HasSubstr("sees " + cards[0] + " " + cards[1]));
  }
}

TEST_F(HiddenHostTest, AnOpeningIsToldAsPercepts) {
  options.opening_steps = 2;
  options.seed = 3;
  Lines& seeker = add({"( look north )"});
  add({"( crouch north )"});
  add_chance();
  const MatchRecord record = play();
  EXPECT_EQ(record.opening_steps, 2u);
  EXPECT_EQ(seeker, expected(record, 0));
}

TEST_F(HiddenHostTest, BuiltInPlayersPlayTheSameMatchFromTheSameSeed) {
  const auto match = [&] {
    add_strategy("mcts:playouts=40");
    add_strategy("random");
    add_chance();
    return play();
  };
  const MatchRecord once = match(), again = match();
  EXPECT_EQ(once.moves, again.moves);
  EXPECT_EQ(once.percepts, again.percepts);
  for (const auto& row : once.errors) EXPECT_EQ(row, (Lines{"", "", ""}));
}

TEST_F(HiddenHostTest, WhatABuiltInPlayerDoesDependsOnWhatItKnowsAlone) {
  // Two hiders that differ only where the seeker can't see it: it must make the same moves.
  const auto seekers_moves = [&](const Lines& hider) {
    add_strategy("mcts:playouts=60");
    add(hider);
    add_chance();
    const MatchRecord record = play();
    std::vector<std::pair<std::string, Lines>> known;
    for (std::size_t step = 0; step < record.moves.size(); ++step) {
      known.emplace_back(record.moves[step][0], record.percepts[step][0]);
    }
    return known;
  };
  const auto first = seekers_moves({"( crouch north )"});
  const auto second = seekers_moves({"( crouch south )"});
  const auto third = seekers_moves({"( crouch west )"});
  for (const auto& [a, b] :
       {std::pair(first, second), std::pair(second, third), std::pair(first, third)}) {
    EXPECT_EQ(a[0].first, b[0].first) << "nothing is known before the first move";
    for (std::size_t step = 1; step < a.size() && a[step - 1] == b[step - 1]; ++step) {
      EXPECT_EQ(a[step].first, b[step].first) << "the same was known before step " << step;
    }
  }
}

TEST_F(HiddenHostTest, ChanceIsDrawnEvenly) {
  std::map<std::string, int> drawn;
  for (options.seed = 1; options.seed <= 60; ++options.seed) {
    add({"( look north )"});
    add({"( crouch west )"});
    add_chance();
    for (const auto& moves : play().moves) ++drawn[moves[2]];
  }
  EXPECT_EQ(drawn.size(), 2u);
  for (const auto& [move, times] : drawn) {  // 180 throws: five deviations of 6.7 on either side
    EXPECT_GT(times, 56) << move;
    EXPECT_LT(times, 124) << move;
  }
}

/// Whole matches of a game between strategies of this program.
class HiddenGames : public HiddenHostTest, public testing::WithParamInterface<const char*> {
 protected:
  void play_out(const Rulesheet& game, const std::string& strategy) {
    SCOPED_TRACE(game.name + " by " + strategy);
    options.step_cap = 8;
    options.start_clock_seconds = options.play_clock_seconds = 60;
    for (gdl::RoleIndex role = 0; role < game.rules->roles.size(); ++role) {
      if (role == game.rules->random) {
        add_chance();
      } else {
        add_strategy(strategy);
      }
    }
    const MatchRecord record = play(game);
    EXPECT_TRUE(record.completed || record.moves.size() == options.step_cap) << record.end_reason;
    for (const auto& row : record.errors) {
      for (const std::string& error : row) EXPECT_EQ(error, "");
    }
  }
};

TEST_P(HiddenGames, ArePlayedWithoutFault) {
  const std::string name = GetParam();
  const std::string file = name.starts_with("bundled/")
                               ? project_folder() + "/config/games/" + name.substr(8) + ".kif"
                               : project_folder() + "/../shared/gdl2/rules/" + name + ".kif";
  if (!std::filesystem::exists(file)) {
    GTEST_SKIP() << "the public rulesheets are not beside the project: " << file;
  }
  const Rulesheet game = load_game(file).value();
  ASSERT_TRUE(game.rules->has_rule(gdl::kSees));
  for (options.seed = 1; options.seed <= 3; ++options.seed) play_out(game, "random");
  play_out(game, "mcts:playouts=20");
}

INSTANTIATE_TEST_SUITE_P(Bundled, HiddenGames,
                         testing::Values("bundled/kuhn_poker", "bundled/leduc_poker",
                                         "bundled/liars_dice"));
INSTANTIATE_TEST_SUITE_P(Public, HiddenGames,
                         testing::Values("blindtictactoe", "blindtictactoeXbias", "kriegTTT_5x5",
                                         "mastermind", "mastermind2x3", "mastermind_cai", "meier",
                                         "montyhall", "pennies", "scissor_paper_rock", "stratego",
                                         "transit"));

}  // namespace
}  // namespace ludens::server
