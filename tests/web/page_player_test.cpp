// SPDX-License-Identifier: MIT
// Matches in which pages play, hosted by the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "server/browser/browser.h"
#include "tests/project_folder.h"
#include "tests/server/background_program.h"
#include "tests/server/run_program.h"
#include "tests/server/scratch_folder.h"
#include "tests/web/process_command.h"

namespace ludens::server {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

/// A page that is ready, and does something else when it is asked for a move.
std::string page_that(const std::string& does) {
  return R"(<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script>
const player = prompt("identifier");
const say = (id, text) => localStorage.setItem("manager", `message(${id},${player},manager,${text})`);
addEventListener("storage", ({key, newValue}) => {
  if (key !== player) return;
  const [, id, kind] = /^message\((\d+),manager,\w+,(\w+)/.exec(newValue);
  if (kind === "ping" || kind === "start") say(id, "ready");
  if (kind === "play") { )" +
         does + R"( }
});
</script>)";
}

/// A page as the venue's are: it does without an icon, loads its player from a folder of the site,
/// asks for its identifier by `doplayer`, and knows messages only as the venue's manager writes
/// them.
constexpr const char* kVenuePage = R"(<!doctype html><meta charset="utf-8">
<script src="../vendor/player.js"></script><script src="../vendor/none.js"></script>
<script>fetch("none.json"); var player = "somebody"; function doplayer() { player = prompt("identifier"); }</script>)";
constexpr const char* kVenueScript = R"JS(
const free = ["mark(1,1)", "mark(1,2)", "mark(1,3)", "mark(2,1)", "mark(2,2)", "mark(2,3)",
              "mark(3,1)", "mark(3,2)", "mark(3,3)"];
let turn = "x", role;
addEventListener("storage", ({key, newValue}) => {
  if (key !== player) return;
  const [, id, content] = /^message\((\d+),manager,[a-z]+,([^]*)\)$/.exec(newValue);
  const say = (text) => localStorage.setItem("manager", `message(${id},${player},manager,${text})`);
  if (content === "ping()") return say("ready");
  const start = /^start\((\w+),ruleset\([^]*\),\d+,\d+\)$/.exec(content);
  if (start) return role = start[1], say("ready");
  const [, kind, move] = /^(play|stop)\(([^]*)\)$/.exec(content);
  if (move !== "[]") free.splice(free.indexOf(move), 1), turn = turn === "x" ? "o" : "x";
  if (kind === "play" && turn === role) say(free[0]);
});)JS";

class PagePlayers : public testing::Test {
 protected:
  void SetUp() override {
    if (!find_chromium()) GTEST_SKIP() << "no Chromium on this machine (Debian: chromium)";
  }
  /// The record of a match of three in a row between two players.
  json::object match(const std::string& first, const std::string& second, const std::string& more) {
    const ProgramRun run =
        run_program("match tests/gdl/hrf/games/line.hrf --player '" + first + "' --player '" +
                    second + "' --quiet --start-clock 90 --seed 7 --out '" +
                    folder_.path().string() + "' " + more + " 2>&1");
    output_ = run.output;
    code_ = run.code;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (entry.path().extension() != ".json") continue;
      std::ifstream file(entry.path());
      return json::parse(std::string(std::istreambuf_iterator<char>(file), {})).as_object();
    }
    ADD_FAILURE() << "no record\n" << run.output;
    return {};
  }
  json::object match_against(const std::string& does, int play_clock) {
    const std::filesystem::path file = folder_.path() / "player.html";
    std::ofstream(file) << page_that(does);
    json::object record = match("page:" + file.string(), "random",
                                "--play-clock " + std::to_string(play_clock) + " --step-cap 1");
    EXPECT_EQ(code_, 1) << output_;
    return record;
  }
  static std::string textbook() {
    return std::string("page:") + project_folder() + "/tests/web/players/textbook.html";
  }
  /// The match is complete and without errors.
  void expect_complete(const json::object& record) {
    EXPECT_EQ(code_, 0) << output_;
    EXPECT_EQ(record.at("isCompleted"), true) << output_;
    for (const json::value& step : record.at("errors").as_array()) {
      EXPECT_EQ(json::serialize(step), R"(["",""])") << output_;
    }
  }
  /// And a good player does not lose it.
  void expect_good(const json::object& record) {
    expect_complete(record);
    EXPECT_GE(record.at("goalValues").at(0).to_number<int>(), 50);
  }
  /// The code of the page's first move and what was said of it.
  static std::string first_fault(const json::object& record) {
    const json::object& fault = record.at("x-replacedMoves").at(0).as_object();
    return std::string(fault.at("code").as_string()) + ": " +
           std::string(fault.at("answer").as_string());
  }

  ScratchFolder folder_;
  std::string output_;
  int code_ = 0;
};

TEST_F(PagePlayers, PlayWholeMatches) {
  expect_good(match(textbook(), "random", "--play-clock 30"));
}

TEST_F(PagePlayers, PlayEachOther) {
  const std::filesystem::path page =
      std::filesystem::path(project_folder()) / "build/wasm/ludens.html";
  if (!std::filesystem::exists(page)) GTEST_SKIP() << page << " is built by the preset wasm";
  expect_good(match("page:" + page.string(), textbook(), "--play-clock 15"));
}

