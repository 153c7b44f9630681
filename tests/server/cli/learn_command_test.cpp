// SPDX-License-Identifier: MIT
// The command `learn`, and players that take up what it wrote.
#include "server/cli/commands.h"

#include <boost/json.hpp>
#include <fstream>
#include <iterator>

#include "server/cli/exit_code.h"
#include "tests/server/cli/command_run.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

using testing::HasSubstr;

class LearnCommand : public testing::Test {
 protected:
  [[nodiscard]] CommandRun learn(const std::string& game, std::vector<std::string> words = {}) {
    words.insert(words.begin(), {"learn", game, "--seconds", "0.3", "--interval", "0.2", "--json",
                                 "--out", file()});
    return run_command(words);
  }
  [[nodiscard]] std::string file() const { return (folder_.path() / "a/game.knowledge").string(); }
  static std::uint64_t games_of(const CommandRun& run) {
    const std::string line = run.out.substr(run.out.rfind('\n', run.out.size() - 2) + 1);
    return boost::json::parse(line).at("games").to_number<std::uint64_t>();
  }

  ScratchFolder folder_;
};

TEST_F(LearnCommand, GoesOnFromItsFile) {
  const CommandRun first = learn("tic_tac_toe");
  ASSERT_EQ(first.code, kGood) << first.err;
  const CommandRun next = learn("tic_tac_toe", {"--resume"});
  ASSERT_EQ(next.code, kGood) << next.err;
  EXPECT_GT(games_of(next), games_of(first));
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
  const CommandRun none = learn("three_player", {"--plot", plot});
  EXPECT_EQ(none.code, kCouldNot);
  EXPECT_THAT(none.err, HasSubstr("games of two roles"));
}

TEST_F(LearnCommand, SaysWhatIsWrong) {
  EXPECT_THAT(learn("tic_tac_toe", {"--resume"}).err, HasSubstr("No such file"));
  EXPECT_THAT(learn("eight_puzzle").err, HasSubstr("one role"));
  ASSERT_EQ(learn("tic_tac_toe").code, kGood);
  const CommandRun other = learn("nim", {"--resume"});
  EXPECT_EQ(other.code, kCouldNot);
  EXPECT_THAT(other.err, HasSubstr("another game"));
  std::ofstream(file()) << "LUDENSKN";
  EXPECT_THAT(learn("tic_tac_toe", {"--resume"}).err, HasSubstr("too early"));
}

}  // namespace
}  // namespace ludens::server
