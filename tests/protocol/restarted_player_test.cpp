// SPDX-License-Identifier: MIT
// A player that is killed in mid-match and started again, over real sockets.
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/game/bundled_games.h"
#include "server/match/match.h"
#include "server/match/remote_player.h"
#include "server/records/replay.h"
#include "tests/project_folder.h"
#include "tests/protocol/serve_process.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

using namespace std::chrono_literals;

/// In seconds: no machine is too slow for it.
constexpr int kLongClock = 60;

/// `ludens serve` with a journal, which is killed and started again when the match has come to some
/// step: it listens again a moment later, while the host already asks for its next move.
class KilledOnce final : public MatchObserver {
 public:
  KilledOnce(const std::string& journal, std::size_t step) : journal_(journal), step_(step) {
    serve_.emplace(options(0));
    port_ = serve_->port();
  }
  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] bool killed() const { return restart_.joinable(); }

  void moved(const MatchRecord& record, const Position&) override {
    if (killed() || record.moves.size() != step_) return;
    serve_.reset();
    restart_ = std::jthread([this] {
      std::this_thread::sleep_for(1s);
      serve_.emplace(options(port_));
    });
  }

 private:
  [[nodiscard]] std::vector<std::string> options(std::uint16_t port) const {
    return {"--port", std::to_string(port), "--journal",       journal_, "--threads",
            "1",      "--strategy",         "mcts:playouts=50"};
  }
  const std::string journal_;
  const std::size_t step_;
  std::optional<ServeProcess> serve_;
  std::uint16_t port_ = 0;
  std::jthread restart_;
};

TEST(RestartedPlayer, GoesOnInItsMatchWithoutAFault) {
  const ScratchFolder scratch;
  const auto game = load_game(project_folder() + "/config/games/connect_four.kif");
  ASSERT_TRUE(game);
  for (const std::size_t step : {4, 5}) {
    KilledOnce first((scratch.path() / std::to_string(step)).string(), step);
    ServeProcess second({"--strategy", "mcts:playouts=50", "--threads", "1"});
    boost::asio::io_context context(1);
    std::vector<std::unique_ptr<MatchPlayer>> players;
    for (const std::uint16_t port : {first.port(), second.port()}) {
      players.push_back(make_remote_player({"127.0.0.1", port}, kGgpDialect, context));
    }
    MatchOptions options;
    options.match_id = "restarted." + std::to_string(step);
    options.start_clock_seconds = options.play_clock_seconds = kLongClock;
    const MatchRecord record = run_match(*game, options, players, context, {}, first);
    EXPECT_TRUE(first.killed());
    EXPECT_TRUE(record.completed);
    EXPECT_TRUE(replay(record, game->rules).disagreements.empty());
    for (std::size_t i = 0; i < record.errors.size(); ++i) {
      EXPECT_EQ(record.errors[i], (std::vector<std::string>{"", ""})) << i << " after " << step;
    }
  }
}

}  // namespace
}  // namespace ludens::server
