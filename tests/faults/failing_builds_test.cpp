// SPDX-License-Identifier: MIT
// Machines that are built beside a search when memory runs out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string_view>

#include "agent/reasoner/acceleration.h"
#include "gdl/interpreter/interpreter.h"
#include "tests/faults/failing_calls.h"
#include "tests/gdl/rules/rulesheet.h"

namespace ludens::faults {
namespace {

/// Returns at once, without a choice.
class Idle final : public search::Strategy {
 public:
  [[nodiscard]] std::string_view name() const override { return "idle"; }
  void think(const search::Position&, const search::Deadline&, search::Incumbent&) override {}
};

TEST(FailingMemory, OfABuildLeavesTheSearchOnTheInterpreter) {
  const auto machine = gdl::make_interpreter(std::make_shared<gdl::Vocabulary>(
      gdl::normalise_text("(role a) (init (at 1)) (legal a go) (<= (next (at 2)) (does a go))"
                          "(<= terminal (true (at 2))) (goal a 100)")
          .rules));
  search::Position position{machine, {}, 0, {}};
  ASSERT_EQ(machine->initial(*machine->make_context(), position.state), gdl::Status::Ok);
  const auto strategy = agent::accelerate(std::make_unique<Idle>(), {"idle", {}}, nullptr);
  search::Incumbent incumbent;
  {
    const MemoryOfOneThread mine;
    do {
      strategy->think(position, search::Deadline(), incumbent);
    } while (strategy->explanation().empty());  // until the build has ended
  }
  EXPECT_THAT(strategy->explanation(), testing::StartsWith("on the interpreter: "));
}

}  // namespace
}  // namespace ludens::faults
