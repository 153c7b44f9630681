// SPDX-License-Identifier: MIT
#include "server/match/match.h"

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <fstream>
#include <set>

#include "search/registry/registry.h"
#include "server/match/builtin_player.h"
#include "server/records/record_files.h"
#include "server/records/replay.h"
#include "tests/project_folder.h"
#include "tests/server/match/scripted_player.h"
#include "tests/server/match/test_games.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

using Script = ScriptedPlayer::Script;
using Rows = std::vector<std::vector<std::string>>;

Script always(const std::string& move) {
  return [move](std::size_t) { return text_answer(move); };
}

/// Warnings, in order.
class Listener final : public MatchObserver {
 public:
  void warned(const std::string& text) override { warnings.push_back(text); }
  std::vector<std::string> warnings;
};

/// A match between scripted players.
class MatchTest : public testing::Test {
 protected:
  ScriptedPlayer& add(Script script) {
    logs_.push_back(std::make_unique<std::vector<std::string>>());
    auto player = std::make_unique<ScriptedPlayer>(context, std::move(script), *logs_.back());
    ScriptedPlayer& added = *player;
    players.push_back(std::move(player));
    return added;
  }
  void add_builtin(const std::string& strategy) {
    BuiltinOptions builtin;
    builtin.strategy = search::parse_strategy(strategy).value();
    players.push_back(make_builtin_player(builtin, context));
  }
  MatchRecord play(const char* rules) {
    options.match_id = "test.1";
    const Rulesheet game = read_rulesheet("test", rules);
    EXPECT_FALSE(gdl::has_error(game.diagnostics));
    MatchRecord record = run_match(game, options, players, context, source.get_token(), listener);
    EXPECT_EQ(record.states.size(), record.moves.size() + 1);
    EXPECT_EQ(record.state_times_ms.size(), record.states.size());
    EXPECT_EQ(record.errors.size(), record.states.size());
    EXPECT_EQ(record.latencies_ms.size(), record.states.size());
    EXPECT_TRUE(replay(record, game.rules).disagreements.empty());
    return record;
  }
  /// Of the n-th scripted player.
  const std::vector<std::string>& log(std::size_t player) { return *logs_.at(player); }

  boost::asio::io_context context{1};
  std::vector<std::unique_ptr<MatchPlayer>> players;
  MatchOptions options;
  std::stop_source source;
  Listener listener;

 private:
  std::vector<std::unique_ptr<std::vector<std::string>>> logs_;
};

TEST_F(MatchTest, PlaysToTheEndAndTellsThePlayersEverything) {
  add(always("( pick a )"));
  add(always("noop"));
  const MatchRecord record = play(kPicking);
  EXPECT_TRUE(record.completed);
  EXPECT_FALSE(record.aborted);
  EXPECT_EQ(record.goals, (std::vector<int>{100, 50}));
  EXPECT_EQ(record.moves, Rows(3, {"( pick a )", "noop"}));
  EXPECT_EQ(record.errors, Rows(4, {"", ""}));
  EXPECT_EQ(record.states.front(), "( ( step 0 ) )");
  EXPECT_EQ(record.states.back(), "( ( chosen white a ) ( step 3 ) )");
  EXPECT_EQ(record.random_token.size(), 32u);
  EXPECT_EQ(log(1), (std::vector<std::string>{"START black", "PLAY", "PLAY ( pick a ) noop",
                                              "PLAY ( pick a ) noop", "STOP ( pick a ) noop"}));
}

TEST_F(MatchTest, SendsTheRulesOnOneLineWithTheClocks) {
  ScriptedPlayer& white = add(always("noop"));
  add(always("noop"));
  options.start_clock_seconds = 7;
  options.play_clock_seconds = 3;
  play(
      "; a comment\n(role white)\n(role black) (legal white noop)(legal black noop)\n"
      "(<= terminal (true p)) (<= (next p) (does white noop)) (goal white 1) (goal black 2)");
  EXPECT_THAT(white.invitation().game->description(),
              testing::StartsWith("( ( role white ) ( role black ) ( legal white noop )"));
  EXPECT_EQ(white.invitation().game->description().find('\n'), std::string::npos);
  EXPECT_EQ(white.invitation().start_clock_seconds, 7);
  EXPECT_EQ(white.invitation().play_clock_seconds, 3);
}

