// SPDX-License-Identifier: MIT
#include "server/tournament/runner.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <fstream>
#include <mutex>
#include <set>

#include "server/tournament/cores.h"
#include "server/tournament/player_process.h"
#include "tests/project_folder.h"
#include "tests/server/match/test_games.h"
#include "tests/server/scratch_folder.h"
#include "tests/server/tournament/misbehaving_player.h"
#include "tests/server/tournament/sample_plan.h"

namespace ludens::server {
namespace {

/// What a line of the log says but for its times.
std::string timeless(MatchResult result) {
  result.started_ms = 0;
  result.duration_ms = 0;
  result.think_ms.assign(result.roles.size(), 0);
  result.slowest_ms.assign(result.roles.size(), 0);
  return to_json(result);
}

/// Checks the order of calls, and requests a stop after this many matches.
class Watcher final : public TournamentObserver {
 public:
  explicit Watcher(std::size_t stop_after = 0) : stop_after_(stop_after) {}

  void began(const TournamentPlan&, const TournamentOverview& overview) override {
    matches = overview.matches;
    done_before = overview.done.size();
  }
  void match_began(const StartedMatch& match, const MatchRecord&, const Position&) override {
    const std::lock_guard lock(mutex_);
    EXPECT_TRUE(running_.insert(match.match).second);
    EXPECT_TRUE(lanes_.insert(match.lane).second) << "two matches on lane " << match.lane;
    most_at_once = std::max(most_at_once, running_.size());
    for (const std::string& player : match.players) ++busy_[player];
    for (const auto& [player, times] : busy_)
      most_busy[player] = std::max(most_busy[player], times);
  }
  void moved(const StartedMatch& match, const MatchRecord& record, const Position&) override {
    const std::lock_guard lock(mutex_);
    EXPECT_TRUE(running_.contains(match.match));
    moves += record.moves.empty() ? 0 : 1;
  }
  void match_ended(const StartedMatch& match, const MatchResult& result) override {
    const std::lock_guard lock(mutex_);
    EXPECT_EQ(match.match, result.match);
    if (running_.contains(match.match)) forget(match);
    results.push_back(result);
    if (results.size() == stop_after_) stop.request_stop();
  }
  void match_dropped(const StartedMatch& match) override {
    const std::lock_guard lock(mutex_);
    if (running_.contains(match.match)) forget(match);
    ++dropped;
  }
  void block_ended(std::span<const MatchResult> matches_of_block) override {
    for (std::size_t i = 0; i < matches_of_block.size(); ++i) {
      EXPECT_EQ(matches_of_block[i].block.rotation, i);
    }
    ++blocks;
  }
  void decided(const std::string& text) override { verdict = text; }
  void warned(const std::string& text) override {
    const std::lock_guard lock(mutex_);
    warnings.push_back(text);
  }
  void ended(const TournamentEnding& end) override {
    EXPECT_TRUE(running_.empty());
    ending = end;
  }

  std::stop_source stop;
  std::size_t matches = 0, done_before = 0, blocks = 0, dropped = 0, moves = 0, most_at_once = 0;
  std::map<std::string, int> most_busy;
  std::vector<MatchResult> results;
  std::vector<std::string> warnings;
  std::string verdict;
  TournamentEnding ending;

 private:
  void forget(const StartedMatch& match) {
    running_.erase(match.match);
    lanes_.erase(match.lane);
    for (const std::string& player : match.players) --busy_[player];
  }

  std::size_t stop_after_;
  std::mutex mutex_;
  std::set<std::string> running_;
  std::set<std::size_t> lanes_;
  std::map<std::string, int> busy_;
};

class TournamentRunner : public testing::Test {
 protected:
  TournamentRunner() {
    file_.plan.name = "cup";
    file_.plan.rounds = 3;
    add_game("picking", kPicking);
    options_.folder = scratch_.path() / "run";
    options_.concurrency = 2;
  }

