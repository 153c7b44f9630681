// SPDX-License-Identifier: MIT
// Sampled regrets against the equilibria of small games.
#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "search/hidden/exploitability.h"
#include "search/hidden/known_hash.h"
#include "search/hidden/mccfr_search.h"
#include "search/strategy/stopping.h"
#include "tests/gdl/text/stop_signals.h"
#include "tests/search/hidden/hidden_match.h"
#include "tests/search/hidden/whole_form.h"
#include "tests/search/native_machine.h"

namespace ludens::search::hidden {
namespace {

/// The mean strategy of the sets that were met, in terms of the whole game; all moves alike in the
/// others.
BehaviourStrategy mean_of(InformationSets<Regrets>& sets, const ExtensiveForm& form) {
  BehaviourStrategy strategy(form.actions());
  for (const auto& set : form.sets()) {
    std::uint64_t known = kNothingKnown;
    for (const auto* step : form.known_in(set)) {
      known = learned(known, step->move, step->joint.empty() ? step->percepts : step->joint);
    }
    std::vector<double> chances(set.moves.size(), 1 / static_cast<double>(set.moves.size()));
    if (auto* found = sets.find(set.role, known)) {
      std::vector<std::uint32_t> places;
      found->find(set.moves, places);
      found->mean(places, chances);
    }
    std::ranges::copy(chances, strategy.begin() + set.first_action);
  }
  return strategy;
}

struct Sampled {
  const char* name;
  const char* game;
  bool external;
  int passes;
  double exploitability;  // in goal points, at most
};
void PrintTo(const Sampled& sampled, std::ostream* out) {
  *out << sampled.name;
}

class Mccfr : public testing::TestWithParam<Sampled> {};
INSTANTIATE_TEST_SUITE_P(
    Games, Mccfr,
    testing::Values(Sampled{"kuhn_external", "kuhn_poker", true, 4'000, 0.5},
                    Sampled{"kuhn_outcome", "kuhn_poker", false, 20'000, 0.5},
                    Sampled{"leduc_external", "leduc_poker", true, 3'000, 2},
                    Sampled{"pennies_external", "matching_pennies", true, 2'000, 2},
                    Sampled{"pennies_outcome", "matching_pennies", false, 8'000, 3},
                    Sampled{"seen_by_all", "rock_paper_scissors", true, 10'000, 3}),
    [](const auto& parameter) { return std::string(parameter.param.name); });

TEST_P(Mccfr, ComesCloseToAnEquilibrium) {
  const auto machine = tests::machine_of(tests::vocabulary_of(GetParam().game), "sliced");
  const ExtensiveForm form = tests::whole_form(*machine);
  InformationSets<Regrets> sets(nullptr, std::size_t{64} << 20);
  gdl::Rng rng(7);
  MccfrSearch search(*machine, {.external = GetParam().external}, sets, rng, nullptr);
  for (int pass = 0; pass < GetParam().passes; ++pass) {
    ASSERT_EQ(search.run(GetParam().external ? 1 : 16, Deadline()), gdl::Status::Ok);
  }
  EXPECT_LT(exploitability(form, mean_of(sets, form)), GetParam().exploitability);
  EXPECT_LE(sets.size(), form.sets().size());
  EXPECT_GT(search.states(), 0u);
}

TEST(MccfrSearch, EndsWhereItIsToldToOrFindsNoRoom) {
  const auto machine = tests::machine_of(tests::vocabulary_of("phantom_tic_tac_toe"), "sliced");
  gdl::MemoryBudget memory(std::size_t{4} << 20);
  {
    InformationSets<Regrets> sets(&memory, std::size_t{1} << 20);
    gdl::Rng rng(7);
    MccfrSearch outcome(*machine, {.external = false}, sets, rng, &memory);
    EXPECT_EQ(outcome.run(64, gdl::tests::StopAfter(0)), gdl::Status::Stopped);
    for (int pass = 0; pass < 50; ++pass) {
      ASSERT_EQ(outcome.run(64, Deadline()), gdl::Status::Ok);  // new sets are left out at last
    }
    EXPECT_LE(memory.used(), memory.limit());
    InformationSets<Regrets> more(nullptr, std::size_t{64} << 20);
    MccfrSearch external(*machine, {.external = true, .most_nodes = 10'000}, more, rng, nullptr);
    EXPECT_EQ(external.run(1, Deadline()), gdl::Status::OverBudget);
  }
  EXPECT_EQ(memory.used(), 0u);
}

/// One role makes three of a thousand moves.
class ThreeOfAThousand final : public search::test::NativeGame {
 public:
  [[nodiscard]] std::size_t role_count() const override { return 2; }
  [[nodiscard]] std::uint64_t start() const override { return 0; }
  [[nodiscard]] std::vector<gdl::MoveId> legal(std::uint64_t, gdl::RoleIndex role) const override {
    std::vector<gdl::MoveId> moves(role == 0 ? 1000 : 1);
    std::iota(moves.begin(), moves.end(), 0U);
    return moves;
  }
  [[nodiscard]] std::uint64_t next(std::uint64_t state, gdl::JointMove) const override {
    return state + 1;
  }
  [[nodiscard]] std::optional<std::vector<int>> result(std::uint64_t state) const override {
    if (state < 3) return std::nullopt;
    return std::vector{50, 50};
  }
};

/// Stops once so many situations are known.
class StopWhenSetsAre final : public gdl::StopSignal {
 public:
  StopWhenSetsAre(std::size_t enough, const InformationSets<Regrets>& sets)
      : enough_(enough), sets_(sets) {}
  [[nodiscard]] bool stop_requested() const noexcept override { return sets_.size() >= enough_; }

 private:
  std::size_t enough_;
  const InformationSets<Regrets>& sets_;
};

/// The first turn has 8,000 nodes. Each node of the second has a situation of its own in a
/// traversal, so the situations tell how many nodes had children.
TEST(MccfrSearch, MakesNoMoreNodesThanItMay) {
  const search::test::NativeMachine machine(std::make_shared<ThreeOfAThousand>());
  gdl::Rng rng(7);
  InformationSets<Regrets> sets(nullptr, std::size_t{256} << 20);
  MccfrSearch search(machine, {.external = true, .most_nodes = 20'000}, sets, rng, nullptr);
  EXPECT_EQ(search.run(8, Deadline()), gdl::Status::OverBudget);
  EXPECT_EQ(sets.size(), 1u + 12u);
}

TEST(MccfrSearch, AsksWhetherToStopWhileItMakesNodes) {
  const search::test::NativeMachine machine(std::make_shared<ThreeOfAThousand>());
  gdl::Rng rng(7);
  InformationSets<Regrets> sets(nullptr, std::size_t{256} << 20);
  MccfrSearch search(machine, {.external = true, .most_nodes = 900'000}, sets, rng, nullptr);
  EXPECT_EQ(search.run(1, StopWhenSetsAre(500, sets)), gdl::Status::Stopped);
  EXPECT_LT(sets.size(), 1000u);
}

TEST(Regrets, AreMatchedAboveZero) {
  Regrets set;
  std::vector<std::uint32_t> places;
  std::vector<double> chances;
  const gdl::MoveId first[] = {4, 7, 9}, second[] = {7, 8};
  set.find(first, places);
  EXPECT_EQ(places, (std::vector<std::uint32_t>{0, 1, 2}));
  set.match(places, chances);
  for (const double p : chances) EXPECT_NEAR(p, 1.0 / 3, 1e-12);
  set.regrets = {3, -5, 1};
  set.match(places, chances);
  EXPECT_EQ(chances, (std::vector<double>{0.75, 0, 0.25}));
  set.find(second, places);  // other moves are legal in another history of the set
  EXPECT_EQ(places, (std::vector<std::uint32_t>{1, 3}));
  set.averages = {1, 1, 1, 3};
  set.mean(places, chances);
  EXPECT_EQ(chances, (std::vector<double>{0.25, 0.75}));
}

}  // namespace
}  // namespace ludens::search::hidden
