// SPDX-License-Identifier: MIT
// Every signal that asks a program to end does so soon, whatever it is at work on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "server/cli/exit_code.h"
#include "tests/project_folder.h"
#include "tests/protocol/serve_process.h"
#include "tests/sanitizers.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

using namespace std::chrono_literals;

const unsigned kProcessors = std::max(1u, std::thread::hardware_concurrency());

/// A move that is legal if thirteen pigeons find a hole each among twelve: which no memory helps to
/// find out.
std::string pigeons() {
  std::string text =
      "( role r ) ( init ( s 0 ) ) ( <= ( next ( s 0 ) ) ( true ( s 0 ) ) ) ( goal r 50 )"
      "( <= terminal ( true ( s 9 ) ) ) ( <= ( legal r go ) ( not housed ) ( true ( s ?n ) ) )";
  for (int hole = 0; hole < 12; ++hole) text += "( hole " + std::to_string(hole) + " )";
  text += "( <= housed ( true ( s ?n ) )";
  for (int pigeon = 0; pigeon < 13; ++pigeon) {
    text += "( hole ?p" + std::to_string(pigeon) + " )";
    for (int before = 0; before < pigeon; ++before) {
      text += "( distinct ?p" + std::to_string(before) + " ?p" + std::to_string(pigeon) + " )";
    }
  }
  return text + ")";
}

/// What would take hours; FOLDER is where the rulesheet above lies.
struct Long {
  std::string name;
  std::vector<std::string> arguments;
};

class Signals : public testing::TestWithParam<Long> {
 protected:
  void SetUp() override {
    write("pigeons.kif", pigeons());
    std::string matches = "<tournament name=\"t\"><player>mcts:seconds=100</player>";
    matches += "<player>mcts:seconds=101</player><game>chess</game><play-clock>100</play-clock>";
    write("t.xml", matches + "</tournament>");
  }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path() / name) << text;
  }
  [[nodiscard]] std::vector<std::string> command() const {
    std::vector<std::string> all{ludens_program()};
    for (std::string argument : GetParam().arguments) {
      const auto at = argument.find("FOLDER");
      if (at != std::string::npos) argument.replace(at, 6, folder_.path().string());
      all.push_back(std::move(argument));
    }
    return all;
  }
  ScratchFolder folder_;
};

