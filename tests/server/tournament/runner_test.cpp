// SPDX-License-Identifier: MIT
#include "server/tournament/runner.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>
#include <set>

#include "server/records/record_files.h"
#include "server/tournament/player_process.h"
#include "tests/project_folder.h"
#include "tests/server/tournament/misbehaving_player.h"
#include "tests/server/tournament/tournament_runner.h"

namespace ludens::server {
namespace {

TEST_F(TournamentRunner, PlaysTheWholeScheduleAndTellsOfIt) {
  for (const char* name : {"a", "b", "c"}) add_builtin(name);
  Watcher watcher;
  const TournamentEnding ending = run(watcher);
  EXPECT_TRUE(ending.finished);
  EXPECT_EQ(ending.reason, "all matches played");
  EXPECT_EQ(watcher.ending.reason, ending.reason);
  EXPECT_EQ(watcher.matches, 18u);
  EXPECT_EQ(watcher.results.size(), 18u);
  EXPECT_EQ(watcher.blocks, 9u);
  EXPECT_EQ(watcher.moves, 18u * 3);
  const TournamentLog written = log();
  ASSERT_EQ(written.results.size(), 18u);
  for (std::size_t i = 0; i < written.results.size(); ++i) {
    EXPECT_EQ(to_json(written.results[i]), to_json(watcher.results[i]));
    EXPECT_TRUE(written.results[i].completed());
    EXPECT_TRUE(std::filesystem::exists(options_.folder / written.results[i].record));
  }
}

TEST_F(TournamentRunner, PlaysTheSameTwice) {
  add_game("dice", kDice);
  for (const char* name : {"a", "b"}) add_builtin(name, "mcts:playouts=20");
  add_builtin("c");
  Watcher first, second;
  run(first);
  const auto once = lines(log());
  options_.folder = scratch_.path() / "again";
  options_.concurrency = 1;
  run(second);
  EXPECT_EQ(lines(log()), once);
}

/// Four roles pick one of four things at once, eight times.
constexpr const char* kFourPick =
    "(role a) (role b) (role c) (role d) (init (step 0)) (thing 1) (thing 2) (thing 3) (thing 4)"
    "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)"
    "(<= (legal ?r (pick ?t)) (role ?r) (thing ?t))"
    "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
    "(<= terminal (true (step 8))) (<= (goal ?r 50) (role ?r))";

TEST_F(TournamentRunner, LetsTheSeatsOfOnePlayerPickOnTheirOwn) {
  file_.games.clear();
  file_.plan.games.clear();
  add_game("four", kFourPick);
  add_builtin("a");
  add_builtin("b");
  file_.plan.rounds = 1;
  Watcher watcher;
  run(watcher);
  ASSERT_EQ(watcher.results.size(), 2u);
  for (const MatchResult& result : watcher.results) {
    const auto found = read_records(options_.folder / result.record).value();
    std::map<std::string, std::set<std::string>> picks;  // by player, of each of its seats
    for (std::size_t role = 0; role < result.roles.size(); ++role) {
      std::string all;
      for (const auto& moves : found.at(0).record->moves) all += moves[role];
      picks[result.players[role]].insert(all);
    }
    EXPECT_EQ(picks["a"].size(), 2u);
    EXPECT_EQ(picks["b"].size(), 2u);
  }
}

TEST_F(TournamentRunner, GoesOnWhereItWasInterrupted) {
  for (const char* name : {"a", "b", "c"}) add_builtin(name);
  Watcher whole;
  run(whole);
  const auto expected = lines(log());
  options_.folder = scratch_.path() / "interrupted";
  options_.resume = true;  // with no log there, from the beginning
  std::size_t before = 0;
  for (const std::size_t matches : {1, 4, 7}) {
    Watcher watcher(matches);
    const TournamentEnding ending = run(watcher);
    EXPECT_FALSE(ending.finished);
    EXPECT_EQ(ending.reason, "interrupted");
    EXPECT_EQ(watcher.done_before, before);
    before = log().results.size();
  }
  Watcher last;
  EXPECT_TRUE(run(last).finished);
  EXPECT_EQ(lines(log()), expected);
  EXPECT_EQ(last.blocks, 9u);  // those of earlier runs are reported, too
}

TEST_F(TournamentRunner, PlaysShardsThatMakeUpTheWhole) {
  for (const char* name : {"a", "b", "c"}) add_builtin(name);
  Watcher whole;
  run(whole);
  const auto expected = lines(log());
  std::vector<std::filesystem::path> folders;
  for (std::size_t index = 1; index <= 2; ++index) {
    folders.push_back(scratch_.path() / std::to_string(index));
    options_.folder = folders.back();
    options_.shard = {index, 2};
    Watcher part;
    run(part);
    EXPECT_EQ(part.results.size(), part.matches);
  }
  auto joined = join_logs(folders).value();
  for (MatchResult& result : joined.results) result.record = "records/" + result.match + ".json";
  EXPECT_EQ(lines(joined), expected);
}

class AfterThree final : public StopRule {
 public:
  std::optional<std::string> block(std::span<const MatchResult> matches) override {
    EXPECT_EQ(matches.front().block.number, seen_);  // in schedule order
    return ++seen_ == 3 ? std::optional<std::string>("enough") : std::nullopt;
  }