TEST_F(MatchTest, ReplacesWhatCannotBeTakenAndSaysWhy) {
  add([](std::size_t n) {
    return n == 0   ? failed_answer(Answer::Kind::TimedOut)
           : n == 1 ? failed_answer(Answer::Kind::ConnectionFailed)
                    : text_answer("( pick c )");
  });
  add([](std::size_t n) {
    return text_answer(n == 0 ? "( wait )" : n == 1 ? "((( pick" : "noop noop");
  });
  options.replace = ReplacementPolicy::First;
  const MatchRecord record = play(kPicking);
  EXPECT_TRUE(record.completed);
  EXPECT_EQ(record.errors,
            (Rows{{"", ""}, {"TO", "IL ( wait )"}, {"CE", "IN"}, {"IL ( pick c )", "IN"}}));
  EXPECT_EQ(record.replacements.size(), 6u);
  EXPECT_EQ(record.replacements[1].answer, "( wait )");
  const std::string first = record.moves[0][0];
  for (const auto& row : record.moves) EXPECT_EQ(row, (std::vector<std::string>{first, first}));
}

TEST_F(MatchTest, ReplacesAtRandomFromTheSeed) {
  std::set<Rows> seen;
  for (const std::uint64_t seed : {1u, 2u, 3u, 1u, 2u, 3u}) {
    players.clear();
    add(always("nonsense"));
    add(always("nonsense"));
    options.seed = seed;
    seen.insert(play(kPicking).moves);
  }
  EXPECT_EQ(seen.size(), 3u);
}

TEST_F(MatchTest, TakesMovesInAnyCaseAndSpacing) {
  add(always(" (PICK\n a) "));
  add(always("NOOP"));
  const MatchRecord record = play(kPicking);
  EXPECT_EQ(record.moves, Rows(3, {"( pick a )", "noop"}));
  EXPECT_EQ(record.errors, Rows(4, {"", ""}));
}

TEST_F(MatchTest, TakesAndTellsMovesWithoutArgumentsInEitherSpelling) {
  add(always("rock"));
  ScriptedPlayer& other = add(always("(rock)"));
  const MatchRecord record = play(
      "(role a) (role b) (init (s)) (<= (legal ?r (rock)) (role ?r)) (<= (next (t)) (does a "
      "(rock)))"
      "(<= terminal (true (t))) (goal a 50) (goal b 50)");
  EXPECT_EQ(record.moves, Rows(1, {"( rock )", "( rock )"}));
  EXPECT_EQ(record.errors, Rows(2, {"", ""}));
  EXPECT_EQ(log(1).back(), "STOP ( rock ) ( rock )");
  EXPECT_THAT(other.invitation().game->description(), testing::HasSubstr("( legal ?r ( rock ) )"));
}

TEST_F(MatchTest, RecordsGoalsBeyondAHundredAsTheRulesStateThem) {
  add_builtin("minimax");
  const MatchRecord record = play(
      "(role a) (init (points 0)) (worth 50) (worth 350) (<= (legal a (take ?n)) (worth ?n))"
      "(<= (next (points ?n)) (does a (take ?n))) (<= terminal (not (true (points 0))))"
      "(<= (goal a ?n) (true (points ?n)))");
  EXPECT_EQ(record.goals, std::vector<int>{350});
  ASSERT_FALSE(record.claims.empty());
  const bool claimed = std::ranges::any_of(
      record.claims, [](const auto& row) { return row.contains("a") && row.at("a") == 350; });
  EXPECT_TRUE(claimed) << "in the same goals";
}

TEST_F(MatchTest, GoesOnWithoutAPlayerThatDoesNotStart) {
  add(always("noop")).start_answer = failed_answer(Answer::Kind::ConnectionFailed);
  add(always("noop")).start_answer = text_answer("busy");
  const MatchRecord record = play(kPicking);
  EXPECT_TRUE(record.completed);
  EXPECT_EQ(record.errors[0], (std::vector<std::string>{"CE", ""}));
  EXPECT_EQ(listener.warnings.size(), 2u);
  EXPECT_EQ(record.warnings[1], "role black: answered START with 'busy'");
}

