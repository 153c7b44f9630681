// SPDX-License-Identifier: MIT
// Hosts that send one move a turn, that of the role in control.
#include <filesystem>

#include "tests/agent/player/player_test.h"
#include "tests/agent/temporary_folder.h"

namespace ludens::agent {
namespace {

class PlayerOneMover : public PlayerTest {
 protected:
  void start_match(const std::string& role, const std::string& rules = kTurns) {
    const auto got = send(Start{"m", role, part(rules), 30, 15, true});
    until([&] { return script->calls >= 1; });
    if (got->replies == 0) time.advance(std::chrono::seconds(30));
    ASSERT_EQ(wait(got), "ready") << log.str();
  }
  /// The answer to the move made last; `nil` for none.
  std::string told(const std::string& move, std::optional<std::string> id = std::nullopt) {
    return wait(send(Play{"m", move == "nil" ? Part{} : part(move), std::move(id)}));
  }
};

TEST_F(PlayerOneMover, WhoIsNotInControlAnswersNothing) {
  start_match("a");
  EXPECT_EQ(told("nil"), "( Take 3 )");
  EXPECT_EQ(told("(take 3)"), "");
  EXPECT_EQ(told("(take 2)"), "( Take 3 )");
  EXPECT_EQ(status().step, 2u);
  EXPECT_FALSE(logged("illegal")) << log.str();
}

TEST_F(PlayerOneMover, TheOtherRoleWaitsFirst) {
  start_match("b");
  EXPECT_EQ(told("nil"), "");
  EXPECT_EQ(told("(take 1)"), "( Take 3 )");
  EXPECT_EQ(wait(send(Stop{"m", part("(take 3)")})), "done");
  EXPECT_FALSE(logged("illegal")) << log.str();
}

TEST_F(PlayerOneMover, AMessageOfTheSameNameIsARepeat) {
  start_match("a");
  EXPECT_EQ(told("nil", "1"), "( Take 3 )");
  EXPECT_EQ(told("nil", "1"), "( Take 3 )");
  EXPECT_EQ(told("(take 3)", "2"), "");
  EXPECT_EQ(told("(take 3)", "2"), "");
  EXPECT_TRUE(until([&] { return status().step == 1; }));
  EXPECT_EQ(told("(take 3)", "3"), "( Take 3 )");  // the other one made the same move
  EXPECT_EQ(status().step, 2u);
}

TEST_F(PlayerOneMover, AMoveThatNobodyCanMakeChangesNothing) {
  start_match("a");
  EXPECT_EQ(told("nil", "1"), "( Take 3 )");
  EXPECT_EQ(told("(take 7)", "2"), "( Take 3 )");
  EXPECT_TRUE(logged("illegal joint move")) << log.str();
  EXPECT_EQ(told("(take 3)", "3"), "");
}

TEST_F(PlayerOneMover, SaysThatAMoveWasReplacedAlsoAtTheEnd) {
  start_match("a");
  EXPECT_EQ(told("nil"), "( Take 3 )");
  EXPECT_EQ(told("(take 2)"), "");
  EXPECT_TRUE(logged("the host replaced our ( Take 3 ) by ( Take 2 )")) << log.str();
  EXPECT_EQ(told("(take 1)"), "( Take 3 )");
  EXPECT_EQ(wait(send(Stop{"m", part("(take 1)")})), "done");
  EXPECT_TRUE(until([&] { return logged("the host replaced our ( Take 3 ) by ( Take 1 )"); }))
      << log.str();
}

TEST_F(PlayerOneMover, GoesOnAfterACrash) {
  TemporaryFolder folder;
  options.journal_dir = folder.path() / "journal";
  start_match("a");
  EXPECT_EQ(told("nil", "1"), "( Take 3 )");
  EXPECT_EQ(told("(take 3)", "2"), "");
  // What a killed process leaves: its files as they are at this moment.
  const std::filesystem::path kept = folder.path() / "kept";
  std::filesystem::copy(options.journal_dir, kept, std::filesystem::copy_options::recursive);
  script->release = true;
  player.reset();
  script->release = false;
  options.journal_dir = kept;
  EXPECT_EQ(told("(take 3)", "2"), "");
  EXPECT_EQ(told("(take 3)", "3"), "( Take 3 )");
  EXPECT_EQ(status().step, 2u);
}

}  // namespace
}  // namespace ludens::agent
