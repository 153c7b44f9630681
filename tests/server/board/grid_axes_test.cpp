// SPDX-License-Identifier: MIT
// Facts, which constants can occur where, and which of them are coordinates.
#include "server/board/grid_axes.h"

#include "gdl/rules/orders.h"
#include "server/board/neighbours.h"
#include "tests/server/board/found_facts.h"

namespace ludens::server {
namespace {

TEST(Facts, OfAStateAreFoldedAndTakenApart) {
  EXPECT_EQ(texts_of(parse_state("( ( Cell 1 2 X ) open ( at ( pair A b ) 3 ) )")),
            (Names{"cell 1 2 x", "open", "at ( pair a b ) 3"}));
  EXPECT_EQ(parse_state("( ( at ( pair a b ) 3 ) )")[0].arguments.size(), 2U);
}

TEST(Facts, OfNoStateAreNone) {
  for (const char* text : {"", "( )", "alone", "; a comment"}) {
    EXPECT_TRUE(parse_state(text).empty()) << text;
  }
  EXPECT_EQ(parse_state("( () ( () a ) )").size(), 2U) << "odd, but shown";
}

TEST(Facts, AreOfAShapeByNameAndNumberOfArguments) {
  const FluentShape shape{"cell", {{"1"}, {"2"}}, {false, false}};
  EXPECT_TRUE(is_of({"cell", {"8", "9"}}, shape)) << "whatever stands there";
  EXPECT_FALSE(is_of({"cell", {"1"}}, shape));
  EXPECT_FALSE(is_of({"cells", {"1", "2"}}, shape));
}

TEST(Facts, AreToldApartByArgumentsThatDiffer) {
  const FluentShape shape{"cell", {{}, {}, {}}, {false, false, false}};
  const auto facts = parse_state("( ( cell 1 1 x ) ( cell 1 2 x ) ( cell 1 1 ) ( other 1 1 x ) )");
  EXPECT_TRUE(distinct(facts, shape, {0, 1}));
  EXPECT_TRUE(distinct(facts, shape, {1}));
  EXPECT_FALSE(distinct(facts, shape, {0, 2}));
  EXPECT_FALSE(distinct(facts, shape, {})) << "two facts, nothing to tell them by";
  EXPECT_TRUE(distinct({}, shape, {0}));
}

// ---- domains ----

TEST(FluentShapes, HoldTheConstantsThatFlowThroughRules) {
  const Found found(
      "(role x) (n 1) (n 2) (<= (init (cell ?a ?b blank)) (n ?a) (n ?b)) (init (open yes))"
      "(<= (next (cell ?a ?b ?p)) (does ?p (mark ?a ?b)))"
      "(<= (legal ?p (mark ?a ?b)) (true (cell ?a ?b blank)) (role ?p))");
  ASSERT_EQ(found.shapes.size(), 2U);
  EXPECT_EQ(found.shapes[0].name, "cell") << "in text order";
  const FluentShape& cell = found.shape("cell");
  EXPECT_EQ(cell.arguments[0], (Names{"1", "2"}));
  EXPECT_EQ(cell.arguments[2], (Names{"x", "blank"})) << "as the text first names them";
  EXPECT_FALSE(cell.declared);
}

TEST(FluentShapes, TakeWhatBaseDeclaresBeforeWhatMayBeDerived) {
  const Found found(
      "(role r) (base (step 1)) (base (step 2)) (init (step 1)) (succ 1 2) (succ 2 3)"
      "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))");
  EXPECT_EQ(found.shape("step").arguments[0], (Names{"1", "2"}));
  EXPECT_TRUE(found.shape("step").declared);
}

TEST(FluentShapes, AllowAVariableWhatAllItsPlacesAllow) {
  const Found found(
      "(role r) (a 1) (a 2) (b 2) (b 3) (<= (next (p ?x)) (a ?x) (b ?x))"
      "(<= (next (q ?x)) (a ?x) (not (b ?x)))");
  EXPECT_EQ(found.shape("p").arguments[0], Names{"2"});
  EXPECT_EQ(found.shape("q").arguments[0], (Names{"1", "2"})) << "negations tell nothing";
}

TEST(FluentShapes, MarkArgumentsThatMayBeCompounds) {
  const Found found("(role r) (init (at (pair 1 2) 3)) (init plain)");
  ASSERT_EQ(found.shapes.size(), 1U) << "a plain fluent has no shape";
  EXPECT_EQ(found.shapes[0].may_be_compound, (std::vector<bool>{true, false}));
}

TEST(FluentShapes, HoldConstantsThatAreFarApartInTheText) {
  std::string text = "(role r) (<= (next (p ?x)) (all ?x) (some ?x)) (some n150) (some other)";
  for (int n = 0; n < 200; ++n) text += "(all n" + std::to_string(n) + ")";
  EXPECT_EQ(Found(text + "(some n5) (some n70) (all other)").shape("p").arguments[0],
            (Names{"n150", "other", "n5", "n70"}));
}

TEST(FluentShapes, HoldTheConstantsThatFlowAroundARing) {
  const Found found(
      "(role r) (<= (next (p ?x)) (b ?x)) (a 1) (b 2) (c 3)"
      "(<= (b ?x) (a ?x)) (<= (c ?x) (b ?x)) (<= (a ?x) (c ?x))");
  EXPECT_EQ(found.shape("p").arguments[0], (Names{"1", "2", "3"}));
}

/// `(<= (step3 ?x) (step2 ?x)) (<= (step2 ?x) (step1 ?x)) ...`, down to `step0`.
std::string chain_from_its_end(int length, const std::string& variables) {
  std::string text;
  for (int n = length; n > 0; --n) {
    text += "(<= (step" + std::to_string(n) + variables + ") (step" + std::to_string(n - 1) +
            variables + "))";
  }
  return text;
}

// One that follows all rules as often as there are links needs many minutes for each of the two.
constexpr int kLongChain = 40'000;

TEST(FluentShapes, AreFoundAtTheEndOfALongChain) {
  const Found found("(role r) (<= (next (p ?x)) (step" + std::to_string(kLongChain) + " ?x))" +
                    chain_from_its_end(kLongChain, " ?x") + "(step0 a)");
  EXPECT_EQ(found.shape("p").arguments[0], Names{"a"});
}

TEST(Neighbours, AreFoundAtTheEndOfALongChain) {
  const std::string last = "(step" + std::to_string(kLongChain);
  const Found found(chain_from_its_end(kLongChain, " ?x ?y") +
                    "(role r) (step0 1 2) (step0 2 3) (step0 3 4) (n 1) (n 2) (n 3) (n 4)"
                    "(<= (next_to ?x ?y ?u ?y) (n ?y) " +
                    last +
                    " ?x ?u))"
                    "(<= (next_to ?x ?y ?x ?v) (n ?x) " +
                    last + " ?y ?v))");
  const Names four{"1", "2", "3", "4"};
  EXPECT_TRUE(relates_neighbours(*found.rules, four, four));
}

// ---- axes of a grid ----

std::string successors(int count) {
  std::string text;
  for (int n = 1; n < count; ++n) {
    text += "(succ " + std::to_string(n) + " " + std::to_string(n + 1) + ")";
  }
  return text;
}

std::optional<GridAxes> axes_of(const Found& found) {
  return find_grid_axes(found.shapes, gdl::Orders(*found.rules), found.initial);
}

TEST(GridAxes, AreThePairThatLooksMostLikeABoard) {
  const Found found(
      "(role r) (n 1) (n 2) (n 3) (<= (init (cell ?x ?y b)) (n ?x) (n ?y)) (init (score 1 2))"
      "(<= (next (score ?x ?y)) (n ?x) (n ?y) (true (score ?y ?x)))",
      "( ( cell 1 1 b ) ( cell 1 2 b ) ( cell 1 3 b ) ( cell 2 1 b ) ( cell 2 2 b ) ( cell 2 3 b )"
      " ( cell 3 1 b ) ( cell 3 2 b ) ( cell 3 3 b ) ( score 1 2 ) )");
  const auto axes = axes_of(found);
  ASSERT_TRUE(axes);
  EXPECT_EQ(axes->shape->name, "cell");
  EXPECT_EQ(std::pair(axes->i, axes->j), std::pair(std::size_t{0}, std::size_t{1}));
  EXPECT_TRUE(axes->known);
  EXPECT_TRUE(axes->single);
  EXPECT_TRUE(axes->complete);
  EXPECT_TRUE(axes->mostly);
}

TEST(GridAxes, OfABoardThatIsHalfEmptySaySo) {
  const Found found(
      "(role r) (n 1) (n 2) (n 3) (<= (next (on ?x ?y stone)) (n ?x) (n ?y))"
      "(init (on 1 1 stone))",
      "( ( on 1 1 stone ) )");
  const auto axes = axes_of(found);
  ASSERT_TRUE(axes);
  EXPECT_TRUE(axes->known);
  EXPECT_FALSE(axes->complete);
  EXPECT_FALSE(axes->mostly);
}

TEST(GridAxes, AreNoneOfATableOfNumbers) {
  const Found found("(role r) (init (heap 1 3)) (init (heap 2 3)) (init (heap 3 3))" +
                        successors(3) + "(<= (next (heap ?h ?n)) (true (heap ?h ?m)) (succ ?n ?m))",
                    "( ( heap 1 3 ) ( heap 2 3 ) ( heap 3 3 ) )");
  EXPECT_FALSE(axes_of(found));
}

TEST(GridAxes, AreNoneWhereNothingHasAnOrder) {
  EXPECT_FALSE(axes_of(Found("(role r) (init (likes tom tea)) (init (likes ann milk))",
                             "( ( likes tom tea ) ( likes ann milk ) )")));
  EXPECT_FALSE(axes_of(Found("(role r) (init p)", "( p )")));
}

TEST(GridAxes, CutALongOrderToAListThatHoldsWhatIsThere) {
  const std::string rules = "(role r) (init (at 1 2 king)) (index 1) (index 2) (index 3)" +
                            successors(20) +
                            "(<= (next (at ?u ?y king)) (true (at ?x ?y king)) (succ ?x ?u))";
  const Found found(rules, "( ( at 1 2 king ) )");
  const gdl::Orders orders(*found.rules);
  EXPECT_EQ(coordinates(found.shape("at"), 0, orders, found.initial), (Names{"1", "2", "3"}));
  EXPECT_EQ(coordinates(found.shape("at"), 0, orders, {})->size(), 20U) << "nothing is there";
  EXPECT_FALSE(coordinates(found.shape("at"), 2, orders, found.initial)) << "a king alone";
}

TEST(GridAxes, TakeCoordinatesFromNoArgumentThatMayBeCompound) {
  const Found found("(role r) (init (at (f 1) 2)) (init (at 1 2)) (init (at 2 2))",
                    "( ( at 1 2 ) )");
  EXPECT_FALSE(coordinates(found.shape("at"), 0, gdl::Orders(*found.rules), found.initial));
}

TEST(GridAxes, AreOfSeveralBoardsWhereANameTellsTheFactsOfASquareApart) {
  const Found found("(role r) (init (cell left 1 1 a)) (init (cell right 1 1 b))",
                    "( ( cell left 1 1 a ) ( cell right 1 1 b ) )");
  const FluentShape& cell = found.shape("cell");
  EXPECT_EQ(naming_layers(cell, {1, 2}, found.initial), 0U);
  EXPECT_FALSE(naming_layers(cell, {0, 1, 2}, found.initial)) << "nothing would lie on the squares";
  EXPECT_FALSE(naming_layers(cell, {1, 2}, {}));
}

}  // namespace
}  // namespace ludens::server