TEST_F(MatchTest, HidesNamesFromPlayersAndNotFromTheRecord) {
  add_builtin("legal");
  ScriptedPlayer& black = add(always("( pick a )"));
  options.scramble = true;
  options.seed = 5;
  const MatchRecord record = play(kPicking);
  EXPECT_TRUE(record.scrambled);
  EXPECT_EQ(record.errors[1][0], "");
  EXPECT_THAT(record.errors[1][1], testing::StartsWith("IL"));  // knew the plain name
  EXPECT_EQ(black.invitation().game->description().find("pick"), std::string::npos);
  EXPECT_NE(black.invitation().role, "black");
  EXPECT_EQ(record.roles, (std::vector<std::string>{"white", "black"}));
  EXPECT_THAT(log(0)[2], testing::Not(testing::HasSubstr("pick")));
}

TEST_F(MatchTest, TakesMovesAsTermsOfTheRulesTold) {
  ScriptedPlayer* white = nullptr;
  white = &add([&white](std::size_t n) -> std::optional<Answer> {
    const ToldGame& game = *white->invitation().game;
    Answer answer;
    answer.kind = Answer::Kind::Move;
    answer.move = game.find_term(game.scrambler().scramble(n == 0 ? "( pick b )" : "a"))->term;
    return answer;
  });
  add_builtin("legal");
  options.scramble = true;
  options.seed = 5;
  const MatchRecord record = play(kPicking);
  EXPECT_EQ(record.moves[0][0], "( pick b )");
  EXPECT_EQ(record.errors[1], (std::vector<std::string>{"", ""}));
  EXPECT_EQ(record.errors[2], (std::vector<std::string>{"IL a", ""}));
}

TEST_F(MatchTest, ThrowsTheDiceItself) {
  std::set<Rows> seen;
  for (const std::uint64_t seed : {1u, 1u, 2u}) {
    players.clear();
    add(always("wait"));
    players.push_back(nullptr);
    options.seed = seed;
    const MatchRecord record = play(kDice);
    EXPECT_TRUE(record.completed);
    EXPECT_EQ(record.players[1], "random");
    seen.insert(record.moves);
  }
  EXPECT_EQ(seen.size(), 2u);
}

TEST_F(MatchTest, LateAnswersDoNotChangeTheDice) {
  const auto dice = [&](const std::string& answer) {
    players.clear();
    add(always(answer));
    players.push_back(nullptr);
    std::vector<std::string> thrown;
    for (const auto& row : play(kDice).moves) thrown.push_back(row[1]);
    return thrown;
  };
  EXPECT_EQ(dice("wait"), dice("nonsense"));
}

TEST_F(MatchTest, DrawsAnOpeningFromTheSeedWhateverThePlayersSay) {
  std::set<Rows> seen;
  for (const std::uint64_t seed : {1u, 1u, 2u, 3u, 4u}) {
    players.clear();
    add(always("noop"));
    add(always("nonsense"));
    options.seed = seed;
    options.opening_steps = 2;
    options.replace = ReplacementPolicy::First;
    const MatchRecord record = play(kPicking);
    EXPECT_TRUE(record.completed);
    EXPECT_EQ(record.opening_steps, 2u);
    EXPECT_EQ(record.errors[1], (std::vector<std::string>{"", ""}));  // the answers were ignored
    EXPECT_EQ(record.errors[2], (std::vector<std::string>{"", ""}));
    EXPECT_EQ(record.errors[3], (std::vector<std::string>{"", "IL nonsense"}));
    EXPECT_EQ(record.moves[2][0], "noop");
    seen.insert({record.moves[0], record.moves[1]});
  }
  EXPECT_GT(seen.size(), 1u);
  EXPECT_LT(seen.size(), 5u);
}

TEST_F(MatchTest, BuiltinPlayersFollowAnOpeningWithoutThinking) {
  add_builtin("legal");
  add_builtin("mcts:playouts=10,seed=1");
  options.opening_steps = 1;
  const MatchRecord record = play(kPicking);
  EXPECT_TRUE(record.completed);
  EXPECT_EQ(record.errors, Rows(4, {"", ""}));
  EXPECT_TRUE(record.values[0].empty());
  EXPECT_FALSE(record.values[1].empty());
}

