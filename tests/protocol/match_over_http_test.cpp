// SPDX-License-Identifier: MIT
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "server/match/builtin_player.h"
#include "server/match/match.h"
#include "server/match/remote_player.h"
#include "server/player/player_server.h"
#include "server/records/replay.h"
#include "tests/server/crooked_server.h"

namespace ludens::server {
namespace {

using boost::asio::ip::tcp;
using std::chrono::milliseconds;

const char* const kGame =
    "(role white) (role black) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)"
    "(<= (legal ?r (pick a)) (role ?r)) (<= (legal ?r (pick b)) (role ?r))"
    "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
    "(<= (next (chosen ?r ?x)) (does ?r (pick ?x)))"
    "(<= terminal (true (step 3)))"
    "(<= (goal white 100) (true (chosen white a)))"
    "(<= (goal white 0) (not (true (chosen white a)))) (goal black 50)";

/// The player of this program, on a thread of its own.
class Serving {
 public:
  Serving() {
    PlayerServerOptions options;
    options.player.strategy = {"random", {}};
    options.player.margin_ms = 500;
    options.port = 0;
    server_ = std::make_unique<PlayerServer>(context_, options);
    EXPECT_EQ(server_->listen(), std::nullopt);
    thread_ = std::jthread([this] { context_.run(); });
  }
  ~Serving() {
    boost::asio::post(context_, [this] { server_->shut_down([this] { context_.stop(); }); });
    thread_.join();
  }
  [[nodiscard]] Address address() const { return {"127.0.0.1", server_->port()}; }

 private:
  boost::asio::io_context context_{1};
  std::unique_ptr<PlayerServer> server_;
  std::jthread thread_;
};

/// In seconds.
struct Clocks {
  int start = 60, play = 60;
};

/// A match of the player, as white, against the player that listens at `black`.
MatchRecord match_against(const Address& black, const HostDialect& dialect, bool scramble,
                          const Clocks& clocks) {
  const Serving serving;
  boost::asio::io_context context(1);
  std::vector<std::unique_ptr<MatchPlayer>> players;
  players.push_back(make_remote_player(serving.address(), dialect, context));
  players.push_back(make_remote_player(black, dialect, context));
  MatchOptions options;
  options.match_id = "http.1";
  options.dialect = &dialect;
  options.start_clock_seconds = clocks.start;
  options.play_clock_seconds = clocks.play;
  options.scramble = scramble;
  const Rulesheet game = read_rulesheet("game", kGame);
  MatchObserver nobody;
  MatchRecord record = run_match(game, options, players, context, {}, nobody);
  EXPECT_TRUE(record.completed);
  EXPECT_TRUE(replay(record, game.rules).disagreements.empty());
  for (const auto& row : record.errors) EXPECT_EQ(row[0], "");
  return record;
}

/// The errors of a crooked black player at the three steps.
std::vector<std::string> faults(CrookedServer::Behaviour behaviour, const Clocks& clocks = {}) {
  CrookedServer server(std::move(behaviour));
  const MatchRecord record = match_against(server.address(), kGgpDialect, false, clocks);
  std::vector<std::string> errors;
  for (std::size_t step = 1; step < record.errors.size(); ++step) {
    errors.push_back(record.errors[step][1]);
  }
  return errors;
}

TEST(MatchOverHttp, IsPlayedWithoutFaultInBothDialectsAndScrambled) {
  for (const HostDialect* dialect : {&kGgpDialect, &kDresdenDialect}) {
    for (const bool scramble : {false, true}) {
      const Serving other;
      const MatchRecord record = match_against(other.address(), *dialect, scramble, {});
      for (const auto& row : record.errors) EXPECT_EQ(row[1], "");
      EXPECT_EQ(record.moves.size(), 3u);
    }
  }
}

TEST(MatchOverHttp, GoesOnAgainstOneThatHangsUp) {
  EXPECT_EQ(faults([](tcp::socket&) {}), std::vector<std::string>(3, "CE"));
}

TEST(MatchOverHttp, GoesOnAgainstOneThatTalksNonsense) {
  EXPECT_EQ(faults([](tcp::socket& s) { send_bytes(s, http_reply("))((")); }),
            std::vector<std::string>(3, "IN"));
  EXPECT_EQ(faults([](tcp::socket& s) { send_bytes(s, http_reply("( castle )")); }),
            std::vector<std::string>(3, "IL ( castle )"));
}

TEST(MatchOverHttp, GoesOnAgainstOneThatDripFeeds) {
  EXPECT_EQ(faults(
                [](tcp::socket& socket) {
                  for (const char c : http_reply("( pick a )")) {
                    if (!send_bytes(socket, std::string(1, c))) return;
                    std::this_thread::sleep_for(milliseconds(100));
                  }
                },
                {.start = 2, .play = 2}),
            std::vector<std::string>(3, "TO"));
}

}  // namespace
}  // namespace ludens::server
