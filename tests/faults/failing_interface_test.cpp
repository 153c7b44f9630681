// SPDX-License-Identifier: MIT
// The C interface when memory runs out: no exception leaves it.
#include <gtest/gtest.h>

#include <functional>

#include "bindings/c/ludens.h"
#include "tests/faults/failing_calls.h"

namespace ludens::faults {
namespace {

/// Makes the call again and again, and lets another request for memory fail each time.
void expect_nothing_thrown(const std::function<void()>& call) {
  for (std::uint64_t n = 1;; ++n) {
    SCOPED_TRACE(n);
    bool happened = false;
    EXPECT_NO_THROW({
      const FailingCall failing(FailingCall::Kind::New, n);
      call();
      happened = failing.happened();
    });
    if (!happened) break;
  }
}

class FailingInterface : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(
        ludens_game_from_text("(role player) (init (at 1)) (legal player (go a_long_way_ahead))"
                              "(<= (next (at 2)) (does player (go a_long_way_ahead)))"
                              "(<= terminal (true (at 2))) (goal player 100)",
                              "path", &game_),
        LUDENS_OK)
        << ludens_error();
  }
  void TearDown() override { ludens_game_close(game_); }
  ludens_game* game_ = nullptr;
};

TEST_F(FailingInterface, SaysWhatIsWrong) {
  ludens_search* search = nullptr;
  expect_nothing_thrown([&] {
    const ludens_status status = ludens_search_open("mtcs", 1, 64, &search);
    EXPECT_TRUE(status == LUDENS_BAD_ARGUMENT || status == LUDENS_NO_MEMORY);
    EXPECT_STRNE(ludens_error(), "");
  });
  EXPECT_EQ(search, nullptr);
  expect_nothing_thrown([&] {
    const ludens_status status = ludens_search_run(nullptr, game_, nullptr, 0, 1, nullptr);
    EXPECT_TRUE(status == LUDENS_BAD_ARGUMENT || status == LUDENS_NO_MEMORY);
    EXPECT_STRNE(ludens_error(), "");
  });
}

TEST_F(FailingInterface, FindsActionsOrNone) {
  expect_nothing_thrown([&] {
    const std::int32_t found = ludens_find_action(game_, 0, "( GO A_LONG_WAY_AHEAD )");
    EXPECT_TRUE(found == 0 || found == -1) << found;
  });
  EXPECT_EQ(ludens_find_action(game_, 0, "( go a_long_way_ahead )"), 0);
}

TEST_F(FailingInterface, HasAHashOrNone) {
  const std::uint64_t hash = ludens_game_hash(game_);
  EXPECT_NE(hash, 0u);
  expect_nothing_thrown([&] {
    const std::uint64_t found = ludens_game_hash(game_);
    EXPECT_TRUE(found == hash || found == 0) << found;
  });
}

}  // namespace
}  // namespace ludens::faults