TEST_F(MatchTest, PlaysWithoutAnOpeningWhereEveryOneEndsTheGame) {
  add(always("noop"));
  add(always("noop"));
  options.opening_steps = 3;
  const MatchRecord record = play(kPicking);
  EXPECT_EQ(record.opening_steps, 0u);
  EXPECT_EQ(listener.warnings,
            std::vector<std::string>{"no opening of 3 steps was found that does not end the game"});
  EXPECT_EQ(record.moves, Rows(3, {"noop", "noop"}));
}

TEST_F(MatchTest, GoesOnFromThePositionOfAnEarlierMatch) {
  add(always("( pick a )"));
  add(always("nonsense"));
  options.replace = ReplacementPolicy::First;
  options.first_moves = {{"noop", "noop"}, {"( PICK b )", "noop"}};
  options.continues = "test.0";
  const MatchRecord record = play(kPicking);
  EXPECT_TRUE(record.completed);
  EXPECT_EQ(record.opening_steps, 2u);
  EXPECT_EQ(record.continues, "test.0");
  EXPECT_EQ(record.moves,
            (Rows{{"noop", "noop"}, {"( pick b )", "noop"}, {"( pick a )", "( pick a )"}}));
  EXPECT_EQ(record.errors[2], (std::vector<std::string>{"", ""}));
  EXPECT_EQ(record.errors[3], (std::vector<std::string>{"", "IL nonsense"}));
}

TEST_F(MatchTest, IsAbortedWhereThoseMovesAreNotLegal) {
  for (const char* wrong : {"( pick z )", "nonsense"}) {
    players.clear();
    add(always("noop"));
    add(always("noop"));
    options.first_moves = {{"noop", "noop"}, {wrong, "noop"}};
    const MatchRecord record =
        run_match(read_rulesheet("test", kPicking), options, players, context, {}, listener);
    EXPECT_TRUE(record.aborted);
    EXPECT_EQ(record.end_reason, "the moves of the match that it continues can't be made again");
    EXPECT_TRUE(record.moves.empty());
  }
  for (std::size_t player = 0; player < 4; ++player) EXPECT_TRUE(log(player).empty());
}

TEST_F(MatchTest, SaysWhyItWasStopped) {
  add([this](std::size_t) {
    source.request_stop();
    return text_answer("noop");
  });
  add(always("noop"));
  options.stop_reason = [] { return "taken back"; };
  EXPECT_EQ(play(kPicking).end_reason, "taken back");
}

/// What players were asked, and when.
class Asking final : public MatchObserver {
 public:
  void asked(const MatchRecord& record, TimePoint until) override {
    EXPECT_GT(until, std::chrono::steady_clock::now());
    rows.push_back({record.errors.empty() ? "start" : "play", std::to_string(record.moves.size())});
  }
  Rows rows;
};

TEST_F(MatchTest, TellsWhatThePlayersAreAsked) {
  add(always("noop"));
  add(always("noop"));
  Asking asking;
  run_match(read_rulesheet("test", kPicking), options, players, context, {}, asking);
  EXPECT_EQ(asking.rows, (Rows{{"start", "0"}, {"play", "0"}, {"play", "1"}, {"play", "2"}}));
}

TEST_F(MatchTest, BreaksOffAtTheStepCap) {
  add(always("noop"));
  add(always("noop"));
  options.step_cap = 2;
  const MatchRecord record = play(kPicking);
  EXPECT_TRUE(record.aborted);
  EXPECT_FALSE(record.completed);
  EXPECT_EQ(record.moves.size(), 2u);
  EXPECT_EQ(record.end_reason, "step cap of 2 reached");
  EXPECT_EQ(log(0).back(), "ABORT noop noop");
}

TEST_F(MatchTest, EndsWhereARoleHasNoLegalMove) {
  add(always("go"));
  add(always("go"));
  const MatchRecord record = play(kStuck);
  EXPECT_TRUE(record.aborted);
  EXPECT_EQ(record.end_reason, "role black has no legal move");
  EXPECT_EQ(record.moves.size(), 1u);
}

