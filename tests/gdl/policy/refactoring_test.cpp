// SPDX-License-Identifier: MIT
// Factoring what was composed takes seconds for large games: it must look at the stop signal.
#include "gdl/policy/refactoring.h"

#include <gtest/gtest.h>

#include "gdl/registry/machines.h"
#include "gdl/sliced/machine_network.h"
#include "tests/gdl/machine/bundled_game.h"

namespace ludens::gdl {
namespace {

class Told final : public StopSignal {
 public:
  explicit Told(int after) : after_(after) {}
  [[nodiscard]] bool stop_requested() const noexcept override { return ++asked_ > after_; }
  [[nodiscard]] int asked() const { return asked_; }

 private:
  int after_;
  mutable int asked_ = 0;
};

TEST(Refactoring, LooksAtTheStopSignal) {
  const auto machine = make_machine("sliced", tests::bundled_game("chess")).value();
  const Network& game = machine->network()->game()->network;
  std::vector<Edge> roots;
  for (const Network::Move& move : game.moves) roots.push_back(move.legal);
  const auto copy_all = [&](const StopSignal* stop) {
    Network to = game;
    Refactoring refactoring(game, roots, to, stop);
    for (const Edge root : roots) (void)refactoring.copy(root);
  };
  const Told never(1 << 30), soon(3);
  copy_all(&never);
  EXPECT_GT(never.asked(), 10);
  copy_all(&soon);
  EXPECT_EQ(soon.asked(), 4) << "once told, it is not asked again";
  copy_all(nullptr);
}

}  // namespace
}  // namespace ludens::gdl
