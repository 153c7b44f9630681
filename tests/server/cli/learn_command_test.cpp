// SPDX-License-Identifier: MIT
// The command `learn`, and players that take up what it wrote.
#include "server/cli/commands.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "agent/knowledge/knowledge_files.h"
#include "gdl/text/file.h"
#include "search/learning/table_layout.h"
#include "server/cli/exit_code.h"
#include "server/cli/learned_game.h"
#include "tests/search/games/bundled.h"
#include "tests/search/learning/lamps.h"
#include "tests/server/cli/learn_run.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

using testing::HasSubstr;

class LearnCommand : public testing::Test {
 protected:
  /// Into `file()`, for a moment.
  [[nodiscard]] CommandRun try_learning(const std::string& game,
                                        std::vector<std::string> words = {},
                                        const std::string& seconds = "0.3") {
    words.insert(words.begin(), {"learn", game, "--seconds", seconds, "--interval", "0.2", "--json",
                                 "--out", file()});
    return run_command(words);
  }
  /// The same until more games were played than that many, afresh unless `words` say otherwise.
  [[nodiscard]] CommandRun learn(const std::string& game,
                                 const std::vector<std::string>& words = {},
                                 std::uint64_t games = 0) {
    const bool goes_on = std::find(words.begin(), words.end(), "--resume") != words.end();
    return until_learned(games, [&](const std::string& seconds) {
      if (!goes_on) std::filesystem::remove(file());
      return try_learning(game, words, seconds);
    });
  }
  [[nodiscard]] std::string file() const { return (folder_.path() / "a/game.knowledge").string(); }

  ScratchFolder folder_;
};

TEST_F(LearnCommand, GoesOnFromItsFile) {
  const CommandRun first = learn("tic_tac_toe");
  ASSERT_EQ(first.code, kGood) << first.err;
  EXPECT_THAT(first.err, HasSubstr("learn: what was learned is in " + file()));
  const CommandRun next = learn("tic_tac_toe", {"--resume"}, games_of(first));
  ASSERT_EQ(next.code, kGood) << next.err;
  EXPECT_GT(games_of(next), games_of(first));
}

TEST_F(LearnCommand, ReplacesNoFile) {
  const std::string before = "what took hours";
  std::filesystem::create_directories(std::filesystem::path(file()).parent_path());
  std::ofstream(file()) << before;
  const CommandRun run = try_learning("tic_tac_toe");
  EXPECT_EQ(run.code, kCouldNot);
  EXPECT_THAT(run.err, testing::AllOf(HasSubstr(file()), HasSubstr("--resume")));
  EXPECT_TRUE(one_line(run.err)) << run.err;
  EXPECT_EQ(gdl::read_file(file()).value(), before);
  const CommandRun sink = until_learned(0, [](const std::string& seconds) {
    return run_command(
        {"learn", "tic_tac_toe", "--json", "--seconds", seconds, "--out", "/dev/null"});
  });
  EXPECT_EQ(sink.code, kGood) << sink.err;
}

TEST_F(LearnCommand, ReplacesNoFileByWhatItJoins) {
  ASSERT_EQ(learn("tic_tac_toe").code, kGood);
  const auto folder = folder_.path() / "known";
  std::filesystem::create_directories(folder);
  const auto machine = search::test::bundled("tic_tac_toe", "sliced");
  const std::string usual =
      agent::knowledge_file(folder, LearnedGame(machine->vocabulary()).fingerprint()).string();
  const std::string other = (folder_.path() / "other").string(), before = "what took hours";
  ::setenv("LUDENS_KNOWLEDGE", folder.c_str(), 1);
  for (const std::string& out : {usual, other}) {
    std::ofstream(out) << before;
    std::vector<std::string> words{"learn", "tic_tac_toe", "--base", file(), "--join", file()};
    if (out == other) words.insert(words.end(), {"--out", out});
    const CommandRun refused = run_command(words);
    EXPECT_EQ(refused.code, kCouldNot) << out;
    EXPECT_THAT(refused.err, testing::AllOf(HasSubstr(out), HasSubstr("--resume replaces it")));
    EXPECT_TRUE(one_line(refused.err)) << refused.err;
    EXPECT_EQ(gdl::read_file(out).value(), before);
    words.emplace_back("--resume");  // a task of Slurm that starts once more
    const CommandRun joined = run_command(words);
    EXPECT_EQ(joined.code, kGood) << joined.err;
    EXPECT_NE(gdl::read_file(out).value(), before);
  }
  ::unsetenv("LUDENS_KNOWLEDGE");
}

