// SPDX-License-Identifier: MIT
// Games with hidden information over HTTP: what is on the wire, and a player that is killed.
#include <gmock/gmock.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <condition_variable>
#include <csignal>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "search/registry/registry.h"
#include "server/game/bundled_games.h"
#include "server/match/builtin_player.h"
#include "server/match/match.h"
#include "server/match/remote_player.h"
#include "server/player/player_server.h"
#include "server/records/replay.h"
#include "tests/project_folder.h"
#include "tests/protocol/serve_process.h"
#include "tests/server/match/hidden_games.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

using Lines = std::vector<std::string>;

/// The player of this program on a thread of its own, with what it was sent.
class WiretappedPlayer {
 public:
  explicit WiretappedPlayer(const std::string& strategy) {
    PlayerServerOptions options;
    options.player.strategy = search::parse_strategy(strategy).value();
    options.player.margin_ms = 500;
    options.port = 0;
    options.keep_bodies = true;
    server_ = std::make_unique<PlayerServer>(context_, options,
                                             [this](const Served& served) { note(served); });
    EXPECT_EQ(server_->listen(), std::nullopt);
    thread_ = std::jthread([this] { context_.run(); });
  }
  ~WiretappedPlayer() {
    boost::asio::post(context_, [this] { server_->shut_down([this] { context_.stop(); }); });
    thread_.join();
  }
  [[nodiscard]] Address address() const { return {"127.0.0.1", server_->port()}; }
  /// PLAY and STOP, word for word, as soon as there are this many: hosts don't wait for all.
  [[nodiscard]] Lines heard(std::size_t count) {
    std::unique_lock lock(mutex_);
    came_.wait(lock, [&] { return heard_.size() >= count; });
    return heard_;
  }

 private:
  void note(const Served& served) {
    const std::lock_guard lock(mutex_);
    if (served.kind == "PLAY" || served.kind == "STOP") heard_.push_back(served.body);
    came_.notify_one();
  }

  boost::asio::io_context context_{1};
  std::mutex mutex_;
  std::condition_variable came_;
  Lines heard_;
  std::unique_ptr<PlayerServer> server_;
  std::jthread thread_;
};

class HiddenOverHttp : public testing::Test {
 protected:
  MatchRecord play(const Rulesheet& game, MatchObserver& observer) {
    options.match_id = "hidden.1";
    options.start_clock_seconds = 4;
    options.play_clock_seconds = 2;
    MatchRecord record = run_match(game, options, players, context, {}, observer);
    EXPECT_TRUE(replay(record, game.rules).disagreements.empty());
    return record;
  }
  void add(const Address& address) {
    players.push_back(make_remote_player(address, *options.dialect, context));
  }
  static void expect_no_faults(const MatchRecord& record) {
    EXPECT_TRUE(record.completed) << record.end_reason;
    for (const auto& row : record.errors) {
      for (const std::string& error : row) EXPECT_EQ(error, "");
    }
  }
  /// What the player of the role should have been sent.
  Lines expected(const MatchRecord& record, std::size_t role) const {
    Lines lines;
    for (std::size_t step = 0; step <= record.moves.size(); ++step) {
      const OwnView view = view_of(record, role, step);
      const PerceptForm form = options.dialect->percepts;
      lines.push_back(in_dialect(*options.dialect, step < record.moves.size()
                                                       ? play_text("hidden.1", view, form)
                                                       : stop_text("hidden.1", view, form)));
    }
    return lines;
  }

  boost::asio::io_context context{1};
  std::vector<std::unique_ptr<MatchPlayer>> players;
  MatchOptions options;
};

TEST_F(HiddenOverHttp, NothingIsSentButOwnMovesAndPercepts) {
  const Rulesheet game = read_rulesheet("hideout", kHideout);
  for (const std::string_view name : dialect_names()) {
    SCOPED_TRACE(name);
    options.dialect = find_dialect(name);
    WiretappedPlayer seeker("random"), hider("mcts:playouts=30");
    add(seeker.address());
    add(hider.address());
    players.push_back(nullptr);
    MatchObserver nobody;
    const MatchRecord record = play(game, nobody);
    players.clear();
    expect_no_faults(record);
    const Lines told_seeker = expected(record, 0), told_hider = expected(record, 1);
    EXPECT_EQ(seeker.heard(told_seeker.size()), told_seeker);
    EXPECT_EQ(hider.heard(told_hider.size()), told_hider);
    for (const std::string& message : told_seeker) {
      for (const char* secret : {"crouch", "CROUCH", "bring", "BRING", "foggy", "FOGGY"}) {
        EXPECT_THAT(message, testing::Not(testing::HasSubstr(secret)));
      }
    }
  }
}

