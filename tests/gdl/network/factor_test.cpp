// SPDX-License-Identifier: MIT
#include "gdl/network/factor.h"

#include <gtest/gtest.h>

#include "tests/gdl/network/random_inputs.h"

namespace ludens::gdl {
namespace {

Network inputs(std::uint32_t fluents, std::uint32_t moves) {
  Network n;
  n.goals.resize(1);
  for (std::uint32_t f = 0; f < fluents; ++f) {
    const Edge e = n.gates.add_input(Gates::Kind::Fluent, f);
    n.fluents.push_back({f, node_of(e), kFalse, false});
  }
  for (std::uint32_t m = 0; m < moves; ++m) {
    const Edge e = n.gates.add_input(Gates::Kind::Move, m);
    n.moves.push_back({m, 0, node_of(e), kFalse});
  }
  return n;
}

TEST(Factoring, TakesOutCommonLiterals) {
  Network n = inputs(4, 0);
  auto f = [&](std::size_t i) { return n.fluents[i].node * 2; };
  Factoring factoring(n);
  // a b | a c | a d = a (b | c | d): two gates.
  n.terminal = factoring.sum_of_products({{f(0), f(1)}, {f(0), f(2)}, {f(0), f(3)}});
  EXPECT_EQ(measure(n).gates, 2u);
}

TEST(Factoring, KeepsTheMeaningOfRandomSums) {
  Rng rng(11);
  for (int round = 0; round < 300; ++round) {
    Network n = inputs(6, 5);
    std::vector<std::vector<Edge>> products(rng.below(12));
    for (auto& product : products) {
      for (std::uint32_t k = rng.below(4) + 1; k > 0; --k) {
        product.push_back((1 + rng.below(11)) * 2 + rng.below(2));
      }
    }
    Factoring factoring(n);
    const Edge sum = factoring.sum_of_products(products);
    Simulation simulation(n);
    tests::set_random_inputs(n, simulation, rng);
    std::uint64_t expected = 0;
    for (const auto& product : products) {
      std::uint64_t p = ~std::uint64_t{0};
      for (const Edge e : product) p &= simulation.value(e);
      expected |= p;
    }
    ASSERT_EQ(simulation.value(sum), expected) << "round " << round;
  }
}

TEST(Factoring, AnOrOverMostMovesOfARoleIsTheComplementOfTheRest) {
  Network n = inputs(0, 10);
  std::vector<Edge> most;
  for (std::size_t m = 0; m < 8; ++m) most.push_back(n.moves[m].node * 2);
  Factoring factoring(n);
  n.terminal = factoring.disjunction(most);
  EXPECT_EQ(measure(n).two_input, 1u);  // not (move 8 or move 9)
}

}  // namespace
}  // namespace ludens::gdl