TEST_F(LearnCommand, SaysBeforeItLearnsThatItCannotWrite) {
  const std::string folder = folder_.path().string();
  const std::pair<std::string, std::string> files[] = {{folder, "Is a directory"},
                                                       {"/dev/full", "No space left on device"}};
  for (const auto& [out, why] : files) {
    const CommandRun run = run_command({"learn", "tic_tac_toe", "--seconds", "0.3", "--out", out});
    EXPECT_EQ(run.code, kCouldNot);
    EXPECT_THAT(run.err, HasSubstr(out + ": " + why));
    EXPECT_TRUE(one_line(run.err)) << run.err;  // that of what it learns would come before
  }
}

TEST_F(LearnCommand, JoinsWithoutOptionsOfLearning) {
  for (const char* option : {"--seconds", "--interval", "--threads", "--seed"}) {
    const CommandRun run = run_command(
        {"learn", "tic_tac_toe", "--base", "/no/base", "--join", "/no/part", option, "1"});
    EXPECT_EQ(run.code, kWrongUse) << option;
    EXPECT_THAT(run.err, testing::AllOf(HasSubstr(option), HasSubstr("--join"))) << option;
    EXPECT_TRUE(one_line(run.err)) << run.err;
  }
}

TEST_F(LearnCommand, WritesNoFileBeforeAGameHasEnded) {
  std::ofstream(folder_.path() / "lamps.kif") << search::test::lamps(2, 400);
  CommandRun run;
  for (double seconds = 1e-3; games_of(run) == 0; seconds *= 4) {
    run = try_learning((folder_.path() / "lamps.kif").string(), {}, std::to_string(seconds));
    EXPECT_EQ(std::filesystem::exists(file()), games_of(run) > 0) << seconds;
    EXPECT_EQ(run.code, games_of(run) > 0 ? kGood : kCouldNot) << run.err;
  }
}

/// One more file could not be read again; the old one stays.
TEST_F(LearnCommand, WritesNoFileThatIsTooLong) {
  const auto machine = search::test::bundled("tic_tac_toe", "sliced");
  const LearnedGame game(machine->vocabulary());
  search::Knowledge knowledge;
  knowledge.form.variables = {{.fluents = std::vector<gdl::FluentId>(80, 0)}};
  knowledge.shape.roles.resize(2);
  knowledge.shape.learned = {0};
  knowledge.shape.group_of_mover = {0, 0, 0};
  knowledge.shape.groups = 1;
  knowledge.waits.resize(2);
  const auto write = [&](std::size_t tuples) {
    knowledge.form.tuples.assign(tuples, {0, 0});  // 81 * 81 weights each
    knowledge.weights.assign(search::TableLayout(knowledge.form).entries(), {0, 0, 1});
    return game.write(file(), knowledge);
  };
  EXPECT_EQ(write(1), std::error_code());
  const auto bytes = std::filesystem::file_size(file());
  EXPECT_EQ(write(900), std::errc::file_too_large);
  EXPECT_EQ(std::filesystem::file_size(file()), bytes);
}

