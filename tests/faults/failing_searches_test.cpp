// SPDX-License-Identifier: MIT
// Searches when memory runs out.
#include <gmock/gmock.h>

#include <chrono>
#include <cstdint>
#include <new>
#include <vector>

#include "search/game/move_chooser.h"
#include "tests/faults/failing_calls.h"
#include "tests/project_folder.h"

namespace ludens::faults {
namespace {

using Visits = std::vector<std::uint64_t>;  // of each move

search::Choice choose(search::MoveChooser& chooser, const gdl::GameState& state) {
  return chooser.choose(state, 0, std::chrono::hours(1));
}

Visits visits(search::MoveChooser& chooser, const gdl::GameState& state) {
  Visits visits;
  for (const search::RootMove& m : choose(chooser, state).root) visits.push_back(m.visits);
  return visits;
}

/// The next choice comes from a search that begins anew or, if memory ran out after the first had
/// ended, from one that goes on.
TEST(FailingMemory, InASearchDoesNotDisturbTheNextChoice) {
  const gdl::Game game = gdl::Game::from_file(project_folder() + "/config/games/tic_tac_toe.kif");
  const gdl::GameState state = game.initial_state();
  constexpr const char* kStrategy = "mcts:playouts=300,seed=7";
  search::MoveChooser undisturbed(kStrategy);
  const Visits first = visits(undisturbed, state), second = visits(undisturbed, state);
  int begun_anew = 0;
  bool happened = true;
  for (std::uint64_t n = 1; happened; n += 1 + n / 4) {
    search::MoveChooser chooser(kStrategy);
    try {
      const FailingCall failing(FailingCall::Kind::New, n);
      choose(chooser, state);
      happened = failing.happened();
      continue;
    } catch (const std::bad_alloc&) {
    }
    const Visits next = visits(chooser, state);
    EXPECT_THAT(next, testing::AnyOf(first, second)) << n;
    begun_anew += next == first ? 1 : 0;
  }
  EXPECT_GT(begun_anew, 3);
}

}  // namespace
}  // namespace ludens::faults