TEST_P(Signals, EndTheProgramSoon) {
  // As soon as it listens, and when it is at work, which it is long before it has worked for that
  // time. What comes before there is a handler ends it in any case.
  for (const auto moment : {0ms, 500ms}) {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) {
      Process process(command());
      const auto at_work = [&] { return process.work() >= moment && process.catches(signal); };
      while (process.running() && !at_work()) std::this_thread::sleep_for(20ms);
      const bool was_running = process.running();
      const auto before = process.work();
      process.signal(signal);
      process.wait();
      EXPECT_TRUE(was_running) << process.errors();
      // Two seconds, of work: on a machine with much else to do it takes longer.
      const std::chrono::duration<double> work = process.work() - before;
      EXPECT_LT(work.count(), 2.0 * kProcessors * (kSanitized ? 10 : 1)) << "signal " << signal;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Commands, Signals,
    testing::Values(
        Long{"Match",
             {"match", "chess", "--player", "mcts", "--player", "mcts", "--play-clock", "300",
              "--quiet", "--out", "FOLDER"}},
        Long{"MatchOnPigeons",
             {"match", "FOLDER/pigeons.kif", "--player", "legal", "--quiet", "--play-clock", "300",
              "--out", "FOLDER"}},
        Long{"Tournament", {"tournament", "FOLDER/t.xml", "--out", "FOLDER/t"}},
        Long{"Solve", {"solve", "chess"}},
        Long{"SolveBackward", {"solve", "chess", "--method", "backward"}},
        Long{"Think", {"think", "chess", "--seconds", "300"}},
        Long{"ThinkOnPigeons", {"think", "FOLDER/pigeons.kif", "--seconds", "300"}},
        Long{"Explain", {"explain", "chess", "--seconds", "300"}},
        Long{"Learn", {"learn", "chess", "--seconds", "300", "--out", "FOLDER/chess.knowledge"}},
        Long{"Agree", {"agree", "chess", "--seconds", "300", "--playouts", "4000000000"}},
        Long{"Analyze", {"analyze", "chess", "--seconds", "300"}},
        Long{"Perft", {"perft", "chess", "9"}},
        Long{"PerftOnInterpreter", {"perft", "chess", "9", "--machine", "interpreter"}},
        Long{"Speed", {"speed", "chess", "--seconds", "300"}},
        Long{"ShowPigeons", {"show", "FOLDER/pigeons.kif", "--playout"}}),
    [](const auto& each) { return each.param.name; });

/// Before the first state there is nothing to record.
TEST(InterruptedCommands, LeaveNoFolderOfAMatchThatHasNotBegun) {
  const ScratchFolder folder;
  const auto rules = folder.path() / "pigeons.kif", records = folder.path() / "records";
  std::ofstream(rules) << pigeons();
  Process process({ludens_program(), "match", rules.string(), "--player", "legal", "--quiet",
                   "--out", records.string()});
  while (process.running() && !(std::filesystem::exists(records) && process.work() >= 500ms)) {
    std::this_thread::sleep_for(20ms);
  }
  ASSERT_TRUE(process.running()) << process.errors();
  EXPECT_FALSE(std::filesystem::is_empty(records)) << "it has begun";
  process.signal(SIGTERM);
  EXPECT_EQ(process.wait(), kNotGood) << process.errors();
  EXPECT_TRUE(std::filesystem::is_empty(records));
}

/// Kills the program if it does not end by itself.
int wait_long_for(Process& process) {
  for (int i = 0; i < 2400 && process.running(); ++i) std::this_thread::sleep_for(50ms);
  if (process.running()) process.signal(SIGKILL);
  return process.wait();
}

/// A predicate of so many arguments that grounding its rule takes far longer than anybody waits.
std::string wide_rule(int arguments) {
  std::string text =
      "(role a) (init (s 0)) (<= (next (s 1)) (true (s 0))) (<= terminal (true (s 1)))"
      "(<= (goal a 100) (true (s 1))) (<= (goal a 0) (true (s 0))) (legal a m) (d 1) (d 2)\n";
  std::string head, body, ones;
  for (int i = 0; i < arguments; ++i) {
    const std::string variable = " ?x" + std::to_string(i);
    head += variable;
    body += " (d" + variable + ")";
    ones += " 1";
  }
  return text + "(<= (wide" + head + ")" + body + ")\n(<= (next (t 1)) (wide" + ones + "))\n";
}

/// The interpreter works at once, however long the fast machine would take.
TEST(TimeGiven, IsKeptWhereTheFastMachineTakesLong) {
  const ScratchFolder folder;
  const auto rules = folder.path() / "wide.kif";
  std::ofstream(rules) << wide_rule(200);
  const std::vector<std::vector<std::string>> commands{{"think", rules.string(), "--seconds", "2"},
                                                       {"solve", rules.string(), "--seconds", "2"},
                                                       {"perft", rules.string(), "1"}};
  for (std::vector<std::string> command : commands) {
    command.insert(command.begin(), ludens_program());
    Process process(command);
    EXPECT_EQ(wait_long_for(process), kGood) << command[1] << ": " << process.errors();
  }
}

/// What has some results before its end prints these.
TEST(InterruptedCommands, PrintWhatTheyHave) {
  const std::vector<std::vector<std::string>> commands{
      {"speed", "nim", "--seconds", "300"},
      {"agree", "nim", "--seconds", "300", "--playouts", "4000000000"},
      {"analyze", "chess", "--seconds", "300"}};
  for (std::vector<std::string> command : commands) {
    command.insert(command.begin(), ludens_program());
    Process process(command);
    // It is ready long before it has worked for that time.
    while (process.running() && process.work() < 2s) std::this_thread::sleep_for(20ms);
    ASSERT_TRUE(process.running()) << command[1];
    process.signal(SIGINT);
    EXPECT_GE(process.wait(), 0) << command[1];
    const auto line = process.read_line();
    ASSERT_TRUE(line) << command[1];
    EXPECT_THAT(*line, testing::StartsWith(command[2])) << command[1];
  }
}

/// A log that is moved away goes on under its name.
TEST(ServeSignals, HangupOpensTheLogAnew) {
  const ScratchFolder folder;
  const auto log = folder.path() / "log", old = folder.path() / "log.1";
  const auto holds = [](const std::filesystem::path& file, const std::string& text) {
    for (int i = 0; i < 600; ++i) {
      std::ifstream in(file);
      const std::string all{std::istreambuf_iterator<char>(in), {}};
      if (all.find(text) != std::string::npos) return true;
      std::this_thread::sleep_for(50ms);
    }
    return false;
  };
  ServeProcess serve({"--log", log.string()});
  serve.process().signal(SIGHUP);
  ASSERT_TRUE(holds(log, "the log continues here"));
  std::filesystem::rename(log, old);
  serve.process().signal(SIGHUP);
  ASSERT_TRUE(holds(log, "the log continues here"));
  serve.process().signal(SIGTERM);
  EXPECT_EQ(serve.process().wait(), 0);
  EXPECT_TRUE(holds(log, "ending"));
}

TEST(ServeSignals, QuitEndsItLikeTheOthers) {
  ServeProcess serve;
  serve.process().signal(SIGQUIT);
  EXPECT_EQ(serve.process().wait(), 0) << serve.process().errors();
}

}  // namespace
}  // namespace ludens::server
