// SPDX-License-Identifier: MIT
#include "server/tournament/player_process.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "server/tournament/player_pool.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

namespace fs = std::filesystem;

/// Empty if it can't be read, as when a process of /proc is gone by now.
std::string content(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// Whether the process exists and is not a zombie.
bool lives(pid_t pid) {
  const std::string stat = content("/proc/" + std::to_string(pid) + "/stat");
  const auto name_end = stat.rfind(')');
  return name_end != std::string::npos && stat.compare(name_end, 3, ") Z") != 0;
}

/// Waits as long as it takes; false after a minute.
bool comes_true(const std::function<bool()>& condition) {
  for (int i = 0; i < 3000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

class PlayerProcesses : public testing::Test {
 protected:
  /// The id that a shell wrote there.
  pid_t pid_in(const std::string& name) {
    pid_t pid = -1;
    EXPECT_TRUE(comes_true([&] {
      std::ifstream(file(name)) >> pid;
      return pid > 0;
    }));
    return pid;
  }
  [[nodiscard]] fs::path file(const std::string& name) const { return scratch_.path() / name; }
  /// A shell that starts another process, says who both are, and waits for it or not.
  [[nodiscard]] std::string parent_and_child(const std::string& and_then) const {
    return "sh -c 'sleep 1000 & echo $! > " + file("child").string() + "; echo $$ > " +
           file("parent").string() + "; " + and_then + "'";
  }

  ScratchFolder scratch_;
};

TEST_F(PlayerProcesses, EndWithAllThatTheyHaveStarted) {
  std::optional<PlayerProcess> player;
  player.emplace(parent_and_child("wait"), 1, file("log"));
  const pid_t parent = pid_in("parent"), child = pid_in("child");
  EXPECT_TRUE(player->runs());
  EXPECT_NE(::getsid(parent), ::getsid(0));
  EXPECT_EQ(::getpgid(parent), ::getsid(parent));  // that of the shell, which may be itself
  EXPECT_EQ(::getpgid(child), ::getsid(parent));
  player.reset();
  EXPECT_FALSE(lives(parent));
  EXPECT_TRUE(comes_true([&] { return !lives(child); }));
}

TEST_F(PlayerProcesses, AreStartedAsAShellReadsTheirCommand) {
  const std::string there = scratch_.path().string();
  for (const std::string& command : {"cd " + there + " && WORD=said sh -c 'echo $WORD > {port}'",
                                     "WORD=said sh -c 'echo $WORD > " + there + "/{port}'",
                                     "true; echo said > " + there + "/{port}"}) {
    fs::remove(file("9"));
    PlayerProcess player(command, 9, file("log"));
    EXPECT_TRUE(comes_true([&] { return !player.runs(); }));
    EXPECT_EQ(content(file("9")), "said\n") << command << content(file("log"));
  }
}

TEST_F(PlayerProcesses, MayTidyUpBehindAShell) {
  std::ofstream(file("script")) << R"(
      trap 'sleep 0.2; echo tidy > tidied; exit' TERM
      echo $$ > player
      while :; do sleep 0.1 & wait; done)";
  std::optional<PlayerProcess> player;
  player.emplace("cd " + scratch_.path().string() + " && sh ./script; true", 1, file("log"));
  const pid_t behind = pid_in("player");
  player.reset();
  EXPECT_EQ(content(file("tidied")), "tidy\n");
  EXPECT_TRUE(comes_true([&] { return !lives(behind); }));
}

TEST_F(PlayerProcesses, AreKilledBehindAShellThatHasEnded) {
  std::optional<PlayerProcess> player;
  player.emplace("sh -c 'trap : TERM; echo $$ > " + file("child").string() +
                     "; while :; do sleep 0.1 & wait; done' & true",
                 1, file("log"));
  const pid_t child = pid_in("child");
  player.reset();
  EXPECT_TRUE(comes_true([&] { return !lives(child); }));
}

TEST_F(PlayerProcesses, LeaveNothingBehindWhenTheyEndByThemselves) {
  std::optional<PlayerProcess> player;
  player.emplace(parent_and_child("exit 3"), 1, file("log"));
  const pid_t child = pid_in("child");
  EXPECT_TRUE(comes_true([&] { return !player->runs(); }));
  EXPECT_THAT(player->obituary(), testing::HasSubstr("exit code 3"));
  player.reset();
  EXPECT_TRUE(comes_true([&] { return !lives(child); }));
}

TEST_F(PlayerProcesses, EndWithTheProgramThatIsKilled) {
  const pid_t program = ::fork();
  if (program == 0) {
    const PlayerProcess player(parent_and_child("trap : TERM; wait; wait"), 1, file("log"));
    for (;;) ::pause();
  }
  const pid_t parent = pid_in("parent"), child = pid_in("child");
  ::kill(program, SIGKILL);
  ::waitpid(program, nullptr, 0);
  EXPECT_TRUE(comes_true([&] { return !lives(parent) && !lives(child); }));
}

TEST_F(PlayerProcesses, OfAPoolEndAtTheSameTime) {
  std::ofstream(file("script")) << R"(
      trap 'for pid in $(cat pids); do
              kill -0 $pid && echo alive >> seen || echo gone >> seen
            done' TERM
      echo $$ >> pids
      while :; do sleep 0.1 & wait; done)";
  TournamentPlan plan;
  plan.startup_seconds = 0;
  PlannedPlayer& player = plan.players.emplace_back();
  player.name = "stubborn";
  player.kind = PlannedPlayer::Kind::Command;
  player.command = "sh -c 'cd " + scratch_.path().string() + "; . ./script' {port}";
  player.matches = 2;
  {
    PlayerPool pool(plan, scratch_.path(), {});
    EXPECT_FALSE(pool.open({}).problems.empty());  // it does not listen
    EXPECT_TRUE(comes_true([&] { return std::ranges::count(content(file("pids")), '\n') == 2; }));
  }
  EXPECT_THAT(content(file("seen")), testing::HasSubstr("alive"));
  EXPECT_THAT(content(file("seen")), testing::Not(testing::HasSubstr("gone")));
}

TEST_F(PlayerProcesses, KeepTheLastOfALongOutput) {
  std::optional<PlayerProcess> player;
  // 40 MB, then a last word.
  player.emplace("sh -c 'head -c 40000000 /dev/zero; echo the last word'", 1, file("log"));
  EXPECT_TRUE(comes_true([&] { return !player->runs(); }));
  player.reset();
  EXPECT_THAT(content(file("log")), testing::EndsWith("the last word\n"));
  EXPECT_LE(fs::file_size(file("log")), CapturedOutput::kMostBytes);
  EXPECT_LE(fs::file_size(file("log.old")), CapturedOutput::kMostBytes);
}

TEST_F(PlayerProcesses, AreWrittenBehindWhatWasThere) {
  std::ofstream(file("log")) << "before\n";
  std::optional<PlayerProcess> player;
  player.emplace("echo after {port}", 7, file("log"));
  EXPECT_TRUE(comes_true([&] { return !player->runs(); }));
  player.reset();
  EXPECT_EQ(content(file("log")), "before\nafter 7\n");
}

TEST_F(PlayerProcesses, InheritNothingThatIsOpen) {
  const int open_here = ::dup(STDIN_FILENO);  // not closed by exec, as the sockets of Asio are
  std::optional<PlayerProcess> player;
  player.emplace("sh -c 'test -e /proc/self/fd/" + std::to_string(open_here) +
                     " && echo inherited || echo closed'",
                 7, file("log"));
  EXPECT_TRUE(comes_true([&] { return !player->runs(); }));
  player.reset();
  ::close(open_here);
  EXPECT_EQ(content(file("log")), "closed\n");
}

TEST_F(PlayerProcesses, AreNotStartedWithoutAPlaceForTheirOutput) {
  std::ofstream(file("blocked")) << "x";
  PlayerProcess player("echo {port}", 7, file("blocked") / "log");
  EXPECT_THAT(*player.problem(), testing::HasSubstr("Not a directory"));
  EXPECT_FALSE(player.runs());
}

}  // namespace
}  // namespace ludens::server