  void add_game(const std::string& name, const std::string& rules) {
    file_.games.push_back(read_rulesheet(name, rules));
    const gdl::Rules& read = *file_.games.back().rules;
    PlannedGame game;
    game.name = name;
    game.hash = text_hash(rules);
    for (std::size_t role = 0; role < read.roles.size(); ++role) {
      game.roles.push_back(read.print(read.roles[role]));
      game.chance.push_back(role == read.random);
    }
    game.start_clock = 2;
    game.play_clock = 1;
    file_.plan.games.push_back(game);
  }
  void add_builtin(const std::string& name, const std::string& strategy = "random") {
    file_.plan.players.push_back(builtin_player(name, strategy));
  }
  void add_remote(const std::string& name, const std::string& url) {
    PlannedPlayer player;
    player.name = name;
    player.kind = PlannedPlayer::Kind::Remote;
    player.url = url;
    file_.plan.players.push_back(player);
  }
  void add_command(const std::string& name, const std::string& command) {
    PlannedPlayer player;
    player.name = name;
    player.kind = PlannedPlayer::Kind::Command;
    player.command = command;
    file_.plan.players.push_back(player);
  }

  TournamentEnding run(Watcher& watcher) {
    auto outcome = run_tournament(file_, options_, watcher.stop.get_token(), watcher);
    if (!outcome) {
      ADD_FAILURE() << outcome.error().problems.at(0);
      return {};
    }
    return *outcome;
  }
  std::string refusal() {
    Watcher watcher;
    const auto outcome = run_tournament(file_, options_, {}, watcher);
    return outcome.error().problems.at(0);
  }
  TournamentLog log() const { return log(options_.folder); }
  static TournamentLog log(const std::filesystem::path& folder) { return read_log(folder).value(); }
  static std::set<std::string> lines(const TournamentLog& log) {
    std::set<std::string> out;
    for (const MatchResult& result : log.results) out.insert(timeless(result));
    return out;
  }
  /// Of all matches in the log.
  static FaultCounts faults(const TournamentLog& log, const std::string& player) {
    FaultCounts sum;
    for (const MatchResult& result : log.results) {
      for (std::size_t role = 0; role < result.roles.size(); ++role) {
        if (result.players[role] == player) sum += result.faults[role];
      }
    }
    return sum;
  }

