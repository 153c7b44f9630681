// SPDX-License-Identifier: MIT
// `ludens solve` on games of hidden information.
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "server/cli/exit_code.h"
#include "tests/server/cli/command_run.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

using testing::HasSubstr;

TEST(Equilibrium, IsShownAsATableThatPeopleCanRead) {
  const CommandRun run = run_command({"solve", "kuhn_poker"});
  EXPECT_EQ(run.code, kGood) << run.err;
  EXPECT_THAT(run.out, HasSubstr("55 histories, 12 information sets\n"));
  EXPECT_THAT(run.out, HasSubstr("goals first 49.4444 second 50.5556\n"));
  EXPECT_THAT(run.out, HasSubstr("\nsecond\n"));
  EXPECT_THAT(run.out, HasSubstr("  ( card king ); bet: pass 0.0000, bet 1.0000\n"));
  EXPECT_THAT(run.out, HasSubstr("  ( card queen ); pass; bet: pass 0."));
}

TEST(Equilibrium, IsWrittenWholeToTheFileOfThePolicy) {
  const ScratchFolder folder;
  const std::string file = (folder.path() / "leduc.policy").string();
  CommandRun run;
  // A slow machine has not followed all histories by then.
  for (int seconds = 1; run.out.empty(); seconds *= 2) {
    run = run_command(
        {"solve", "leduc_poker", "--seconds", std::to_string(seconds), "--policy", file});
  }
  EXPECT_THAT(run.out, HasSubstr("228 more situations; --policy FILE writes all of them\n"));
  std::ifstream in(file);
  std::size_t situations = 0;
  for (std::string line; std::getline(in, line);) situations += line.starts_with("  ") ? 1 : 0;
  EXPECT_EQ(situations, 288U);
  EXPECT_EQ(run_command({"solve", "leduc_poker", "--seconds", "0.1", "--policy",
                         (folder.path() / "missing" / "x").string()})
                .code,
            kCouldNot);
}

/// Where moves are made at once and seen by all, the same method finds how to mix them.
TEST(Equilibrium, OfMovesAtOnceIsFoundWhereItIsAskedFor) {
  const CommandRun run = run_command({"solve", "rock_paper_scissors", "--method", "cfr"});
  EXPECT_EQ(run.code, kGood) << run.err;
  EXPECT_THAT(run.out, HasSubstr("  at first: ( show rock ) 0.3333, ( show scissors ) 0.3333, "
                                 "( show paper ) 0.3333\n"));
}

/// Who sees the moves that lead to a state of poker knows the cards of the others: from there on it
/// is another game.
TEST(Equilibrium, IsThatOfTheWholeGameWhereInformationIsHidden) {
  const ScratchFolder folder;
  const std::string file = (folder.path() / "moves").string();
  std::ofstream(file) << "( noop noop ( deal jack king ) )\n";
  for (const char* method : {"search", "cfr"}) {
    const CommandRun run =
        run_command({"solve", "kuhn_poker", "--method", method, "--moves", file});
    EXPECT_EQ(run.code, kWrongUse) << method;
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(one_line(run.err)) << run.err;
    EXPECT_THAT(run.err, HasSubstr("`ludens explain kuhn_poker --at " + file + "`"));
  }
  std::ofstream(file) << "; none\n";
  EXPECT_EQ(run_command({"solve", "kuhn_poker", "--moves", file}).code, kGood);
  std::ofstream(file) << "( ( take a 1 ) noop )\n( noop ( take b 3 ) )\n( ( take c 5 ) noop )\n";
  const CommandRun seen = run_command({"solve", "nim", "--method", "cfr", "--moves", file});
  EXPECT_EQ(seen.code, kGood) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("( take d 7 ) 1.0000"));
}

TEST(Equilibrium, IsOfAllRolesAndAllMoves) {
  for (const std::vector<std::string>& option :
       {std::vector<std::string>{"--all-moves"}, {"--role", "second"}}) {
    std::vector<std::string> words{"solve", "kuhn_poker"};
    words.insert(words.end(), option.begin(), option.end());
    const CommandRun run = run_command(words);
    EXPECT_EQ(run.code, kWrongUse) << option.front();
    EXPECT_TRUE(one_line(run.err)) << run.err;
    EXPECT_THAT(run.err, HasSubstr(option.front()));
  }
}

TEST(Equilibrium, IsNotWhatOtherMethodsFind) {
  const CommandRun run = run_command({"solve", "kuhn_poker", "--method", "proof"});
  EXPECT_EQ(run.code, kWrongUse);
  EXPECT_THAT(run.err, HasSubstr("games of hidden information are solved by --method cfr"));
}

}  // namespace
}  // namespace ludens::server