TEST_F(PagePlayers, OfTheVenuePlayAsTheyStandThere) {
  const std::filesystem::path site = folder_.path() / "site";
  for (const char* folder : {"roster", "vendor"})
    std::filesystem::create_directories(site / folder);
  std::ofstream(site / "roster" / "first.html") << kVenuePage;
  std::ofstream(site / "vendor" / "player.js") << kVenueScript;
  expect_complete(
      match("page:" + (site / "roster" / "first.html").string(), "legal", "--play-clock 30"));
}

TEST_F(PagePlayers, AreShownByADemo) {
  const ProgramRun run = run_program(
      "demo --gamemaster --no-browser --game tests/gdl/hrf/games/line.hrf --page "
      "tests/web/players/textbook.html --start-clock 90 --play-clock 30 --out '" +
      folder_.path().string() + "' 2>&1");
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_THAT(run.output, testing::ContainsRegex("http://127.0.0.1:[0-9]+/"));
  EXPECT_THAT(run.output, HasSubstr("mark("));
  EXPECT_THAT(run.output, HasSubstr("result after"));
}

TEST_F(PagePlayers, OfADemoThatAreNotThereAreSaid) {
  const ProgramRun run = run_program("demo --gamemaster --page nowhere.html 2>&1");
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.output, HasSubstr("nowhere.html: there is no such page"));
}

/// Processes whose arguments name the folder.
std::size_t processes_of(const std::filesystem::path& folder) {
  std::size_t count = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    if (command_of(entry.path()).find(folder.string()) != std::string::npos) ++count;
  }
  return count;
}

bool comes_to(bool some, const std::filesystem::path& folder) {
  for (int tries = 0; tries < 600; ++tries) {
    if ((processes_of(folder) > 0) == some) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

TEST_F(PagePlayers, EndWithAProgramThatIsKilled) {
  const ScratchFolder profiles;  // of browsers
  ::setenv("TMPDIR", profiles.path().c_str(), 1);
  {
    const BackgroundProgram program("match tests/gdl/hrf/games/line.hrf --player '" + textbook() +
                                    "' --player random --start-clock 90 --play-clock 90 --out '" +
                                    folder_.path().string() + "'");
    EXPECT_TRUE(comes_to(true, profiles.path())) << program.output();
  }  // SIGKILL
  ::unsetenv("TMPDIR");
  EXPECT_TRUE(comes_to(false, profiles.path()));
}

TEST_F(PagePlayers, LeaveNothingBehindWhenTheMatchIsInterrupted) {
  const ScratchFolder profiles;
  const std::filesystem::path file = folder_.path() / "player.html";
  std::ofstream(file) << page_that("");
  ::setenv("TMPDIR", profiles.path().c_str(), 1);
  BackgroundProgram program("match tests/gdl/hrf/games/line.hrf --player 'page:" + file.string() +
                            "' --player random --start-clock 90 --play-clock 900 --out '" +
                            folder_.path().string() + "'");
  ::unsetenv("TMPDIR");
  program.wait_for("control x");
  program.interrupt();
  program.wait_for_exit();
  EXPECT_THAT(program.output(), HasSubstr("no result: interrupted"));
  for (const auto& left : std::filesystem::directory_iterator(profiles.path())) {
    EXPECT_THAT(left.path().string(), testing::Not(HasSubstr("ludens-browser")));
  }
}

TEST_F(PagePlayers, ThatThrowHaveFailed) {
  EXPECT_EQ(first_fault(match_against("throw new Error('no idea');", 60)),
            "CE: the page threw: Error: no idea");
}

TEST_F(PagePlayers, ThatThrewWhenTheyWereOpenedAreTold) {
  EXPECT_EQ(first_fault(match_against("} }); queueMicrotask(() => { if (player) {"
                                      " throw new Error('at once');",
                                      1)),
            "TO: nothing was said in time; before, the page threw: Error: at once");
}

TEST_F(PagePlayers, ThatAskForWhatIsNotThereAreOnlyLate) {
  EXPECT_EQ(first_fault(match_against("fetch('none.json'); console.error('none');", 1)),
            "TO: nothing was said in time");
}

TEST_F(PagePlayers, ThatSayNothingAreLate) {
  EXPECT_EQ(first_fault(match_against("", 1)), "TO: nothing was said in time");
}

TEST_F(PagePlayers, ThatHangAreLate) {
  EXPECT_THAT(first_fault(match_against("for (;;) {}", 1)),
              HasSubstr("TO: nothing was said in time"));
}

TEST_F(PagePlayers, ThatFloodAreLate) {
  EXPECT_THAT(first_fault(match_against("setInterval(() => { for (let i = 0; i < 100; ++i)"
                                        " say(i, 'mark(1,1)'); }, 1);",
                                        1)),
              HasSubstr("TO: nothing was said in time"));
}

TEST_F(PagePlayers, ThatPlayIllegallyAreTold) {
  EXPECT_EQ(first_fault(match_against("say(id, 'mark(4,4)');", 60)), "IL: (mark 4 4)");
}

TEST_F(PagePlayers, ThatSayNoTermAreTold) {
  EXPECT_THAT(first_fault(match_against("say(id, 'mark(1');", 60)), HasSubstr("IN: "));
}

TEST_F(PagePlayers, NeedAFile) {
  const ProgramRun run = run_program("match tic_tac_toe --player page:nowhere.html 2>&1");
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.output, HasSubstr("there is no file 'nowhere.html'"));
}

}  // namespace
}  // namespace ludens::server