TEST_F(HiddenOverHttp, TheFormsOfTheDialects) {
  const OwnView view{3, "( look west )", {"calm", "( far off )"}};
  EXPECT_EQ(in_dialect(kGgpDialect, play_text("m", view, kGgpDialect.percepts)),
            "( PLAY m 3 ( look west ) ( calm ( far off ) ) )");
  EXPECT_EQ(in_dialect(kDresdenDialect, stop_text("m", view, kDresdenDialect.percepts)),
            "( STOP M 3 ( LOOK WEST ) ( CALM ( FAR OFF ) ) )");
  EXPECT_EQ(in_dialect(kDresden2011Dialect, play_text("m", view, kDresden2011Dialect.percepts)),
            "( PLAY M ( CALM ( FAR OFF ) ) )");
}

TEST_F(HiddenOverHttp, BuiltInAndRemotePlayersMix) {
  const Rulesheet game = load_game(project_folder() + "/config/games/kuhn_poker.kif").value();
  for (const std::string_view name : dialect_names()) {
    options.dialect = find_dialect(name);
    WiretappedPlayer first("mcts:playouts=50");
    add(first.address());
    BuiltinOptions builtin;
    builtin.strategy = search::parse_strategy("random").value();
    players.push_back(make_builtin_player(builtin, context));
    players.push_back(nullptr);
    options.seed = 7;
    MatchObserver nobody;
    const MatchRecord record = play(game, nobody);
    players.clear();
    expect_no_faults(record);
    const Lines told = expected(record, 0);
    EXPECT_EQ(first.heard(told.size()), told);
  }
}

/// Kills the player after a step, and starts another at its port that finds its journal.
class Killer final : public MatchObserver {
 public:
  Killer(std::string journal, std::size_t step) : journal_(std::move(journal)), step_(step) {
    start(0);
  }
  void moved(const MatchRecord& record, const Position& /*position*/) override {
    if (record.moves.size() != step_) return;
    const std::uint16_t port = serve_->port();
    serve_->process().signal(SIGKILL);
    serve_->process().wait();
    start(port);
  }
  [[nodiscard]] Address address() const { return {"127.0.0.1", serve_->port()}; }
  /// What the last of them has logged; it ends.
  std::string log() {
    serve_->process().signal(SIGTERM);
    serve_->process().wait();
    return serve_->process().errors();
  }

 private:
  void start(std::uint16_t port) {
    serve_.emplace(Lines{"--strategy", "mcts:playouts=30", "--margin-ms", "500", "--journal",
                         journal_, "--port", std::to_string(port)});
  }
  const std::string journal_;
  const std::size_t step_;
  std::optional<ServeProcess> serve_;
};

TEST_F(HiddenOverHttp, AKilledPlayerGoesOn) {
  const Rulesheet game = read_rulesheet("hideout", kHideout);
  for (const std::string_view name : dialect_names()) {
    SCOPED_TRACE(name);
    options.dialect = find_dialect(name);
    const ScratchFolder folder;
    Killer killer((folder.path() / "journal").string(), 2);
    WiretappedPlayer hider("random");
    add(killer.address());
    add(hider.address());
    players.push_back(nullptr);
    const MatchRecord record = play(game, killer);
    players.clear();
    expect_no_faults(record);
    const std::string log = killer.log();
    EXPECT_THAT(log, testing::HasSubstr("resumed from the journal after 2 turns"));
    EXPECT_THAT(log, testing::Not(testing::HasSubstr("can't be what")));
    EXPECT_THAT(log, testing::Not(testing::HasSubstr("not told")));
  }
}

}  // namespace
}  // namespace ludens::server
