// SPDX-License-Identifier: MIT
#include "gdl/network/turns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "gdl/kernel/kernel.h"
#include "gdl/program/program.h"
#include "gdl/registry/machines.h"
#include "tests/gdl/machine/bundled_game.h"
#include "tests/gdl/network/networks.h"
#include "tests/gdl/text/stop_signals.h"

namespace ludens::gdl {
namespace {

/// A program over slots that it shares with others.
class Evaluated {
 public:
  Evaluated(const Network& network, std::size_t first_slot)
      : program(compile(network, first_slot).value()) {}

  void evaluate(Phase phase, std::vector<std::uint64_t>& slots) const {
    kernel::kLanes64.evaluate(program.phase(phase), slots.data());
  }
  static std::uint64_t value(SlotEdge e, const std::vector<std::uint64_t>& slots) {
    return slots[e.slot] ^ (std::uint64_t{0} - e.inverted);
  }

  Program program;
};

bool in_lane(const Turn& turn, const std::vector<std::uint64_t>& slots) {
  return std::ranges::all_of(turn, [&](const auto& f) { return (slots[f.first] & 1) == f.second; });
}

/// Plays one random game in lane 0 with the whole program, and compares the turn's in every state
/// where it is one. Returns in how many it was.
int play(const Evaluated& all, const Evaluated& part, const Turn& turn, Rng& rng) {
  std::vector<std::uint64_t> slots(part.program.slots, 0);
  for (std::size_t f = 0; f < all.program.fluents.size(); ++f) slots[f] = all.program.initially[f];
  int turns = 0;
  for (int step = 0; step < 200; ++step) {
    all.evaluate(Phase::Status, slots);
    const bool fits = in_lane(turn, slots);
    if (fits) {
      ++turns;
      part.evaluate(Phase::Status, slots);
      EXPECT_EQ(Evaluated::value(part.program.terminal, slots) & 1,
                Evaluated::value(all.program.terminal, slots) & 1);
    }
    if (Evaluated::value(all.program.terminal, slots) & 1) break;
    std::map<std::pair<RoleIndex, MoveId>, SlotEdge> possible;
    for (const Program::Move& m : part.program.moves) possible[{m.role, m.id}] = {m.slot, 0};
    for (RoleIndex r = 0; r < all.program.roles(); ++r) {
      std::vector<const Program::Move*> legal;
      for (const Program::Move& m : all.program.moves) {
        slots[m.slot] = m.role == r ? 0 : slots[m.slot];
        if (m.role == r && (Evaluated::value(m.legal, slots) & 1)) legal.push_back(&m);
      }
      const Program::Move& made = *legal[rng.below(static_cast<std::uint32_t>(legal.size()))];
      slots[made.slot] = ~std::uint64_t{0};
      std::size_t listed = 0;
      for (const Program::Move& m : part.program.moves) {
        if (m.role != r) continue;
        slots[m.slot] = m.id == made.id ? ~std::uint64_t{0} : 0;
        listed += fits && (Evaluated::value(m.legal, slots) & 1);
      }
      const bool forced = !possible.contains({r, made.id});
      if (fits) {
        EXPECT_EQ(listed, forced ? 0 : legal.size());
      }
      if (fits && forced) {
        EXPECT_EQ(legal.size(), 1U);
      }
    }
    all.evaluate(Phase::Next, slots);
    std::vector<std::uint64_t> next;
    for (const SlotEdge e : all.program.next) next.push_back(Evaluated::value(e, slots));
    if (fits) {
      part.evaluate(Phase::Next, slots);
      for (std::size_t f = 0; f < next.size(); ++f) {
        EXPECT_EQ(Evaluated::value(part.program.next[f], slots) & 1, next[f] & 1) << "fluent " << f;
      }
    }
    std::ranges::copy(next, slots.begin());
  }
  return turns;
}

TEST(Turns, SayWhatTheWholeNetworkSays) {
  for (const char* game : {"tic_tac_toe", "connect_four", "breakthrough", "othello", "checkers"}) {
    SCOPED_TRACE(game);
    const Network network = tests::network_of_bundled_game(game);
    const std::vector<Turn> turns = find_turns(network);
    ASSERT_EQ(turns.size(), 2U);
    const Evaluated all(network, 0);
    for (const Turn& turn : turns) {
      const auto part = in_turn(network, turn);
      ASSERT_TRUE(part);
      EXPECT_LT(measure(*part).two_input, measure(network).two_input);
      const Evaluated simpler(*part, all.program.slots);
      Rng rng(1);
      int seen = 0;
      for (int i = 0; i < 3 && !HasFailure(); ++i) seen += play(all, simpler, turn, rng);
      EXPECT_GT(seen, 0);
    }
  }
}

TEST(Turns, AreNotFoundWhereRolesMoveTogether) {
  for (const char* game : {"goofspiel", "tron", "peg_solitaire"}) {
    EXPECT_TRUE(find_turns(tests::network_of_bundled_game(game)).empty()) << game;
  }
}

TEST(Turns, AreGivenUpWhenStopped) {
  const Network network = tests::network_of_bundled_game("othello");
  const std::vector<Turn> turns = find_turns(network);
  ASSERT_FALSE(turns.empty());
  const tests::StopAfter stop(0);
  EXPECT_FALSE(in_turn(network, turns.front(), &stop));
}

// Starts with either role in control, in one call and each counted for itself, against playouts of
// the single-state machine.
TEST(Turns, StartsOfBothRolesAreCountedApart) {
  for (const char* game : {"tic_tac_toe", "breakthrough"}) {
    const auto fast = make_machine("sliced", tests::bundled_game(game)).value();
    const auto context = fast->make_context();
    std::vector<State> states(1);
    ASSERT_EQ(fast->initial(*context, states[0]), Status::Ok);
    std::vector<MoveId> legal, joint(2);
    for (int step = 0; step < 3; ++step) {
      for (RoleIndex r = 0; r < 2; ++r) {
        ASSERT_EQ(fast->legal(*context, states.back(), r, legal), Status::Ok);
        joint[r] = legal.front();
      }
      State after;
      ASSERT_EQ(fast->next(*context, states.back(), joint, after), Status::Ok);
      states.push_back(after);
    }
    const std::vector<StateView> starts(states.begin(), states.end());
    Rng rng(5);
    PlayoutSums many, few;
    ASSERT_EQ(fast->playouts(*context, starts, {20'000, 1'000}, rng, many), Status::Ok);
    ASSERT_EQ(fast->Machine::playouts(*context, starts, {300, 1'000}, rng, few), Status::Ok);
    for (std::size_t s = 0; s < starts.size(); ++s) {
      EXPECT_EQ(many.playouts[s], 20'000U);
      const double mean = static_cast<double>(many.goals[s * 2]) / 20'000;
      EXPECT_NEAR(mean, static_cast<double>(few.goals[s * 2]) / 300, 4 * 50 / std::sqrt(300.0))
          << game << ", start " << s;
    }
  }
}

}  // namespace
}  // namespace ludens::gdl
