// SPDX-License-Identifier: MIT
#include "search/hidden/ismcts_search.h"

#include <gtest/gtest.h>

#include <memory>

#include "search/strategy/stopping.h"
#include "tests/gdl/machine/wrapped_machine.h"
#include "tests/search/hidden/hidden_match.h"

namespace ludens::search::hidden {
namespace {

/// Has no memory for playouts, if it is told so.
class NoPlayouts final : public gdl::WrappedMachine {
 public:
  using WrappedMachine::WrappedMachine;
  gdl::Status playouts(Context& context, std::span<const gdl::StateView> starts,
                       const gdl::PlayoutOptions& options, gdl::Rng& rng,
                       gdl::PlayoutSums& out) const override {
    if (fails) return gdl::Status::OverBudget;
    return WrappedMachine::playouts(context, starts, options, rng, out);
  }
  bool fails = false;

 private:
  gdl::Status before(Question, Context&) const override { return gdl::Status::Ok; }
};

TEST(IsmctsSearch, CountsNoDescentsThatDidNotEnd) {
  const auto inner = tests::machine_of(tests::vocabulary_of("rock_paper_scissors"), "sliced");
  const auto machine = std::make_shared<NoPlayouts>(inner);
  const tests::HiddenMatch match(machine);
  Roots roots({.most = 16, .seed = 1, .memory = nullptr});
  Position position = match.position(0);
  position.known.reset();
  ASSERT_TRUE(roots.take(position, Deadline()));
  InformationSets<Bandit> sets(nullptr, std::size_t{1} << 24);
  gdl::Rng rng(3);
  IsmctsSearch search(*machine, 0, roots, {}, sets, rng, nullptr);
  ASSERT_EQ(search.run(50, Deadline()), gdl::Status::Ok);
  ASSERT_NE(search.root(), nullptr);
  machine->fails = true;
  ASSERT_EQ(search.run(50, Deadline()), gdl::Status::OverBudget);
  const Bandit& root = *search.root();
  EXPECT_LT(root.visits, 100u);
  std::uint64_t visits = 0;
  for (const Arm& arm : root.arms) {
    EXPECT_EQ(arm.available, root.visits) << "all moves are legal in all histories";
    visits += arm.visits;
  }
  EXPECT_EQ(visits, root.visits);
}

}  // namespace
}  // namespace ludens::search::hidden