TEST_F(MatchTest, CountsFlawedGoalsAsTheRulesForThemSay) {
  add(always("go"));
  add(always("go"));
  const MatchRecord record = play(kFlawedGoals);
  EXPECT_TRUE(record.completed);
  EXPECT_EQ(record.goals, (std::vector<int>{0, 70}));
  EXPECT_EQ(record.warnings.size(), 2u);
}

TEST_F(MatchTest, SpeaksDresdenWithoutPreviewAndAbort) {
  add(always("( pick a )"));
  add(always("noop"));
  options.dialect = &kDresdenDialect;
  options.preview_clock_seconds = 1;
  options.step_cap = 1;
  const MatchRecord record = play(kPicking);
  EXPECT_EQ(log(0), (std::vector<std::string>{"START white", "PLAY", "ABORT ( pick a ) noop"}));
  EXPECT_EQ(record.dialect, "dresden");
}

TEST_F(MatchTest, ShowsTheRulesBeforeIfThereIsAPreview) {
  add(always("noop"));
  add(always("noop"));
  options.preview_clock_seconds = 1;
  const MatchRecord record = play(kPicking);
  EXPECT_THAT(log(0)[0], testing::StartsWith("PREVIEW ( ( role white )"));
  EXPECT_EQ(record.preview_clock, 1);
}

TEST_F(MatchTest, IsNotStartedAfterAStopDuringThePreview) {
  add(always("noop")).on_preview = [&] { source.request_stop(); };
  add(always("noop"));
  options.preview_clock_seconds = 1;
  const MatchRecord record = play(kPicking);
  EXPECT_TRUE(record.aborted);
  EXPECT_EQ(record.end_reason, "interrupted");
  ASSERT_EQ(log(0).size(), 1u);
  EXPECT_THAT(log(0)[0], testing::StartsWith("PREVIEW"));
  EXPECT_EQ(log(1), log(0));
}

TEST_F(MatchTest, GivesRolesWithOneAddressIdsOfTheirOwn) {
  ScriptedPlayer& white = add(always("noop"));
  ScriptedPlayer& black = add(always("noop"));
  play(kPicking);
  EXPECT_EQ(white.invitation().match_id, "test.1");
  EXPECT_EQ(black.invitation().match_id, "test.1.1");
}

TEST_F(MatchTest, AbortsProperlyInTheMiddleOfAQuestion) {
  const ScratchFolder folder;
  options.folder = folder.path();
  add(always("noop"));
  add([](std::size_t n) -> std::optional<Answer> {
    if (n == 1) return std::nullopt;
    return text_answer("noop");
  }).on_silence = [&] { source.request_stop(); };
  const MatchRecord record = play(kPicking);
  EXPECT_TRUE(record.aborted);
  EXPECT_EQ(record.end_reason, "interrupted");
  EXPECT_EQ(record.moves.size(), 1u);
  EXPECT_EQ(log(0).back(), "ABORT noop noop");
  EXPECT_EQ(log(1).back(), "ABORT noop noop");
  const auto found = read_records(folder.path() / "test.1.json").value();
  EXPECT_TRUE(found[0].record->aborted);
}

TEST_F(MatchTest, KeepsARecordThatReplaysInBothFormats) {
  const ScratchFolder folder;
  options.folder = folder.path();
  add(always("( pick b )"));
  add(always("nonsense"));
  play(kPicking);
  const Rulesheet game = read_rulesheet("test", kPicking);
  for (const char* name : {"test.1.json", "test.1.xml", "test.1.xml/finalstate.xml"}) {
    const auto found = read_records(folder.path() / name).value();
    ASSERT_EQ(found.size(), 1u);
    ASSERT_TRUE(found[0].record.has_value()) << name;
    const auto& record = *found[0].record;
    const ReplayResult result = replay(record, read_rulesheet("test", record.rulesheet).rules);
    EXPECT_TRUE(result.disagreements.empty()) << name << ": " << result.disagreements[0].what;
    EXPECT_EQ(result.steps, 3u);
    EXPECT_EQ(record.goals, (std::vector<int>{0, 50}));
    EXPECT_THAT(record.errors[1][1], testing::StartsWith("IL"));
  }
}

