#include "search/auto/rivalry.h"

#include "search/registry/registry.h"
#include "search/tree/tree_machine.h"
#include "tests/search/native_machine.h"
#include "tests/search/thinking.h"

namespace ludens::search::test {
namespace {

constexpr double kLength = 8;  // of tic-tac-toe

Position tic_tac_toe() {
  return initial_position(std::make_shared<NativeMachine>(std::make_shared<TicTacToe>()), 0);
}

Deadline in(std::chrono::milliseconds time) {
  return Deadline(std::chrono::steady_clock::now() + time);
}

RivalryVerdict compare(std::string_view first, std::string_view second, const Deadline& end) {
  return compare_searches(first, second, tic_tac_toe(), kLength, end, make_known_strategy, {}, 1);
}

TEST(Rivalry, FindsTheBetterOfTwo) {
  const RivalryVerdict ahead = compare("alphabeta", "random", in(std::chrono::seconds(10)));
  EXPECT_TRUE(ahead.decided) << ahead.explanation;
  EXPECT_TRUE(ahead.first_better);
  const RivalryVerdict behind = compare("random", "alphabeta", in(std::chrono::seconds(10)));
  EXPECT_TRUE(behind.decided) << behind.explanation;
  EXPECT_FALSE(behind.first_better);
  EXPECT_NE(behind.explanation.find("random against alphabeta"), std::string::npos);
}

TEST(Rivalry, EqualsAreNotTold) {
  const RivalryVerdict verdict = compare("alphabeta", "alphabeta", in(std::chrono::seconds(10)));
  EXPECT_FALSE(verdict.decided) << verdict.explanation;
}

TEST(Rivalry, SaysNothingWithoutTime) {
  const RivalryVerdict verdict = compare("alphabeta", "random", in(std::chrono::milliseconds(20)));
  EXPECT_FALSE(verdict.decided);
  EXPECT_EQ(verdict.explanation, "");
}

TEST(Rivalry, LeavesGamesOfMoreRolesAlone) {
  auto parsed = TreeMachine::parse(
      "(roles a b c) (a left (c (10 20 60) (40 20 30)) right (b (30 50 0) (90 10 80)))");
  const auto machine = std::get<std::shared_ptr<const TreeMachine>>(std::move(parsed));
  const RivalryVerdict verdict =
      compare_searches("alphabeta", "random", initial_position(machine, 0), 2,
                       in(std::chrono::seconds(10)), make_known_strategy, {}, 1);
  EXPECT_FALSE(verdict.decided);
  EXPECT_EQ(verdict.explanation, "");
}

}  // namespace
}  // namespace ludens::search::test