  ScratchFolder scratch_;
  TournamentFile file_;
  RunOptions options_;
};

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

TEST_F(TournamentRunner, StopsWhenTheRuleHasDecidedAndStaysDecided) {
  class AfterThree final : public StopRule {
   public:
    std::optional<std::string> block(std::span<const MatchResult> matches) override {
      EXPECT_EQ(matches.front().block.number, seen_);  // in schedule order
      return ++seen_ == 3 ? std::optional<std::string>("enough") : std::nullopt;
    }

   private:
    std::size_t seen_ = 0;
  };
  for (const char* name : {"a", "b"}) add_builtin(name);
  file_.plan.rounds = 1'000'000;
  for (int i = 0; i < 2; ++i) {
    AfterThree rule;
    options_.stop_rule = &rule;
    Watcher watcher;
    const TournamentEnding ending = run(watcher);
    EXPECT_TRUE(ending.finished);
    EXPECT_EQ(ending.reason, "enough");
    EXPECT_EQ(watcher.verdict, "enough");
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

TEST_F(TournamentRunner, BreaksMatchesOffWhenAPlayerFailsTooOften) {
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
  EXPECT_TRUE(outcome->finished);
  const TournamentLog written = log();
  EXPECT_EQ(written.results.size(), 18u);
  std::size_t completed = 0, refused = 0, down = 0;
  for (const MatchResult& result : written.results) {
    completed += result.completed();
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
  const auto pid_file = scratch_.path() / "pid";
  add_builtin("a");
  add_command("mine", "sh -c 'echo $$ > " + pid_file.string() + "; exec " + ludens_program() +
                          " serve --port {port} --strategy random --margin-ms 100'");
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
  EXPECT_TRUE(outcome->finished);
  const TournamentLog written = log();
  EXPECT_EQ(written.results.size(), 6u);
  for (const MatchResult& result : written.results)
    EXPECT_TRUE(result.completed()) << result.reason;
  EXPECT_EQ(faults(written, "mine").total(), 0u);
  const pid_t second = read_pid(pid_file);
  EXPECT_NE(second, killer.first);
  EXPECT_EQ(::kill(second, 0), -1) << "it still runs";
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

/// A player on a socket that picks, and does something of its own at STOP before it answers. It
/// takes one request at a time, so that whatever comes meanwhile waits.
class TidyingPlayer {
 public:
  explicit TidyingPlayer(std::function<void()> tidy)
      : tidy_(std::move(tidy)),
        server_([this](boost::asio::ip::tcp::socket& socket) { answer(socket); }) {}
  [[nodiscard]] std::string url() const { return "http://" + server_.address().text(); }

 private:
  void answer(boost::asio::ip::tcp::socket& socket) {
    const std::string request = server_.requests().back();
    const auto is = [&](const char* kind) { return request.find(kind) != std::string::npos; };
    if (is("( STOP")) tidy_();
    send_bytes(socket, http_reply(is("( PLAY") ? "( pick a )"
                                  : is("INFO") ? "available"
                                               : "ready"));
  }

  std::function<void()> tidy_;
  CrookedServer server_;  // last: its thread uses what is above
};

/// Opened once; who waits for it does so for half a minute at most.
class Gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    opened_.notify_all();
  }
  /// Whether it was opened.
  bool wait() {
    std::unique_lock lock(mutex_);
    return opened_.wait_for(lock, std::chrono::seconds(30), [this] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_ = false;
};

TEST_F(TournamentRunner, WaitsForAPlayerThatTidiesUpBeforeItPlaysAgain) {
  std::atomic<int> stops{0};
  TidyingPlayer slow([&] {
    if (++stops == 1) std::this_thread::sleep_for(std::chrono::milliseconds(7500));
  });
  add_remote("slow", slow.url());
  add_builtin("a");
  file_.plan.rounds = 1;
  file_.plan.stop_wait_seconds = 60;
  Watcher watcher;
  EXPECT_TRUE(run(watcher).finished);
  EXPECT_EQ(stops, 2);
  EXPECT_EQ(faults(log(), "slow").total(), 0u);
}

TEST_F(TournamentRunner, WaitsNoLongerThanItIsTold) {
  Gate ended;
  std::atomic<int> in_time{0};
  TidyingPlayer slow([&] { in_time += ended.wait() ? 1 : 0; });
  class Opener final : public TournamentObserver {
   public:
    explicit Opener(Gate& gate) : gate_(gate) {}
    void match_ended(const StartedMatch&, const MatchResult&) override { gate_.open(); }

   private:
    Gate& gate_;
  } opener(ended);
  add_remote("slow", slow.url());
  add_builtin("a");
  file_.plan.rounds = 1;
  file_.plan.stop_wait_seconds = 1;
  EXPECT_TRUE(run_tournament(file_, options_, {}, opener).value().finished);
  EXPECT_GE(in_time, 1) << "no match ended before the player had answered STOP";
}

TEST_F(TournamentRunner, LetsOthersPlayWhileAPlayerTidiesUp) {
  Gate played;
  TidyingPlayer slow([&] { EXPECT_TRUE(played.wait()) << "nobody else played"; });
  TidyingPlayer prompt([] {});
  class Opener final : public TournamentObserver {
   public:
    explicit Opener(Gate& gate) : gate_(gate) {}
    void match_ended(const StartedMatch&, const MatchResult& result) override {
      if (std::ranges::count(result.players, "slow") == 0) gate_.open();
      if (first.empty()) first = result.players;
    }
    std::vector<std::string> first;

   private:
    Gate& gate_;
  } opener(played);
  add_remote("slow", slow.url());
  add_remote("prompt", prompt.url());
  add_builtin("a");
  file_.cores.cores = {usable_cores().front()};  // which matches of players elsewhere do not hold
  file_.plan.rounds = 1;
  file_.plan.stop_wait_seconds = 60;
  EXPECT_TRUE(run_tournament(file_, options_, {}, opener).value().finished);
  EXPECT_EQ(std::ranges::count(opener.first, "slow"), 0);
  EXPECT_EQ(faults(log(), "prompt").total(), 0u);
}

}  // namespace
}  // namespace ludens::server
