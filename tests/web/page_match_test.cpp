// SPDX-License-Identifier: MIT
// Matches of a page that are aborted, or in which it crashes.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "server/browser/browser.h"
#include "server/match/page_player.h"
#include "server/match/told_game.h"
#include "tests/server/scratch_folder.h"
#include "tests/web/process_command.h"

namespace ludens::server {
namespace {

/// One step, one role.
constexpr const char* kOneStep =
    "( ( role white ) ( init begun ) ( legal white left ) ( legal white right ) "
    "( <= ( next over ) ( does white right ) ) ( <= ( next over ) ( does white left ) ) "
    "( <= terminal ( true over ) ) ( <= ( goal white 100 ) ( true over ) ) "
    "( <= ( goal white 0 ) ( true begun ) ) )";

/// Thinks for ever about its move until it has been told of an abort.
constexpr const char* kPage =
    R"(<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script>
const player = prompt("identifier");
let aborted = false;
addEventListener("storage", ({key, newValue}) => {
  if (key !== player) return;
  const [, id, kind] = /^message\((\d+),manager,\w+,(\w+)/.exec(newValue);
  const say = (text) => localStorage.setItem("manager", `message(${id},${player},manager,${text})`);
  if (kind === "ping" || kind === "start") say("ready");
  if (kind === "abort") aborted = true;
  if (kind === "play" && aborted) say("right");
});
</script>)";

class PageMatches : public testing::Test {
 protected:
  using Request = std::function<void(MatchPlayer::Done)>;

  void SetUp() override {
    if (!find_chromium()) GTEST_SKIP() << "no Chromium on this machine (Debian: chromium)";
    const std::filesystem::path file = folder_.path() / "player.html";
    std::ofstream(file) << kPage;
    auto tree = std::make_shared<const gdl::SyntaxTree>(gdl::parse(kOneStep).tree);
    game_ = std::make_shared<ToldGame>(gdl::normalise(std::move(tree), 0).rules);
    ::setenv("TMPDIR", profiles_.path().c_str(), 1);
    player_ = make_page_player(file, context_);
  }

  void TearDown() override {
    player_.reset();
    ::unsetenv("TMPDIR");
    if (path_) ::setenv("PATH", path_->c_str(), 1);
  }

  /// Ends the processes of this test's browser that have its pages, which is what a crash of a page
  /// looks like.
  void kill_pages() const {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
      if (command_of(entry.path()).find("--type=renderer") == std::string::npos) continue;
      const pid_t process = std::stoi(entry.path().filename().string());
      const std::string browser = "/proc/" + std::to_string(::getpgid(process));
      if (command_of(browser).find(profiles_.path().string()) == std::string::npos) continue;
      ::kill(process, SIGKILL);
    }
  }

  /// Until the end of the test, the browser that is found is one that never says where it listens.
  void put_silent_browser_on_path() {
    const std::filesystem::path file = folder_.path() / "chromium";
    std::ofstream(file) << "#!/bin/sh\nexec sleep 600\n";
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    const char* path = std::getenv("PATH");
    path_ = path != nullptr ? path : "/usr/bin:/bin";
    ::setenv("PATH", (folder_.path().string() + ":" + *path_).c_str(), 1);
  }

  /// Makes a request whose clock does not run out in a test; `answer` gets what is said, or why
  /// nothing is.
  void request(const Request& make, std::string& answer) {
    make([&answer](const Answer& given) {
      answer = given.text.empty() ? given.problem : given.text;
    });
  }
  void start(std::string& answer) {
    request(
        [&](auto done) {
          player_->start({"test.1", "white", game_, 600, 600}, late(), done);
        },
        answer);
  }
  void play(std::string& answer) {
    request([&](auto done) { player_->play({}, late(), done); }, answer);
  }
  void abort(std::string& answer) {
    request([&](auto done) { player_->abort({}, late(), done); }, answer);
  }
  /// Runs until there is an answer.
  const std::string& wait(const std::string& answer) {
    while (answer.empty() && context_.run_one() > 0) {
    }
    return answer;
  }

 private:
  static TimePoint late() { return std::chrono::steady_clock::now() + std::chrono::minutes(10); }

  const ScratchFolder folder_, profiles_;
  std::optional<std::string> path_;  // as it was
  boost::asio::io_context context_{1};
  std::shared_ptr<const ToldGame> game_;
  std::unique_ptr<MatchPlayer> player_;
};

TEST_F(PageMatches, AnAbortReachesAPageThatThinks) {
  std::string started, played, aborted;
  start(started);
  EXPECT_EQ(wait(started), "ready");
  play(played);
  abort(aborted);
  EXPECT_EQ(wait(aborted), "aborted");

  std::string started_again, played_again;
  start(started_again);
  EXPECT_EQ(wait(started_again), "ready");
  play(played_again);
  EXPECT_EQ(wait(played_again), "right");
}

TEST_F(PageMatches, AnAbortDoesNotWaitForAPageThatOpens) {
  put_silent_browser_on_path();
  std::string started, aborted;
  start(started);
  abort(aborted);
  EXPECT_EQ(wait(aborted), "aborted");
  EXPECT_EQ(started, "");
}

TEST_F(PageMatches, APageThatCrashesIsThereForTheNextMatch) {
  std::string started, played, started_again;
  start(started);
  EXPECT_EQ(wait(started), "ready");
  kill_pages();
  play(played);
  EXPECT_EQ(wait(played), "the page has crashed");
  start(started_again);
  EXPECT_EQ(wait(started_again), "ready");
}

}  // namespace
}  // namespace ludens::server
