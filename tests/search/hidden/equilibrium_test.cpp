// SPDX-License-Identifier: MIT
// Equilibria for who plays by them, and what searches find in drawn games.
#include "search/hidden/equilibrium.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "search/hidden/exploitability.h"
#include "search/registry/registry.h"
#include "tests/search/hidden/hidden_match.h"
#include "tests/search/hidden/random_game.h"

namespace ludens::search::hidden {
namespace {

using tests::HiddenMatch;

std::unique_ptr<Equilibrium> equilibrium_of(const gdl::Machine& machine, std::uint64_t iterations) {
  auto made = Equilibrium::build(machine, Deadline(), nullptr);
  EXPECT_TRUE(made.has_value());
  (*made)->improve(Deadline(), iterations);
  return *std::move(made);
}

/// Every set of the game is found by what its role knows there, and no set by anything else.
TEST(ExtensiveForm, FindsItsSetsByWhatIsKnown) {
  for (const char* game : {"kuhn_poker", "matching_pennies", "rock_paper_scissors"}) {
    const auto machine = tests::machine_of(tests::vocabulary_of(game), "sliced");
    const auto equilibrium = equilibrium_of(*machine, 1);
    const ExtensiveForm& form = equilibrium->form();
    const SetId stride = form.sets().size() > 1000 ? 97 : 1;
    for (SetId s = 0; s < form.sets().size(); s += stride) {
      const auto& set = form.sets()[s];
      std::vector<KnownTurn> known;
      std::vector<gdl::MoveId> history;
      for (const auto* step : form.known_in(set)) {
        known.push_back({step->move, step->percepts});
        history.insert(history.end(), step->joint.begin(), step->joint.end());
      }
      EXPECT_EQ(form.find(set.role, known, history, set.moves), s);
      EXPECT_EQ(form.find(set.role, known, history, {}), std::nullopt);
      known.push_back({gdl::kNoMove, {}});
      history.resize(history.size() + form.roles());
      EXPECT_EQ(form.find(set.role, known, history, set.moves), std::nullopt);
    }
  }
}

/// By hand: second has the queen, first bet. Where first bets with every card, second has 40 by a
/// pass, and by a bet 70 against the jack, 30 against the king.
TEST(MoveValues, AreThoseOfAHandComputedSet) {
  const auto machine = tests::machine_of(tests::vocabulary_of("kuhn_poker"), "sliced");
  const auto equilibrium = equilibrium_of(*machine, 1);
  const ExtensiveForm& form = equilibrium->form();
  HiddenMatch match(machine);
  match.play({"noop", "noop", "( deal king queen )"});
  match.play({"bet", "noop", "noop"});
  const auto set = form.find(1, match.known[1], {}, match.legal[1]);
  ASSERT_TRUE(set.has_value());
  BehaviourStrategy strategy(form.actions(), 0.5);
  const auto& info = form.sets()[*set];
  const auto value_of = [&](const char* move) {
    const auto found = std::ranges::find(info.moves, match.move(move));
    return move_values(form, strategy, *set)[static_cast<std::size_t>(found - info.moves.begin())];
  };
  EXPECT_NEAR(value_of("pass"), 40, 1e-9);
  EXPECT_NEAR(value_of("bet"), 50, 1e-9);
  // First never bets with the jack: only the king is left.
  HiddenMatch jack(machine);
  jack.play({"noop", "noop", "( deal jack queen )"});
  const auto opening = form.find(0, jack.known[0], {}, jack.legal[0]);
  ASSERT_TRUE(opening.has_value());
  const auto& first = form.sets()[*opening];
  for (std::size_t i = 0; i < first.moves.size(); ++i) {
    strategy[first.first_action + i] = first.moves[i] == jack.move("bet") ? 0 : 1;
  }
  EXPECT_NEAR(value_of("bet"), 30, 1e-9);
}

TEST(Equilibrium, IsPlayedByItsProbabilities) {
  const auto machine = tests::machine_of(tests::vocabulary_of("kuhn_poker"), "sliced");
  const auto equilibrium = equilibrium_of(*machine, 0);  // until nothing is left to gain
  EXPECT_LE(equilibrium->exploitability(), 1e-3);
  HiddenMatch match(machine);
  match.play({"noop", "noop", "( deal king queen )"});
  match.play({"bet", "noop", "noop"});
  std::map<gdl::MoveId, int> drawn;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const auto choice = equilibrium->choose(match.position(1), match.legal[1], gdl::Rng(seed));
    ASSERT_TRUE(choice.has_value());
    ++drawn[choice->move];
    // To call and to pass are worth the same where first bluffs as it should.
    EXPECT_NEAR(choice->root[0].value, choice->root[1].value, 0.3);
  }
  EXPECT_NEAR(drawn[match.move("bet")], 200, 50);
  EXPECT_FALSE(equilibrium->choose(match.position(0), match.legal[0], gdl::Rng(1)).has_value());
}

TEST(Equilibrium, IsNotBuiltWithoutTimeOrRoom) {
  const auto machine = tests::machine_of(tests::vocabulary_of("leduc_poker"), "sliced");
  std::stop_source stop;
  stop.request_stop();
  const auto late = Equilibrium::build(*machine, Deadline(stop.get_token()), nullptr);
  ASSERT_FALSE(late.has_value());
  EXPECT_FALSE(late.error().text.empty());
  const auto capped = Equilibrium::build(*machine, Deadline(), nullptr, 100);
  ASSERT_FALSE(capped.has_value());
  EXPECT_EQ(capped.error().text, "there are more than 100 histories");
  // There is room for the form, but not for the arrays over it, or for neither.
  for (std::size_t kib = 64; kib <= 4096; kib *= 2) {
    gdl::MemoryBudget memory(kib << 10);
    const auto made = Equilibrium::build(*machine, Deadline(), &memory);
    if (!made) {
      EXPECT_NE(made.error().text.find("too many histories"), std::string::npos);
      EXPECT_EQ(memory.used(), 0u);
    }
    EXPECT_LE(memory.used(), memory.limit());
  }
}

TEST(Equilibrium, ImprovesNoLongerThanItMay) {
  const auto machine = tests::machine_of(tests::vocabulary_of("leduc_poker"), "sliced");
  const auto made = Equilibrium::build(*machine, Deadline(), nullptr).value();
  made->improve(Deadline(), 7);
  EXPECT_EQ(made->iterations(), 7u);
  EXPECT_EQ(made->exploitability(), 100);
  made->improve(Deadline(), 100);
  EXPECT_EQ(made->iterations(), 100u);
  EXPECT_LT(made->exploitability(), 5);  // looked at after 64 iterations
  std::stop_source stop;
  stop.request_stop();
  made->improve(Deadline(stop.get_token()), 0);
  EXPECT_EQ(made->iterations(), 100u);
}

// --- Drawn games ---------------------------------------------------------------------------------

/// Zero-sum games of two and chance: CFR+ closes in on an equilibrium in each of them, and no
/// strategy that searches makes an illegal move.
TEST(RandomGames, AreSolvedAndPlayed) {
  int solved = 0;
  for (std::uint64_t seed = 201; seed <= 215; ++seed) {
    SCOPED_TRACE(seed);
    const auto machine = tests::machine_of_text(tests::RandomGame(seed).text(), "sliced");
    auto made = Equilibrium::build(*machine, Deadline(), nullptr, 2'000'000);
    if (made) {
      (*made)->improve(Deadline(), 64);
      const double early = (*made)->exploitability();
      (*made)->improve(Deadline(), 512);
      EXPECT_LE((*made)->exploitability(), std::max(early, 1e-9));
      EXPECT_LT((*made)->exploitability(), 2);
      ++solved;
    }
    for (const char* spec : {"ismcts:playouts=100", "ismcts:playouts=100,observers=defence",
                             "pimc:playouts=64", "mccfr:playouts=200"}) {
      const auto strategy =
          make_strategy(parse_strategy(spec + std::string(",seed=3")).value(), {}).value();
      HiddenMatch match(machine);
      gdl::Rng rng(seed);
      while (!match.over) {
        auto joint = match.random_moves(rng);
        if (match.legal[0].size() > 1) {
          Incumbent incumbent;
          strategy->think(match.position(0), Deadline(), incumbent);
          ASSERT_TRUE(incumbent.get().has_value()) << spec;
          joint[0] = incumbent.get()->move;
          ASSERT_NE(std::ranges::find(match.legal[0], joint[0]), match.legal[0].end()) << spec;
        }
        match.make(joint);
      }
    }
  }
  EXPECT_GE(solved, 10);
}

}  // namespace
}  // namespace ludens::search::hidden