TEST_F(MatchTest, GoesOnWithoutADiskForItsRecord) {
  const ScratchFolder folder;
  std::ofstream(folder.path() / "blocked") << "no folder";
  options.folder = folder.path() / "blocked";
  add(always("noop"));
  add(always("noop"));
  EXPECT_TRUE(play(kPicking).completed);
  EXPECT_EQ(listener.warnings.size(), 1u);
}

TEST_F(MatchTest, BuiltInPlayersPlayTheSameMatchFromTheSameSeed) {
  std::set<Rows> seen;
  for (const char* strategy : {"random:seed=3", "random:seed=3", "random:seed=4"}) {
    players.clear();
    add_builtin(strategy);
    add_builtin(strategy);
    const MatchRecord record = play(kPicking);
    EXPECT_EQ(record.errors, Rows(4, {"", ""}));
    seen.insert(record.moves);
  }
  EXPECT_EQ(seen.size(), 2u);
}

/// Whatever the clock does: the machine that is being built is ready at another moment in each
/// match.
TEST_F(MatchTest, LimitsByCountsRepeatAMatch) {
  std::ifstream file(project_folder() + "/config/games/breakthrough_small.kif");
  const std::string rules(std::istreambuf_iterator<char>(file), {});
  options.play_clock_seconds = 3600;
  for (const char* limit : {"minimax:depth=2", "alphabeta:depth=2,evaluation=learned",
                            "maxn:nodes=300", "value:nodes=100,games=50"}) {
    std::set<Rows> seen;
    for (int i = 0; i < 3; ++i) {
      players.clear();
      add_builtin(std::string(limit) + ",seed=3");
      add_builtin("random:seed=4");
      seen.insert(play(rules.c_str()).moves);
    }
    EXPECT_EQ(seen.size(), 1u) << limit;
  }
}

TEST(MatchId, HasNothingThatNeedsCare) {
  EXPECT_EQ(make_match_id("tic tac/toe", 1400000000000), "tic_tac_toe.1400000000000");
  std::set<std::string> ids;
  for (int i = 0; i < 100; ++i) ids.insert(new_match_id("nim"));
  EXPECT_EQ(ids.size(), 100u);
}

Answer refused_answer() {
  return missing_answer(Answer::Kind::ConnectionFailed, Trouble::Refused, "refused");
}

TEST_F(MatchTest, EndsWhenAPlayerIsGoneIfItShould) {
  for (const bool ends : {false, true}) {
    players.clear();
    add([](std::size_t n) { return n == 1 ? refused_answer() : text_answer("noop"); });
    add(always("noop"));
    options.crash_ends = ends;
    const MatchRecord record = play(kPicking);
    EXPECT_EQ(record.aborted, ends);
    EXPECT_EQ(record.completed, !ends);
    if (!ends) continue;
    EXPECT_EQ(record.end_reason, "the player of role white is gone");
    EXPECT_EQ(record.failed_roles, std::vector<std::string>{"white"});
    EXPECT_EQ(record.moves.size(), 2u);
  }
}

TEST_F(MatchTest, NotesWhoIsGoneAtTheEnd) {
  options.crash_ends = true;
  add([](std::size_t n) { return n == 2 ? refused_answer() : text_answer("noop"); });
  const auto last_dropped = [](std::size_t n) {
    return n == 2 ? dropped_answer("closed") : text_answer("noop");
  };
  ScriptedPlayer& died = add(last_dropped);
  died.stop_answer = refused_answer();
  MatchRecord record = play(kPicking);
  EXPECT_TRUE(record.completed);
  EXPECT_EQ(record.failed_roles, (std::vector<std::string>{"white", "black"}));
  players.clear();
  add(last_dropped);                                   // it is there when the match is over
  add(always("noop")).stop_answer = refused_answer();  // ends itself when all is over
  record = play(kPicking);
  EXPECT_EQ(record.failed_roles, std::vector<std::string>());
}

}  // namespace
}  // namespace ludens::server
