// SPDX-License-Identifier: MIT
// Both methods of solving against each other on every bundled game that is small enough for all its
// positions to be held.
#include <gtest/gtest.h>

#include "gdl/registry/machines.h"
#include "search/solve/solve.h"
#include "server/game/bundled_games.h"

namespace ludens {
namespace {

/// For the positions of a game and what links them.
constexpr std::size_t kSmallBytes = std::size_t{24} << 20;

search::Solution solved(const std::shared_ptr<const gdl::Machine>& machine, gdl::RoleIndex role,
                        search::SolveMethod method) {
  search::Position position{machine, {}, role, {}};
  const auto context = machine->make_context();
  EXPECT_EQ(machine->initial(*context, position.state), gdl::Status::Ok);
  gdl::MemoryBudget memory(kSmallBytes);
  const bool backward = method == search::SolveMethod::Backward;
  return search::solve(position, method, search::Deadline(), backward ? &memory : nullptr, nullptr);
}

TEST(SolvedGames, SearchAndBackwardInductionAgreeOnAllSmallOnes) {
  int small = 0;
  for (const auto& file : server::bundled_games()) {
    SCOPED_TRACE(file.stem().string());
    const auto sheet = server::load_game(file.string());
    ASSERT_TRUE(sheet.has_value());
    const auto made =
        gdl::make_machine("auto", std::make_shared<gdl::Vocabulary>(sheet->rules), {});
    ASSERT_TRUE(made.has_value());
    const auto& machine = *made;
    for (gdl::RoleIndex role = 0; role < machine->role_count(); ++role) {
      if (role == machine->random_role()) continue;
      const auto backward = solved(machine, role, search::SolveMethod::Backward);
      if (!backward.exact) break;  // too many positions
      const auto searched = solved(machine, role, search::SolveMethod::Search);
      EXPECT_TRUE(searched.exact);
      EXPECT_NEAR(searched.low, backward.low, 1e-9) << machine->role_name(role);
      small += role == 0 ? 1 : 0;
    }
  }
  EXPECT_GE(small, 6);
}

}  // namespace
}  // namespace ludens