/// The largest learner that there is memory for has none left for its games.
TEST_F(LearnCommand, EndsWhereThereIsNoMemoryToLearn) {
  ASSERT_EQ(learn("tic_tac_toe").code, kGood);
  const auto machine = search::test::bundled("tic_tac_toe", "sliced");
  const LearnedGame game(machine->vocabulary());
  search::Knowledge knowledge = game.read(file()).value();
  knowledge.form.symmetries.clear();
  const auto run = [&](std::size_t tuples, std::size_t large_ones) {
    auto& form = knowledge.form;
    form.tuples.assign(tuples, {0});
    std::fill_n(form.tuples.begin(), large_ones, std::vector<std::uint32_t>{0, 1, 2, 3, 4});
    const std::size_t entries = search::TableLayout(form).entries();
    knowledge.weights.assign(knowledge.shape.tables() * entries, {});
    EXPECT_EQ(game.write(file(), knowledge), std::error_code());
    return try_learning("tic_tac_toe", {"--resume", "--threads", "1", "--memory-mb", "16"}, "0.05");
  };
  const auto most = [](std::size_t limit, const auto& fits) {
    std::size_t count = 0;
    for (std::size_t step = 512; step > 0; step /= 2) {
      if (count + step <= limit && fits(count + step)) count += step;
    }
    return count;
  };
  const auto begins = [](const CommandRun& begun) {
    return begun.err.find("tuples in 1 places") != std::string::npos;
  };
  const std::size_t tuples = most(1'000, [&](std::size_t count) { return begins(run(count, 0)); });
  const std::size_t large_ones =
      most(tuples, [&](std::size_t count) { return begins(run(tuples, count)); });
  const CommandRun full = run(tuples, large_ones);
  ASSERT_TRUE(begins(full)) << full.err;
  EXPECT_EQ(full.code, kCouldNot);
  EXPECT_THAT(full.err, HasSubstr("learn: memory is used up"));
  EXPECT_EQ(full.out, "");
}

TEST_F(LearnCommand, GivesPlayersWhatTheyStartFrom) {
  ASSERT_EQ(learn("tic_tac_toe").code, kGood);
  const CommandRun with = run_command(
      {"think", "tic_tac_toe", "--strategy", "value:knowledge=" + file() + ",nodes=200,games=1"});
  EXPECT_THAT(with.err, HasSubstr("of knowledge"));
  const CommandRun without =
      run_command({"think", "tic_tac_toe", "--strategy", "value:knowledge=none,nodes=200,games=1"});
  EXPECT_THAT(without.err, testing::Not(HasSubstr("of knowledge")));
}

TEST_F(LearnCommand, SaysHowFarValuesSee) {
  const CommandRun first = learn("breakthrough_small", {"--reach", "1"});
  ASSERT_EQ(first.code, kGood) << first.err;
  const CommandRun next =  // as far as its file
      learn("breakthrough_small", {"--resume"}, games_of(first));
  ASSERT_EQ(next.code, kGood) << next.err;
  EXPECT_GT(games_of(next), games_of(first));
  const CommandRun player = run_command({"think", "breakthrough_small", "--strategy",
                                         "value:knowledge=" + file() + ",nodes=200,games=1"});
  EXPECT_THAT(player.err, HasSubstr("that see 1 moves far"));
}

TEST_F(LearnCommand, SaysWhyNoValuesSeeFarther) {
  const CommandRun run = try_learning("connect_four_small", {"--reach", "2"});
  EXPECT_EQ(run.code, kCouldNot);
  EXPECT_TRUE(one_line(run.err)) << run.err;
}

TEST_F(LearnCommand, GivesNoOtherGameWhatItLearned) {
  ASSERT_EQ(learn("tic_tac_toe").code, kGood);
  const CommandRun other = run_command({"think", "nim", "--strategy", "value:knowledge=" + file()});
  EXPECT_EQ(other.code, kWrongUse);
  EXPECT_THAT(other.err, HasSubstr("another game"));
  EXPECT_TRUE(one_line(other.err)) << other.err;
}

TEST_F(LearnCommand, DrawsACurve) {
  const std::string plot = (folder_.path() / "curve.svg").string();
  ASSERT_EQ(learn("tic_tac_toe", {"--plot", plot, "--threads", "2"}).code, kGood);
  std::ifstream picture(plot);
  const std::string text{std::istreambuf_iterator<char>(picture), {}};
  EXPECT_THAT(text, HasSubstr("<svg"));
  EXPECT_THAT(text, HasSubstr("tic_tac_toe"));
  const CommandRun none = try_learning("three_player", {"--plot", plot});
  EXPECT_EQ(none.code, kCouldNot);
  EXPECT_THAT(none.err, HasSubstr("games of two roles"));
}

TEST_F(LearnCommand, JoinsWhatPartsHaveLearned) {
  const auto at = [&](const char* name) { return (folder_.path() / name).string(); };
  const auto run = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"learn", "tic_tac_toe", "--json"});
    const CommandRun done = run_command(words);
    EXPECT_EQ(done.code, kGood) << done.err;
    return games_of(done);
  };
  ASSERT_EQ(learn("tic_tac_toe").code, kGood);
  const auto base = run({"--base", file(), "--join", file(), "--out", at("base")});
  const auto part = [&](const char* of, const char* seed, const std::string& out,
                        std::uint64_t games) {
    const CommandRun done = until_learned(games, [&](const std::string& seconds) {
      std::filesystem::remove(out);
      return run_command({"learn", "tic_tac_toe", "--json", "--base", at(of), "--seconds", seconds,
                          "--seed", seed, "--out", out});
    });
    EXPECT_EQ(done.code, kGood) << done.err;
    return games_of(done);
  };
  const auto one = part("base", "1", at("one"), base);
  const auto other = part("base", "2", at("other"), base);
  EXPECT_GT(one, base);
  EXPECT_EQ(run({"--base", at("base"), "--join", at("one"), at("other"), "--out", at("all")}),
            base + (one - base) + (other - base));
  EXPECT_GT(part("all", "1", at("next"), one + other - base), one + other - base);
}

