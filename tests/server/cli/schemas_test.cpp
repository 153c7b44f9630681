// SPDX-License-Identifier: MIT
// config/schemas/ describes the JSON of every command, log and record.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "agent/journal/journal.h"
#include "server/cli/command_line.h"
#include "server/cli/exit_code.h"
#include "server/tournament/log.h"
#include "tests/project_folder.h"
#include "tests/sanitizers.h"
#include "tests/server/cli/learn_run.h"
#include "tests/server/cli/schema.h"
#include "tests/server/run_program.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

const fs::path kSchemas = project_folder() + "/config/schemas";

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

json::value schema(const std::string& name) {
  return json::parse(text_of(kSchemas / (name + ".schema.json")));
}

void expect_lines(const std::string& name, const std::string& text) {
  const json::value described = schema(name);
  std::istringstream lines(text);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_EQ(schema_problem(described, json::parse(line)), "") << name << "\n" << line;
  }
  EXPECT_GT(count, 0U) << name;
}

class Schemas : public testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  /// The JSON of `ludens NAME WORDS... --json` is as the schema NAME says.
  static void expect_command(const std::string& name, std::vector<std::string> words,
                             int code = kGood) {
    words.insert(words.begin(), name);
    words.emplace_back("--json");
    expect_run(name, run_command(words), code);
  }
  static void expect_run(const std::string& name, const CommandRun& run, int code = kGood) {
    EXPECT_EQ(run.code, code) << name << "\n" << run.err;
    expect_lines(name, run.out);
  }

  ScratchFolder folder_;
};

TEST_F(Schemas, DescribeStudies) {
  expect_command("agree", {"nim", "--machine", "scalar", "--playouts", "1"});
  expect_command("analyze", {"tic_tac_toe", "--seconds", "0.2", "--verify"});
  expect_command("analyze", {"pig", "--seconds", "0.2"});
  expect_command("analyze", {"kuhn_poker", "--seconds", "0.5"});
  expect_command("analyze", {"phantom_tic_tac_toe", "--seconds", "0.5"});
  expect_command("games", {});
  expect_command("explain", {"tic_tac_toe", "--at", "( ( mark 1 1 ) noop )"});
  expect_command("explain", {"kuhn_poker", "--at", "( noop noop ( deal jack king ) )"});
  const auto learn = [&](const std::string& seconds) {
    fs::remove(path("tic_tac_toe.knowledge"));
    return run_command({"learn", "tic_tac_toe", "--json", "--seconds", seconds, "--interval", "0.2",
                        "--out", path("tic_tac_toe.knowledge")});
  };
  expect_run("learn", until_learned(0, learn));
  expect_command("learn", {"tic_tac_toe", "--base", path("tic_tac_toe.knowledge"), "--join",
                           path("tic_tac_toe.knowledge"), "--out", path("joined.knowledge")});
  expect_command("perft", {"tic_tac_toe", "2"});
  expect_command("show", {"nim", "--playout"});
  expect_command("solve", {"tic_tac_toe", "--all-moves"});
  expect_command("solve", {"kuhn_poker"});
  expect_command("speed", {"connect_four_small", "--policy", "decisive", "--seconds", "0.01"});
  expect_command("strategies", {});
  expect_command("think", {"tic_tac_toe", "--strategy", "mcts:playouts=50"});
  expect_command("compliance", {"--list"});
  expect_command("convert", {"tic_tac_toe", path("tic_tac_toe.hrf")});
  expect_command("convert", {path("tic_tac_toe.hrf"), path("tic_tac_toe.pl")});
  std::ofstream(path("broken.kif")) << "(role a)\n(<= (legal a ?x) terminal)\n";
  expect_command("check", {path("broken.kif")}, kNotGood);
}