 private:
  std::size_t seen_ = 0;
};

class DecidedTournament : public TournamentRunner {
 protected:
  void run_until_decided() {
    AfterThree rule;
    options_.stop_rule = &rule;
    Watcher watcher;
    const TournamentEnding ending = run(watcher);
    EXPECT_TRUE(ending.finished);
    EXPECT_EQ(ending.reason, "enough");
    EXPECT_EQ(watcher.verdict, "enough");
  }
};

TEST_F(DecidedTournament, StopsWhenTheRuleHasDecidedAndStaysDecided) {
  for (const char* name : {"a", "b"}) add_builtin(name);
  file_.plan.rounds = 1'000'000;
  for (int i = 0; i < 2; ++i) {
    run_until_decided();
    EXPECT_LT(log().results.size(), 20u);
    options_.resume = true;
  }
}

TEST_F(TournamentRunner, UsesARemotePlayerForOneMatchAtATime) {
  const MisbehavingPlayer illegal(Misbehaviour::Illegal);
  add_builtin("a");
  add_remote("far", illegal.url());
  options_.concurrency = 4;
  file_.plan.abort_after = 0;
  Watcher watcher;
  run(watcher);
  EXPECT_EQ(watcher.results.size(), 6u);
  EXPECT_EQ(watcher.most_busy["far"], 1);
}

/// Three roles pass once.
constexpr const char* kThreePass =
    "(role a) (role b) (role c) (init begun) (<= (legal ?r noop) (role ?r))"
    "(<= (next over) (true begun)) (<= terminal (true over)) (<= (goal ?r 50) (role ?r))";

TEST_F(TournamentRunner, LendsAPlayerElsewhereOnceForEachOfItsRoles) {
  const PassingPlayer far(2), near(2);
  file_.games.clear();
  file_.plan.games.clear();
  add_game("passing", kThreePass);
  add_remote("far", far.url());
  add_remote("near", near.url());
  for (PlannedPlayer& player : file_.plan.players) player.matches = 2;
  Watcher watcher;
  EXPECT_TRUE(run(watcher).finished);
  EXPECT_EQ(watcher.results.size(), 6u);
  EXPECT_THAT(watcher.warnings,
              testing::Not(testing::Contains(testing::HasSubstr("answered START with 'busy'"))));
  for (const char* name : {"far", "near"}) EXPECT_EQ(faults(log(), name).total(), 0u);
}

TEST_F(TournamentRunner, TellsPlayersThatAMatchIsBrokenOff) {
  for (const char* dialect : {"ggp", "dresden"}) {
    const PassingPlayer far(1);
    file_.plan.players.clear();
    add_builtin("a");
    add_remote("far", far.url());
    file_.plan.dialect = dialect;
    file_.plan.games.at(0).step_cap = 1;
    options_.folder = scratch_.path() / dialect;
    Watcher watcher;
    EXPECT_TRUE(run(watcher).finished);
    EXPECT_EQ(log().results.at(1).reason, "step cap of 1 reached");
    EXPECT_THAT(watcher.warnings,
                testing::Not(testing::Contains(testing::HasSubstr("answered START with 'busy'"))));
  }
}

TEST_F(TournamentRunner, LetsPlayersLoseThatFailTooOften) {
  const MisbehavingPlayer one(Misbehaviour::Illegal), other(Misbehaviour::Illegal);
  add_builtin("good");
  add_remote("one", one.url());
  add_remote("other", other.url());
  file_.plan.rounds = 1;
  file_.plan.abort_after = 2;
  Watcher watcher;
  EXPECT_TRUE(run(watcher).finished);
  for (const MatchResult& result : log().results) {
    if (std::ranges::count(result.players, "good") == 0) {
      EXPECT_EQ(result.end, MatchEnd::Aborted) << "both fail at once";
      continue;
    }
    EXPECT_EQ(result.end, MatchEnd::Forfeited);
    for (std::size_t role = 0; role < 2; ++role) {
      EXPECT_EQ(result.goals.at(role), result.players[role] == "good" ? 100 : 0);
    }
  }
}

TEST_F(TournamentRunner, BreaksMatchesOffWhenAPlayerFailsTooOften) {
  file_.plan.crash = CrashPolicy::Replaced;
  const MisbehavingPlayer illegal(Misbehaviour::Illegal), hanging(Misbehaviour::Hanging);
  add_builtin("good");
  add_remote("illegal", illegal.url());
  add_remote("hanging", hanging.url());
  file_.plan.format = Format::Gauntlet;
  file_.plan.rounds = 1;
  file_.plan.abort_after = 2;
  Watcher watcher;
  EXPECT_TRUE(run(watcher).finished);
  const TournamentLog written = log();
  ASSERT_EQ(written.results.size(), 4u);
  for (const MatchResult& result : written.results) {
    EXPECT_FALSE(result.completed());
    EXPECT_THAT(result.reason, testing::EndsWith("failed 2 times in a row"));
    ASSERT_EQ(result.culprits.size(), 1u);
    EXPECT_NE(result.culprits[0], "good");
  }
  EXPECT_EQ(faults(written, "good").total(), 0u);
  EXPECT_EQ(faults(written, "illegal"), (FaultCounts{.illegal = 4}));
  EXPECT_EQ(faults(written, "hanging"), (FaultCounts{.dropped = 4}));
}

TEST_F(TournamentRunner, GoesOnWhenAPlayerDies) {
  auto dying = std::make_unique<MisbehavingPlayer>(Misbehaviour::Illegal);
  add_builtin("a");
  add_builtin("b");
  add_remote("dying", dying->url());
  file_.plan.patience_seconds = 0;
  file_.plan.abort_after = 0;
  options_.concurrency = 1;
  class Killer final : public TournamentObserver {
   public:
    explicit Killer(std::unique_ptr<MisbehavingPlayer>& player) : player_(player) {}
    void match_ended(const StartedMatch& match, const MatchResult&) override {
      if (match.players[0] == "dying") player_.reset();
    }

   private:
    std::unique_ptr<MisbehavingPlayer>& player_;
  } killer(dying);
  const auto outcome = run_tournament(file_, options_, {}, killer);
  ASSERT_TRUE(outcome.has_value() && outcome->finished);
  const TournamentLog written = log();
  EXPECT_EQ(written.results.size(), 18u);
  std::size_t completed = 0, refused = 0, down = 0;
  for (const MatchResult& result : written.results) {
    completed += result.counts();
    for (const FaultCounts& counts : result.faults) refused += counts.refused > 0;
    down += result.reason.find("'dying' is down") != std::string::npos;
  }
  EXPECT_EQ(completed + down, 18u);
  EXPECT_EQ(refused, 1u);  // of the match in which it was found out
  EXPECT_GE(down, 5u);
}

TEST_F(TournamentRunner, WaitsForAPlayerThatIsBusyWithADeadMatch) {
  BusyAtFirst busy(3);
  add_builtin("a");
  add_remote("busy", busy.url());
  file_.plan.rounds = 1;
  Watcher watcher;
  EXPECT_TRUE(run(watcher).finished);
  EXPECT_THAT(watcher.warnings, testing::Contains(testing::HasSubstr("'busy' is busy")));
  EXPECT_THAT(watcher.warnings,
              testing::Not(testing::Contains(testing::HasSubstr("answered START with 'busy'"))));
}

TEST_F(TournamentRunner, StopsWhenAPlayerIsDownIfItShould) {
  auto dying = std::make_unique<MisbehavingPlayer>(Misbehaviour::Hanging);
  add_builtin("a");
  add_remote("dying", dying->url());
  file_.plan.patience_seconds = 0;
  file_.plan.abort_after = 1;
  file_.plan.down = DownPolicy::Stop;
  options_.concurrency = 1;
  class Killer final : public TournamentObserver {
   public:
    explicit Killer(std::unique_ptr<MisbehavingPlayer>& player) : player_(player) {}
    void match_ended(const StartedMatch&, const MatchResult&) override { player_.reset(); }

   private:
    std::unique_ptr<MisbehavingPlayer>& player_;
  } killer(dying);
  const auto outcome = run_tournament(file_, options_, {}, killer);
  const auto& ending = *outcome;
  EXPECT_FALSE(ending.finished);
  EXPECT_THAT(ending.reason, testing::HasSubstr("'dying' is down"));
  EXPECT_EQ(log().results.size(), 1u);
}

TEST_F(TournamentRunner, FindsUnreachablePlayersBeforeTheFirstMatch) {
  add_builtin("a");
  add_remote("nobody", "http://127.0.0.1:" + std::to_string(free_port()));
  EXPECT_THAT(refusal(), testing::StartsWith("player 'nobody': http://127.0.0.1:"));
  EXPECT_TRUE(log().results.empty());
  EXPECT_THAT(refusal(), testing::StartsWith("player 'nobody'"));  // and nothing is in the way
}

TEST_F(TournamentRunner, NeedsNoPlayersOnceAllIsPlayed) {
  auto far = std::make_unique<PassingPlayer>(1);
  add_builtin("a");
  add_remote("far", far->url());
  Watcher first;
  EXPECT_TRUE(run(first).finished);
  far.reset();
  options_.resume = true;
  Watcher again;
  const TournamentEnding ending = run(again);
  EXPECT_TRUE(ending.finished);
  EXPECT_EQ(ending.reason, "all matches played");
  EXPECT_EQ(again.done_before, 6u);
  EXPECT_EQ(again.blocks, 3u);
  file_.plan.rounds = 4;
  EXPECT_THAT(refusal(), testing::StartsWith("player 'far': http://127.0.0.1:"));
}

TEST_F(DecidedTournament, NeedsNoPlayersOnceTheRuleHasDecided) {
  auto far = std::make_unique<PassingPlayer>(1);
  add_builtin("a");
  add_remote("far", far->url());
  file_.plan.rounds = 1'000'000;
  for (int i = 0; i < 2; ++i) {
    run_until_decided();
    far.reset();
    options_.resume = true;
  }
}

TEST_F(TournamentRunner, SaysHowACommandEndedThatDoesNotStart) {
  add_builtin("a");
  add_command("broken", "sh -c 'echo no luck today; exit 3' {port}");
  EXPECT_THAT(refusal(), testing::AllOf(testing::HasSubstr("it ended with exit code 3"),
                                        testing::HasSubstr("broken.1.log")));
  std::ifstream output(options_.folder / "players" / "broken.1.log");
  std::string line;
  std::getline(output, line);
  EXPECT_EQ(line, "no luck today");
}

/// The id of the process whose shell wrote it into a file.
pid_t read_pid(const std::filesystem::path& file) {
  pid_t pid = -1;
  std::ifstream(file) >> pid;
  return pid;
}

TEST_F(TournamentRunner, StartsAPlayerAgainThatDiesAndEndsItAfterwards) {
  const auto pid_file = scratch_.path() / "pid", cores_file = scratch_.path() / "cores";
  add_builtin("a");
  add_command("mine", "echo $$ > " + pid_file.string() +
                          "; grep Cpus_allowed_list /proc/self/status >> " + cores_file.string() +
                          "; exec \"" + ludens_program() +
                          "\" serve --port {port} --strategy random --margin-ms 100");
  file_.cores.pin = true;
  file_.plan.startup_seconds = 30;
  class Killer final : public TournamentObserver {
   public:
    explicit Killer(std::filesystem::path file) : file_(std::move(file)) {}
    void match_ended(const StartedMatch&, const MatchResult&) override {
      if (++matches_ != 2) return;
      first = read_pid(file_);
      ::kill(first, SIGKILL);
      siginfo_t ended{};
      ::waitid(P_PID, static_cast<id_t>(first), &ended,
               WEXITED | WNOWAIT);  // it is this one's child
    }
    pid_t first = -1;

   private:
    std::filesystem::path file_;
    int matches_ = 0;
  } killer(pid_file);
  const auto outcome = run_tournament(file_, options_, {}, killer);
  ASSERT_TRUE(outcome.has_value() && outcome->finished);
  const TournamentLog written = log();
  EXPECT_EQ(written.results.size(), 6u);
  for (const MatchResult& result : written.results)
    EXPECT_TRUE(result.completed()) << result.reason;
  EXPECT_EQ(faults(written, "mine").total(), 0u);
  const pid_t second = read_pid(pid_file);
  EXPECT_NE(second, killer.first);
  EXPECT_EQ(::kill(second, 0), -1) << "it still runs";
  std::ifstream cores(cores_file);
  std::string at_first, again;
  std::getline(cores, at_first);
  std::getline(cores, again);
  EXPECT_EQ(at_first, again) << "it may not run on the same processors";
}

/// A player that dies in each of its matches, after the first step.
TEST_F(TournamentRunner, LetsAPlayerLoseThatCrashes) {
  const auto pid_file = scratch_.path() / "pid";
  add_builtin("a");
  add_command("mine", "echo $$ > " + pid_file.string() + "; exec \"" + ludens_program() +
                          "\" serve --port {port} --strategy random --margin-ms 100");
  file_.plan.startup_seconds = 30;
  file_.plan.rounds = 2;
  for (PlannedGame& game : file_.plan.games) game.start_clock = game.play_clock = 2;
  class Killer final : public TournamentObserver {
   public:
    explicit Killer(std::filesystem::path file) : file_(std::move(file)) {}
    void moved(const StartedMatch&, const MatchRecord& record, const Position&) override {
      if (record.moves.size() != 1) return;
      const pid_t pid = read_pid(file_);
      ::kill(pid, SIGKILL);
      siginfo_t ended{};
      ::waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOWAIT);
    }

   private:
    std::filesystem::path file_;
  } killer(pid_file);
  const auto outcome = run_tournament(file_, options_, {}, killer);
  ASSERT_TRUE(outcome.has_value() && outcome->finished);
  const TournamentLog written = log();
  ASSERT_EQ(written.results.size(), 4u);
  for (const MatchResult& result : written.results) {
    EXPECT_EQ(result.end, MatchEnd::Forfeited);
    EXPECT_FALSE(result.reason.empty());
    EXPECT_EQ(result.culprits, std::vector<std::string>{"mine"});
    for (std::size_t role = 0; role < 2; ++role) {
      EXPECT_EQ(result.goals.at(role), result.players[role] == "mine" ? 0 : 100);
    }
  }
}

TEST_F(TournamentRunner, StopsWhenARecordCanNotBeWritten) {
  for (const char* name : {"a", "b"}) add_builtin(name);
  std::filesystem::create_directories(options_.folder);
  std::ofstream(options_.folder / "records") << "a file where the folder should be";
  Watcher watcher;
  const TournamentEnding ending = run(watcher);
  EXPECT_FALSE(ending.finished);
  EXPECT_THAT(ending.reason, testing::HasSubstr("Not a directory"));
  EXPECT_TRUE(log().results.empty());
  std::filesystem::remove(options_.folder / "records");
  options_.resume = true;
  Watcher again;
  EXPECT_TRUE(run(again).finished);
  EXPECT_EQ(log().results.size(), 6u);
}

TEST_F(TournamentRunner, StopsWhenARecordThatIsKeptStepByStepCanNotBeWritten) {
  for (const char* name : {"a", "b"}) add_builtin(name);
  file_.plan.records = RecordPolicy::All;
  std::filesystem::create_directories(options_.folder);
  std::ofstream(options_.folder / "records") << "a file where the folder should be";
  Watcher watcher;
  const TournamentEnding ending = run(watcher);
  EXPECT_FALSE(ending.finished);
  EXPECT_THAT(ending.reason, testing::HasSubstr("Not a directory"));
  EXPECT_TRUE(log().results.empty());
}

TEST_F(TournamentRunner, KeepsNoRecordsIfNoneAreWanted) {
  for (const char* name : {"a", "b"}) add_builtin(name);
  file_.plan.records = RecordPolicy::None;
  Watcher watcher;
  run(watcher);
  EXPECT_FALSE(std::filesystem::exists(options_.folder / "records"));
  EXPECT_EQ(log().results.at(0).record, "");
}

TEST_F(TournamentRunner, WarnsOfBlocksThatRepeatEachOther) {
  for (const char* name : {"a", "b"}) add_builtin(name, "legal");
  Watcher watcher;
  run(watcher);
  EXPECT_THAT(watcher.warnings,
              testing::Contains(testing::StartsWith("2 of 3 blocks repeat an earlier one")));
}

TEST_F(TournamentRunner, MarksGamesThatCanNotBePlayedToTheirEnd) {
  file_.games.clear();
  file_.plan.games.clear();
  add_game("stuck", kStuck);
  for (const char* name : {"a", "b"}) add_builtin(name);
  Watcher watcher;
  EXPECT_TRUE(run(watcher).finished);
  EXPECT_EQ(log().results.size(), 6u);
  EXPECT_EQ(log().results.at(0).reason, "role black has no legal move");
  EXPECT_TRUE(log().results.at(0).culprits.empty());
}

/// The first state is a term of 2^26 leaves, which share their memory.
std::string vast_game() {
  std::string rules = "(role white) (role black) (d0 a)";
  for (int i = 0; i < 26; ++i) {
    const std::string depth = std::to_string(i), next = std::to_string(i + 1);
    rules += "(<= (d" + next + " (pair ?x ?x)) (d" + depth + " ?x))";
  }
  return rules +
         "(<= (init ?x) (d26 ?x)) (<= (legal ?r noop) (role ?r)) (<= (next ?x) (true ?x))"
         "(<= terminal (true never)) (<= (goal ?r 0) (role ?r))";
}

TEST_F(TournamentRunner, KeepsNoRecordOfAMatchWithoutAState) {
  file_.games.clear();
  file_.plan.games.clear();
  add_game("vast", vast_game());
  file_.plan.rounds = 1;
  for (const char* name : {"a", "b"}) add_builtin(name);
  for (const RecordPolicy policy : {RecordPolicy::Json, RecordPolicy::All}) {
    file_.plan.records = policy;
    options_.folder = scratch_.path() / std::to_string(static_cast<int>(policy));
    Watcher watcher;
    EXPECT_TRUE(run(watcher).finished);
    ASSERT_EQ(watcher.results.size(), 2u);
    for (const MatchResult& result : watcher.results) {
      EXPECT_FALSE(result.completed());
      EXPECT_EQ(result.record, "");
    }
    EXPECT_FALSE(std::filesystem::exists(options_.folder / "records"));
  }
}

}  // namespace
}  // namespace ludens::server
