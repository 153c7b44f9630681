#include "gdl/network/structure.h"

#include <gtest/gtest.h>

#include "gdl/network/dot.h"
#include "gdl/network/make_network.h"
#include "tests/gdl/ground/ground_rules.h"

namespace ludens::gdl {
namespace {

/// Two lamps, each with a switch of its own, and a clock.
constexpr const char* kLamps = R"((role left) (role right)
  (init (off 1)) (init (off 2)) (init (step 0)) (after 0 1) (after 1 2) (after 2 3)
  (owner left 1) (owner right 2)
  (<= (legal ?r (press ?l)) (owner ?r ?l) (true (off ?l))) (legal left wait) (legal right wait)
  (<= (next (on ?l)) (does ?r (press ?l))) (<= (next (on ?l)) (true (on ?l)))
  (<= (next (off ?l)) (true (off ?l)) (owner ?r ?l) (not (does ?r (press ?l))))
  (<= (next (step ?y)) (true (step ?x)) (after ?x ?y))
  (<= terminal (true (step 3)))
  (<= (goal left 100) (true (on 1))) (<= (goal left 0) (not (true (on 1))))
  (<= (goal right 100) (true (on 1)) (true (on 2))) (<= (goal right 0) (true (off 2))))";

std::pair<Network, std::shared_ptr<Vocabulary>> lamps() {
  auto vocabulary = std::make_shared<Vocabulary>(testing::rules_of(kLamps));
  return {std::get<Network>(make_network(vocabulary, {}, {})), vocabulary};
}

TEST(Structure, PartsThatHaveNothingToDoWithEachOtherAreFactors) {
  const Structure structure = find_structure(lamps().first);
  ASSERT_EQ(structure.factors.size(), 3u);
  std::vector<std::size_t> sizes;
  for (const Structure::Factor& f : structure.factors) {
    sizes.push_back(f.fluents.size());
    EXPECT_EQ(f.moves.empty(), f.fluents.size() == 4) << "no move acts on the clock alone";
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{4, 2, 2}));
}

TEST(Structure, GoalsKnowTheirFactors) {
  const Structure structure = find_structure(lamps().first);
  ASSERT_EQ(structure.goal_factors.size(), 2u);
  EXPECT_EQ(structure.goal_factors[0].size(), 1u);
  EXPECT_EQ(structure.goal_factors[1].size(), 2u);
  ASSERT_EQ(structure.end_factors.size(), 1u);
  EXPECT_TRUE(structure.factors[structure.end_factors[0]].moves.empty());
}

TEST(Structure, OnePileIsOneFactor) {
  const auto vocabulary = std::make_shared<Vocabulary>(testing::rules_of(testing::kHeap));
  const Structure structure = find_structure(std::get<Network>(make_network(vocabulary, {}, {})));
  ASSERT_EQ(structure.factors.size(), 1u);
  EXPECT_EQ(structure.factors[0].moves.size(), 6u);
}

TEST(Dot, NamesInputsAndOutputs) {
  const auto [network, vocabulary] = lamps();
  const std::string drawing = to_dot(network, *vocabulary);
  EXPECT_EQ(drawing.rfind("digraph network {", 0), 0u);
  for (const char* part : {"true ( on 1 )", "does left ( press 1 )", "next ( on 1 )",
                           "legal right ( press 2 )", "terminal", "goal left 100", "dashed"}) {
    EXPECT_NE(drawing.find(part), std::string::npos) << part;
  }
}

}  // namespace
}  // namespace ludens::gdl
