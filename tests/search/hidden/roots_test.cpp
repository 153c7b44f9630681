// SPDX-License-Identifier: MIT
// What searches begin with, and what they keep of information sets.
#include "search/hidden/roots.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "search/hidden/bandit.h"
#include "search/hidden/information_sets.h"
#include "search/hidden/ismcts_search.h"
#include "search/hidden/known_hash.h"
#include "search/hidden/sampling.h"
#include "tests/gdl/text/stop_signals.h"
#include "tests/search/hidden/hidden_match.h"

namespace ludens::search::hidden {
namespace {

tests::HiddenMatch bet_of_first(const std::shared_ptr<const gdl::Machine>& machine) {
  tests::HiddenMatch match(machine);
  match.play({"noop", "noop", "( deal king jack )"});
  match.play({"bet", "noop", "noop"});
  return match;
}

TEST(Roots, AreTheHistoriesThatFit) {
  const auto machine = tests::machine_of(tests::vocabulary_of("kuhn_poker"), "sliced");
  const auto match = bet_of_first(machine);
  Roots roots({});
  ASSERT_TRUE(roots.take(match.position(1), Deadline()));
  EXPECT_EQ(roots.histories().size(), 2u);
  EXPECT_TRUE(roots.exact());
  EXPECT_FALSE(roots.guessed());
  EXPECT_FALSE(roots.all_is_seen());
  EXPECT_EQ(roots.told(), "all 2 histories that fit");
  gdl::Rng rng(1);
  int first = 0;
  for (int n = 0; n < 1000; ++n) first += roots.draw(rng) == 0 ? 1 : 0;
  EXPECT_NEAR(first, 500, 80);
  // For another role of the same match, and for less of it.
  ASSERT_TRUE(roots.take(match.position(0), Deadline()));
  EXPECT_EQ(roots.told(), "all 2 histories that fit");
  ASSERT_TRUE(roots.take(tests::HiddenMatch(machine).position(0), Deadline()));
  EXPECT_EQ(roots.told(), "the only history that fits");
}

TEST(Roots, HashWhatTheRoleKnows) {
  const auto machine = tests::machine_of(tests::vocabulary_of("kuhn_poker"), "sliced");
  const auto match = bet_of_first(machine);
  for (gdl::RoleIndex role = 0; role < 2; ++role) {
    Roots roots({});
    ASSERT_TRUE(roots.take(match.position(role), Deadline()));
    for (std::size_t i = 0; i < roots.histories().size(); ++i) {
      EXPECT_EQ(roots.histories().known_by(i, role), known_in(match.position(role)));
    }
    // What the other knows differs from history to history: it has another card in each.
    EXPECT_NE(roots.histories().known_by(0, 1 - role), roots.histories().known_by(1, 1 - role));
  }
}

TEST(Roots, AreThePositionWhereAllIsKnown) {
  const auto machine = tests::machine_of(tests::vocabulary_of("rock_paper_scissors"), "sliced");
  gdl::Rng rng(3);
  tests::HiddenMatch match(machine);
  match.make(match.random_moves(rng));
  Position position = match.position(1);
  position.known.reset();
  Roots roots({});
  ASSERT_TRUE(roots.take(position, Deadline()));
  EXPECT_TRUE(roots.all_is_seen());
  EXPECT_TRUE(roots.exact());
  EXPECT_FALSE(roots.guessed());
  EXPECT_EQ(roots.told(), "");
  ASSERT_EQ(roots.histories().size(), 1u);
  EXPECT_EQ(roots.histories().states[0], gdl::StateView(match.state));
  EXPECT_TRUE(std::ranges::equal(roots.histories().history(0), match.history));
  for (gdl::RoleIndex r = 0; r < 2; ++r) {
    EXPECT_TRUE(std::ranges::equal(roots.histories().legal(0, r), match.legal[r]));
  }
  EXPECT_EQ(roots.histories().known_by(0, 1), known_in(position));
  EXPECT_EQ(roots.at(0.99), 0u);
}

TEST(Roots, AreAGuessWhereNothingFits) {
  const auto machine = tests::machine_of(tests::vocabulary_of("kuhn_poker"), "sliced");
  const auto match = bet_of_first(machine);
  Position position = match.position(1);
  (*position.known)[1].percepts.clear();  // first would have done nothing
  Roots roots({});
  ASSERT_TRUE(roots.take(position, Deadline()));
  EXPECT_TRUE(roots.guessed());
  EXPECT_FALSE(roots.exact());
  EXPECT_EQ(roots.told(), "no history was found that fits: one is guessed");
  EXPECT_EQ(roots.histories().states[0], gdl::StateView(position.state));
  // As soon as something fits again, it is believed.
  ASSERT_TRUE(roots.take(match.position(1), Deadline()));
  EXPECT_FALSE(roots.guessed());
}

TEST(Roots, AreSampledWhereTheyAreMany) {
  const auto machine = tests::machine_of(tests::vocabulary_of("leduc_poker"), "sliced");
  tests::HiddenMatch match(machine);
  gdl::Rng rng(4);
  match.make(match.random_moves(rng));
  Roots roots({.most = 3});
  ASSERT_TRUE(roots.take(match.position(0), Deadline()));
  EXPECT_FALSE(roots.exact());
  EXPECT_EQ(roots.told().substr(0, 12), "a sample of ");
}

TEST(LowDiscrepancySequence, LiesFarApart) {
  gdl::Rng rng(9);
  LowDiscrepancySequence sequence(rng);
  std::vector<double> drawn;
  for (int n = 0; n < 32; ++n) drawn.push_back(sequence.next());
  std::ranges::sort(drawn);
  EXPECT_GE(drawn.front(), 0);
  EXPECT_LT(drawn.back(), 1);
  for (std::size_t i = 1; i < drawn.size(); ++i) {
    EXPECT_GT(drawn[i] - drawn[i - 1], 0.3 / 32);
    EXPECT_LT(drawn[i] - drawn[i - 1], 3.0 / 32);
  }
}

TEST(Knowledge, IsToldApartByMovesPerceptsAndTheirOrder) {
  const std::uint32_t none[] = {0}, one[] = {1}, both[] = {0, 1};
  const auto start = kNothingKnown;
  const std::uint64_t hashes[] = {learned(start, 0, {}),
                                  learned(start, 1, {}),
                                  learned(start, 0, none),
                                  learned(start, 0, one),
                                  learned(start, 0, both),
                                  learned(learned(start, 0, none), 1, {}),
                                  learned(learned(start, 1, {}), 0, none)};
  for (const auto& a : hashes) {
    for (const auto& b : hashes) EXPECT_EQ(a == b, &a == &b);
  }
  const gdl::MoveId joint[] = {5, 6};
  EXPECT_EQ(known_after(start, 1, joint, one, false), learned(start, 6, one));
  EXPECT_EQ(known_after(start, 1, joint, one, true), learned(start, 6, joint));
}

TEST(Bandit, HasArmsForAllMovesThatWereEverLegal) {
  Bandit bandit;
  std::vector<std::uint32_t> places;
  const gdl::MoveId first[] = {3, 5, 8}, second[] = {5, 6}, third[] = {3, 6, 8};
  bandit.find(first, places);
  EXPECT_EQ(places, (std::vector<std::uint32_t>{0, 1, 2}));
  bandit.find(second, places);
  EXPECT_EQ(places, (std::vector<std::uint32_t>{1, 3}));
  bandit.find(third, places);
  EXPECT_EQ(places, (std::vector<std::uint32_t>{0, 3, 2}));
  ASSERT_EQ(bandit.arms.size(), 4u);
  EXPECT_EQ(bandit.arms[3].move, 6u);
}

TEST(InformationSets, AreKeptByRoleAndKnowledgeWithinTheirMemory) {
  gdl::MemoryBudget memory(std::size_t{1} << 20);
  {
    InformationSets<Bandit> sets(&memory, std::size_t{1} << 19);
    EXPECT_EQ(sets.find(0, 77), nullptr);
    Bandit* made = sets.make(0, 77, 4);
    ASSERT_NE(made, nullptr);
    EXPECT_EQ(sets.find(0, 77), made);
    EXPECT_EQ(sets.find(1, 77), nullptr);
    EXPECT_EQ(sets.find(0, 78), nullptr);
    EXPECT_GT(memory.used(), 0u);
    std::uint64_t known = 1000;
    while (sets.make(0, known, 4) != nullptr) ++known;
    EXPECT_GT(sets.size(), 1000u);
    EXPECT_LT(sets.size() * 4 * sizeof(Arm), std::size_t{1} << 19);
    EXPECT_EQ(sets.find(0, 77), made);
    EXPECT_LE(memory.used(), memory.limit());
    sets.clear();
    EXPECT_EQ(sets.size(), 0u);
    EXPECT_EQ(memory.used(), 0u);
    EXPECT_NE(sets.make(0, 77, 4), nullptr);
  }
  EXPECT_EQ(memory.used(), 0u);
  gdl::MemoryBudget little(1000);
  InformationSets<Bandit> poor(&little, std::size_t{1} << 19);
  EXPECT_EQ(poor.make(0, 1, 4), nullptr);
  EXPECT_EQ(bytes_for_sets(3, &little), std::size_t{3} << 20);
  EXPECT_EQ(bytes_for_sets(0, &memory), std::size_t{1} << 19);
  EXPECT_EQ(bytes_for_sets(0, nullptr), gdl::kUnbudgetedBytes);
}

class IsmctsTree : public testing::TestWithParam<Observers> {};
INSTANTIATE_TEST_SUITE_P(Observers, IsmctsTree, testing::Values(Observers::All, Observers::Defence),
                         [](const auto& observers) {
                           return observers.param == Observers::All ? "all" : "defence";
                         });

/// Every descent is counted once at the root, and once in one arm of each set that it passed.
TEST_P(IsmctsTree, CountsItsDescents) {
  const auto machine = tests::machine_of(tests::vocabulary_of("kuhn_poker"), "sliced");
  const auto match = bet_of_first(machine);
  Roots roots({});
  ASSERT_TRUE(roots.take(match.position(1), Deadline()));
  InformationSets<Bandit> sets(nullptr, std::size_t{1} << 20);
  gdl::Rng rng(5);
  IsmctsSearch search(*machine, 1, roots, {.observers = GetParam()}, sets, rng, nullptr);
  EXPECT_EQ(search.root(), nullptr);
  for (int pass = 0; pass < 10; ++pass) ASSERT_EQ(search.run(30, Deadline()), gdl::Status::Ok);
  ASSERT_NE(search.root(), nullptr);
  std::uint64_t visits = 0;
  double sum = 0;
  for (const Arm& arm : search.root()->arms) {
    visits += arm.visits;
    sum += arm.sum;
    EXPECT_EQ(arm.available, 300u);
  }
  EXPECT_EQ(visits, 300u);
  EXPECT_EQ(search.root()->visits, 300u);
  EXPECT_GT(sum, 0.3 * 300);   // a bet is lost, or the ante
  EXPECT_EQ(sets.size(), 1u);  // no other role decides after the bet
  EXPECT_EQ(search.depth(), 1u);
}

TEST_P(IsmctsTree, CountsHoweverManyDescentsThereAre) {
  const auto machine = tests::machine_of(tests::vocabulary_of("kuhn_poker"), "sliced");
  const auto match = bet_of_first(machine);
  Roots roots({});
  ASSERT_TRUE(roots.take(match.position(1), Deadline()));
  InformationSets<Bandit> sets(nullptr, std::size_t{1} << 20);
  gdl::Rng rng(5);
  IsmctsSearch search(*machine, 1, roots, {.observers = GetParam()}, sets, rng, nullptr);
  ASSERT_EQ(search.run(30, Deadline()), gdl::Status::Ok);
  constexpr std::uint32_t kMany = 0xffffffff;
  for (Arm& arm : search.root()->arms) {
    arm.visits = arm.available = kMany;
    arm.sum = 0.5 * kMany;
  }
  ASSERT_EQ(search.run(30, Deadline()), gdl::Status::Ok);
  double visits = 0;
  for (const Arm& arm : search.root()->arms) {
    visits += static_cast<double>(arm.visits);
    EXPECT_EQ(static_cast<double>(arm.available), kMany + 30.0);
  }
  EXPECT_EQ(visits, 2.0 * kMany + 30);
}

/// What did not end is not counted.
TEST_P(IsmctsTree, ForgetsAPassThatWasStopped) {
  const auto machine = tests::machine_of(tests::vocabulary_of("leduc_poker"), "sliced");
  tests::HiddenMatch match(machine);
  gdl::Rng rng(4);
  match.make(match.random_moves(rng));
  Roots roots({});
  ASSERT_TRUE(roots.take(match.position(0), Deadline()));
  InformationSets<Bandit> sets(nullptr, std::size_t{1} << 20);
  IsmctsSearch search(*machine, 0, roots, {.observers = GetParam()}, sets, rng, nullptr);
  ASSERT_EQ(search.run(20, Deadline()), gdl::Status::Ok);
  for (int patience = 0; patience < 12; ++patience) {
    const gdl::tests::StopAfter soon(patience);
    const auto before = search.root()->visits;
    const auto status = search.run(20, soon);
    std::uint64_t visits = 0;
    for (const Arm& arm : search.root()->arms) visits += arm.visits;
    EXPECT_EQ(visits, search.root()->visits);
    if (status == gdl::Status::Ok) {
      EXPECT_EQ(visits, before + 20);
    } else {
      EXPECT_LE(visits, before + 20);
    }
  }
}

/// `first` knows a card, `second` bets or not after each of its moves: how many situations `first`
/// distinguishes when it thinks, and by whose knowledge.
std::size_t situations(const std::vector<std::string>& deals, Observers observers) {
  const auto machine = tests::machine_of(tests::vocabulary_of("kuhn_poker"), "sliced");
  InformationSets<Bandit> sets(nullptr, std::size_t{1} << 20);
  gdl::Rng rng(5);
  for (const std::string& deal : deals) {
    tests::HiddenMatch match(machine);
    match.play({"noop", "noop", deal});
    Roots roots({});
    EXPECT_TRUE(roots.take(match.position(0), Deadline()));
    IsmctsSearch search(*machine, 0, roots, {.observers = observers}, sets, rng, nullptr);
    for (int pass = 0; pass < 100; ++pass) EXPECT_EQ(search.run(4, Deadline()), gdl::Status::Ok);
  }
  return sets.size();
}

TEST(IsmctsSearch, TellsSituationsApartByWhoObserves) {
  const std::vector<std::string> king{"( deal king jack )"};
  // Second after pass and after bet; then first again, after pass and bet.
  EXPECT_EQ(situations(king, Observers::All), 1u + 2 * 2 + 1);  // second with a jack or a queen
  EXPECT_EQ(situations(king, Observers::Defence), 1u + 2 * 2 + 1);
  // Of second with the jack it makes a difference whether it knows the other's card.
  const std::vector<std::string> both{"( deal king jack )", "( deal queen jack )"};
  EXPECT_EQ(situations(both, Observers::All), 2 * (1u + 1) + 2 * 3);  // jack, queen, king
  EXPECT_EQ(situations(both, Observers::Defence), 2 * (1u + 1) + 2 * 4);
}

}  // namespace
}  // namespace ludens::search::hidden