TEST_F(Schemas, DescribeMatchesAndTheirRecords) {
  const std::vector<std::string> match{"nim",    "--player", "random",      "--player",
                                       "random", "--out",    path("plain"), "--play-clock",
                                       "600",    "--quiet"};
  expect_command("match", match);
  expect_command("replay", {path("plain")});
  expect_command("report", {path("plain"), "--out", path("page.html")});
  std::size_t records = 0;
  for (const auto& file : fs::directory_iterator(path("plain"))) {
    if (file.path().extension() != ".json") continue;
    ++records;
    EXPECT_EQ(schema_problem(schema("match-record"), json::parse(text_of(file.path()))), "");
  }
  EXPECT_EQ(records, 1U);
}

/// Memory is what ends a replay early. Sanitizers need more addresses than that.
TEST_F(Schemas, DescribeReplaysThatAreGivenUp) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer needs more memory";
  ASSERT_EQ(run_command({"match", "nim", "--player", "random", "--player", "random", "--play-clock",
                         "600", "--quiet", "--out", path("plain")})
                .code,
            kGood);
  std::ofstream(path("endless.kif")) << "(role first) (role second) (p a) (<= (p (f ?x)) (p ?x))"
                                        "(<= (init (q ?x)) (p ?x)) (legal first noop) terminal";
  const ProgramRun run = run_program(
      "replay " + path("plain") + " --json --game " + path("endless.kif"), "ulimit -v 300000;");
  EXPECT_EQ(run.code, kCouldNot);
  EXPECT_THAT(run.output, testing::HasSubstr("\"stopped\":\"the rules derive more"));
  expect_lines("replay", run.output);
}

TEST_F(Schemas, DescribeJournals) {
  agent::JournalledMatch match;
  match.match_id = "nim.1";
  match.role = "first";
  match.description = "( ( role first ) )";
  match.one_mover = true;
  match.copies = 2;
  match.turns = {
      {.moves = "", .reply = "noop"},
      {.moves = "( noop noop )", .reply = std::nullopt, .id = "7", .number = 1, .own = "noop"}};
  expect_lines("journal", agent::journal_text(match));
}

TEST_F(Schemas, DescribeTournamentsAndTheirLogs) {
  std::ofstream(path("plan.xml")) << "<tournament><player>random</player><player>legal</player>"
                                     "<game>" +
                                         project_folder() +
                                         "/config/games/tic_tac_toe.kif</game></tournament>\n";
  expect_command("tournament", {path("plan.xml"), "--out", path("log")});
  expect_lines("tournament-log", text_of(path("log") + "/tournament.jsonl"));
  TournamentPlan plan;
  for (const auto kind : {PlannedPlayer::Kind::Builtin, PlannedPlayer::Kind::Remote,
                          PlannedPlayer::Kind::Command, PlannedPlayer::Kind::Page}) {
    plan.players.emplace_back().kind = kind;
    plan.players.back().hash = text_hash("a file");
  }
  expect_lines("tournament-log", log_header(plan, {}));
}

/// This includes the schemas of `serve` and `conform`, whose output no test above produces.
TEST_F(Schemas, UseOnlyKeywordsThatAreChecked) {
  std::set<std::string> names;
  for (const auto& file : fs::directory_iterator(kSchemas)) {
    const json::value described = json::parse(text_of(file.path()));
    names.insert(file.path().stem().stem().string());
    EXPECT_THAT(
        schema_problem(described, json::object{{"not", "described"}}),
        testing::AllOf(testing::Not(""), testing::Not(testing::HasSubstr("unknown keyword"))))
        << file.path();
  }
  const ProgramDescription program = describe_program();
  for (const CommandDescription& command : program.commands) {
    const bool prints_objects = std::ranges::any_of(
        command.options, [](const OptionDescription& option) { return option.name == "json"; });
    if (command.name == "play") continue;  // prints what `match` does
    EXPECT_EQ(names.contains(command.name), prints_objects) << command.name;
  }
}

}  // namespace
}  // namespace ludens::server
