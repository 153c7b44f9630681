// SPDX-License-Identifier: MIT
// Tournaments with players that take their time when a match has ended.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "server/tournament/cores.h"
#include "tests/server/tournament/misbehaving_player.h"
#include "tests/server/tournament/tournament_runner.h"

namespace ludens::server {
namespace {

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
