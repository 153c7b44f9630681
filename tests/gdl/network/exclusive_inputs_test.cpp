// SPDX-License-Identifier: MIT
// Passes that use what inputs exclude, on networks of a few gates.
#include <gtest/gtest.h>

#include <bit>

#include "gdl/network/passes/passes.h"
#include "tests/gdl/network/random_inputs.h"

namespace ludens::gdl {
namespace {

using Exclusions = std::vector<Structure::Exclusion>;

/// One role with this many moves and fluents; the test decides what is next.
struct Made {
  Network n;
  std::vector<Edge> fluents, moves;

  Made(std::uint32_t fluent_count, std::uint32_t move_count) {
    n.goals.resize(1);
    for (std::uint32_t f = 0; f < fluent_count; ++f) {
      fluents.push_back(n.gates.add_input(Gates::Kind::Fluent, f));
      n.fluents.push_back({f, node_of(fluents[f]), kFalse, f == 0});
    }
    for (std::uint32_t m = 0; m < move_count; ++m) {
      moves.push_back(n.gates.add_input(Gates::Kind::Move, m));
      n.moves.push_back({m, 0, node_of(moves[m]), kTrueEdge});
    }
  }
  Edge all(std::vector<Edge> inputs) { return n.gates.conjunction(inputs); }
  Edge any(std::vector<Edge> inputs) { return n.gates.disjunction(inputs); }
};

/// States in which of each group at most one holds, or exactly one where it always does.
void set_valid_inputs(const Network& n, const Exclusions& groups, Simulation& simulation,
                      Rng& rng) {
  tests::set_random_inputs(n, simulation, rng);
  for (const Structure::Exclusion& group : groups) {
    for (const FluentId f : group.fluents) simulation.fluents[f] = 0;
    for (int lane = 0; lane < 64; ++lane) {
      const auto choices = static_cast<std::uint32_t>(group.fluents.size());
      const std::uint32_t chosen = rng.below(choices + (group.always_one ? 0 : 1));
      if (chosen < choices) simulation.fluents[group.fluents[chosen]] |= std::uint64_t{1} << lane;
    }
  }
  simulation.evaluate();
}

void expect_same(const Network& before, const Network& after, const Exclusions& groups) {
  Rng rng(3);
  Simulation a(before), b(after);
  for (int round = 0; round < 20; ++round) {
    set_valid_inputs(before, groups, a, rng);
    b.fluents = a.fluents;
    b.moves = a.moves;
    b.evaluate();
    for (std::size_t f = 0; f < before.fluents.size(); ++f) {
      EXPECT_EQ(a.value(before.fluents[f].next), b.value(after.fluents[f].next)) << f;
    }
    for (std::size_t m = 0; m < before.moves.size(); ++m) {
      EXPECT_EQ(a.value(before.moves[m].legal), b.value(after.moves[m].legal)) << m;
    }
  }
}

Network with_exclusions(const Network& network, const Exclusions& groups) {
  PassBudget budget;
  budget.exclusions = groups;
  Network after = use_exclusions(network, budget).value_or(network);
  expect_same(network, after, groups);
  return after;
}

TEST(Exclusion, DropsWhatAnotherInputImplies) {
  Made m(4, 1);
  m.n.fluents[0].next = m.all({m.fluents[0], invert(m.fluents[1])});  // the first
  m.n.fluents[1].next = m.all({m.fluents[0], m.fluents[1]});          // never
  m.n.fluents[2].next = m.any({m.fluents[0], invert(m.fluents[1])});  // not the second
  m.n.fluents[3].next = m.all({m.fluents[0], m.fluents[3]});          // stays
  const Network after = with_exclusions(m.n, {{{0, 1, 2}, false}});
  EXPECT_EQ(measure(after).two_input, 1u);
  EXPECT_EQ(after.fluents[0].next, after.fluents[0].node * 2);
  EXPECT_EQ(after.fluents[1].next, kFalse);
  EXPECT_EQ(after.fluents[2].next, after.fluents[1].node * 2 + 1);
}

TEST(Exclusion, SeesThroughGates) {
  Made m(6, 1);
  const Edge either =
      m.any({m.all({m.fluents[1], m.fluents[4]}), m.all({m.fluents[2], m.fluents[5]})});
  m.n.fluents[0].next = m.all({m.fluents[0], invert(either)});
  m.n.fluents[1].next = m.all({m.fluents[0], either});
  m.n.fluents[2].next = either;
  const Network after = with_exclusions(m.n, {{{0, 1, 2}, false}});
  EXPECT_EQ(after.fluents[0].next, after.fluents[0].node * 2);
  EXPECT_EQ(after.fluents[1].next, kFalse);
}

TEST(Exclusion, OfAGroupThatAlwaysHasOneMostAreTheComplementOfTheRest) {
  Made m(6, 1);
  const std::vector<Edge>& f = m.fluents;
  m.n.fluents[0].next = m.any({f[0], f[1], f[2], f[3]});        // not the fifth
  m.n.fluents[1].next = m.any({f[0], f[1], f[2], f[3], f[4]});  // always
  m.n.fluents[2].next = m.any({f[0], f[1], f[2], f[5]});        // or neither of the two others
  const Network after = with_exclusions(m.n, {{{0, 1, 2, 3, 4}, true}});
  EXPECT_EQ(after.fluents[0].next, after.fluents[4].node * 2 + 1);
  EXPECT_EQ(after.fluents[1].next, kTrueEdge);
  EXPECT_EQ(measure(after).two_input, 2u);
}

TEST(Exclusion, OfAGroupThatMayHaveNoneTheOrIsKept) {
  Made m(3, 1);
  m.n.fluents[0].next = m.any({m.fluents[0], m.fluents[1], m.fluents[2]});
  EXPECT_EQ(measure(with_exclusions(m.n, {{{0, 1, 2}, false}})).two_input, 2u);
}

TEST(Exclusion, OfTwoInputsThatImplyEachOtherOneStays) {
  Made m(3, 1);
  m.n.fluents[2].next = m.all({m.fluents[0], invert(m.fluents[1]), m.fluents[2]});
  const Network after = with_exclusions(m.n, {{{0, 1}, true}});
  EXPECT_EQ(measure(after).two_input, 1u);
}

TEST(Exclusion, HoldsInGroupsOfMoreThanAWord) {
  Made m(200, 1);
  std::vector<Edge> others;
  for (std::size_t f = 1; f < 200; ++f) others.push_back(invert(m.fluents[f]));
  others.push_back(m.fluents[0]);
  m.n.fluents[0].next = m.all(others);
  Exclusions groups{{{}, false}};
  for (std::uint32_t f = 0; f < 200; ++f) groups[0].fluents.push_back(f);
  EXPECT_EQ(measure(with_exclusions(m.n, groups)).two_input, 0u);
}

TEST(OneHotMoves, ExcludeEachOtherThroughGates) {
  Made m(3, 6);
  const Edge two = m.any({m.moves[1], m.moves[2]});
  m.n.fluents[0].next = m.all({m.moves[0], invert(m.moves[1])});
  m.n.fluents[1].next = m.all({m.moves[0], two});
  m.n.fluents[2].next = m.all({m.fluents[2], m.moves[0], invert(m.all({two, m.fluents[1]}))});
  const Network after = use_one_hot_moves(m.n, {}).value();
  expect_same(m.n, after, {});
  EXPECT_EQ(after.fluents[0].next, after.moves[0].node * 2);
  EXPECT_EQ(after.fluents[1].next, kFalse);
  EXPECT_EQ(measure(after).two_input, 1u);
}

TEST(OneHotMoves, AnOrOverAllOrMostIsKnownWithoutIt) {
  Made m(3, 5);
  const std::vector<Edge>& does = m.moves;
  m.n.fluents[0].next = m.any({does[0], does[1], does[2], does[3], does[4]});
  m.n.fluents[1].next = m.any({does[0], does[1], does[2], does[3]});
  m.n.fluents[2].next = m.any({does[0], does[1], does[2]});
  const Network after = use_one_hot_moves(m.n, {}).value();
  expect_same(m.n, after, {});
  EXPECT_EQ(after.fluents[0].next, kTrueEdge);
  EXPECT_EQ(after.fluents[1].next, after.moves[4].node * 2 + 1);
  EXPECT_EQ(measure(after).two_input, 1u);
}

TEST(LegalMoves, AreCofactoredByTheFluentInControl) {
  Made m(6, 3);  // 0 is in control, 1 excludes it
  const Edge mine = m.any({m.all({m.fluents[0], m.fluents[2]}),
                           m.all({m.fluents[0], m.fluents[3], invert(m.fluents[1])})});
  m.n.moves[0].legal = m.all({mine, m.fluents[4]});
  m.n.moves[1].legal = m.all({mine, m.fluents[5]});
  m.n.moves[2].legal = invert(m.fluents[0]);
  const Exclusions groups{{{0, 1}, true}};
  PassBudget budget;
  budget.exclusions = groups;
  const Network after = cofactor_legal(m.n, budget).value();
  expect_same(m.n, after, groups);
  EXPECT_LT(measure(after).two_input, measure(m.n).two_input);
}

TEST(LegalMoves, AreLeftAloneWhereTheyShareTheFluentInControl) {
  Made m(5, 3);
  const Edge mine = m.all({m.fluents[0], m.fluents[2]});
  m.n.moves[0].legal = m.all({mine, m.fluents[3]});
  m.n.moves[1].legal = m.all({mine, m.fluents[4]});
  m.n.moves[2].legal = invert(m.fluents[0]);
  EXPECT_FALSE(cofactor_legal(m.n, {}).has_value());
}

}  // namespace
}  // namespace ludens::gdl