TEST_F(LearnCommand, JoinsPartsThatSeeFar) {
  const CommandRun base = learn("breakthrough_small", {"--reach", "1"});
  ASSERT_EQ(base.code, kGood) << base.err;
  const std::string part = (folder_.path() / "part").string();
  const std::string joined = (folder_.path() / "joined").string();
  const CommandRun learned = until_learned(games_of(base), [&](const std::string& seconds) {
    std::filesystem::remove(part);
    return run_command({"learn", "breakthrough_small", "--json", "--base", file(), "--seconds",
                        seconds, "--out", part});
  });
  ASSERT_EQ(learned.code, kGood) << learned.err;
  std::ofstream(joined) << "what a task that was killed has left";
  const CommandRun join = run_command({"learn", "breakthrough_small", "--json", "--base", file(),
                                       "--join", part, "--out", joined, "--resume"});
  ASSERT_EQ(join.code, kGood) << join.err;
  EXPECT_EQ(games_of(join), games_of(learned));
  const CommandRun player = run_command({"think", "breakthrough_small", "--strategy",
                                         "value:knowledge=" + joined + ",nodes=200,games=1"});
  EXPECT_THAT(player.err, HasSubstr("that see 1 moves far"));
}

TEST_F(LearnCommand, GoesOnWithAPartForTheRestOfItsTime) {
  const CommandRun base = learn("tic_tac_toe");
  ASSERT_EQ(base.code, kGood) << base.err;
  const std::string out = (folder_.path() / "part").string();
  const auto part = [&](const std::string& seconds) {
    return run_command({"learn", "tic_tac_toe", "--json", "--base", file(), "--resume", "--seconds",
                        seconds, "--out", out});
  };
  const CommandRun first = until_learned(games_of(base), part, 0.5);
  ASSERT_EQ(first.code, kGood) << first.err;
  EXPECT_THAT(first.out, HasSubstr("\"score\":null"));
  const CommandRun no_more = part("0.000001");
  EXPECT_EQ(no_more.code, kGood) << no_more.err;
  EXPECT_EQ(no_more.out, "");
  EXPECT_GT(games_of(until_learned(games_of(first), part, 1)), games_of(first));
}

TEST_F(LearnCommand, SaysWhatIsWrongWithParts) {
  const CommandRun base = learn("tic_tac_toe");
  ASSERT_EQ(base.code, kGood) << base.err;
  const std::uint64_t games = games_of(base);
  const std::string part = (folder_.path() / "part").string();
  const auto expect_failure = [&](const std::string& game, std::vector<std::string> words, int code,
                                  const std::string& why) {
    words.insert(words.begin(), {"learn", game, "--out", part});
    const CommandRun run = run_command(words);
    EXPECT_EQ(run.code, code);
    EXPECT_THAT(run.err, HasSubstr(why));
    EXPECT_TRUE(one_line(run.err)) << run.err;
    EXPECT_FALSE(std::filesystem::exists(part));
  };
  const std::string missing = (folder_.path() / "missing").string();
  expect_failure("tic_tac_toe", {"--join", file()}, kWrongUse, "--join needs --base");
  expect_failure("tic_tac_toe", {"--base", file(), "--join", file(), missing}, kCouldNot,
                 missing + ": No such file");
  expect_failure("tic_tac_toe", {"--base", missing}, kCouldNot, missing + ": No such file");
  expect_failure("nim", {"--base", file(), "--join", file()}, kCouldNot, "another game");
  expect_failure("tic_tac_toe", {"--base", file(), "--plot", "x.svg"}, kWrongUse, "--plot");
  ASSERT_EQ(until_learned(games,
                          [&](const std::string& seconds) {
                            std::filesystem::remove(missing);
                            return run_command({"learn", "tic_tac_toe", "--json", "--base", file(),
                                                "--seconds", seconds, "--out", missing});
                          })
                .code,
            kGood);
  expect_failure("tic_tac_toe", {"--base", missing, "--join", file()}, kCouldNot,
                 file() + ": something was learned less often than in the base");
}

TEST_F(LearnCommand, SaysWhatIsWrong) {
  EXPECT_THAT(try_learning("tic_tac_toe", {"--resume"}).err, HasSubstr("No such file"));
  EXPECT_THAT(try_learning("eight_puzzle").err, HasSubstr("one role"));
  ASSERT_EQ(learn("tic_tac_toe").code, kGood);
  const CommandRun other = try_learning("nim", {"--resume"});
  EXPECT_EQ(other.code, kCouldNot);
  EXPECT_THAT(other.err, HasSubstr("another game"));
  EXPECT_TRUE(one_line(other.err)) << other.err;
  std::ofstream(file()) << "LUDENSKN";
  const CommandRun damaged = try_learning("tic_tac_toe", {"--resume"});
  EXPECT_THAT(damaged.err, HasSubstr(file() + ": it ends too early"));
  EXPECT_TRUE(one_line(damaged.err)) << damaged.err;
}

}  // namespace
}  // namespace ludens::server
