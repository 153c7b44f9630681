// SPDX-License-Identifier: MIT
#include "search/learning/symmetries.h"

#include <gtest/gtest.h>

#include <map>

#include "search/learning/logistic.h"
#include "search/learning/renamings.h"
#include "search/learning/training.h"
#include "search/learning/value_function.h"
#include "tests/search/learning/found_form.h"
#include "tests/search/learning/stopping_machine.h"

namespace ludens::search::test {
namespace {

/// Two mark the cells of a row in turn. x has won if it marked both `winners`.
std::shared_ptr<const gdl::Machine> row_of_five(const std::string& winners) {
  std::string text = "(role x) (role o) (init (control x)) (winner " + winners + ")";
  for (int i = 1; i <= 5; ++i) text += "(init (cell " + std::to_string(i) + " b))";
  const auto rules = gdl::read_rules(text + R"(
    (<= (legal ?r (mark ?c)) (true (control ?r)) (true (cell ?c b)))
    (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
    (<= (next (cell ?c ?r)) (does ?r (mark ?c)))
    (<= (next (cell ?c ?v)) (true (cell ?c ?v)) (distinct ?v b))
    (<= (next (cell ?c b)) (true (cell ?c b)) (does ?r (mark ?d)) (distinct ?c ?d))
    (<= (next (control o)) (true (control x)))
    (<= (next (control x)) (true (control o)))
    (<= open (true (cell ?c b)))
    (<= terminal (not open))
    (<= won (winner ?a ?b) (true (cell ?a x)) (true (cell ?b x)))
    (<= (goal x 100) won)
    (<= (goal x 0) (not won))
    (<= (goal o 0) won)
    (<= (goal o 100) (not won)))")
                         .normalised.rules;
  return gdl::make_machine("sliced", std::make_shared<gdl::Vocabulary>(rules)).value();
}

gdl::State image_of(gdl::StateView state, const Found& found, const Symmetry& symmetry) {
  std::map<gdl::FluentId, gdl::FluentId> image;
  for (std::size_t v = 0; v < symmetry.size(); ++v) {
    for (std::size_t place = 0; place < symmetry[v].size(); ++place) {
      image[found.form.variables[v].fluents[place]] = symmetry[v][place];
    }
  }
  const auto& fluents = found.bits->fluents();
  gdl::State out;
  out.words().resize(state.words().size(), 0);
  for (std::size_t bit = 0; bit < fluents.size(); ++bit) {
    if ((state.words()[bit / 64] >> bit % 64 & 1) == 0) continue;
    const auto to = image.contains(fluents[bit]) ? image.at(fluents[bit]) : fluents[bit];
    const auto at =
        static_cast<std::size_t>(std::ranges::find(fluents, to) - std::ranges::begin(fluents));
    out.words()[at / 64] |= std::uint64_t{1} << at % 64;
  }
  return out;
}

struct Expected {
  const char* game;
  std::size_t images;
};

class SymmetriesOf : public testing::TestWithParam<Expected> {};

TEST_P(SymmetriesOf, AreThoseOfTheBoard) {
  EXPECT_EQ(Found(GetParam().game).form.images(), GetParam().images);
}

INSTANTIATE_TEST_SUITE_P(Bundled, SymmetriesOf,
                         testing::Values(Expected{"tic_tac_toe", 8}, Expected{"othello", 8},
                                         Expected{"connect_four", 2}, Expected{"breakthrough", 2},
                                         Expected{"hex_small", 2}, Expected{"checkers", 1},
                                         Expected{"nim", 1}),
                         [](const auto& tested) { return std::string(tested.param.game); });

TEST(Symmetries, HoldUpToTheGoals) {
  EXPECT_EQ(Found(row_of_five("1 5"), true).form.images(), 2U) << "x and o have unlike goals";
  EXPECT_EQ(Found(row_of_five("1 2"), true).form.images(), 1U)
      << "all moves, but not all goals, fit";
}

/// Each of five arguments has 24 permutations, and hardly any combination of them leads to fluents
/// that exist: those that do come after millions that don't.
TEST(Symmetries, AreGivenUpWhereVeryManyRenamingsLeadNowhere) {
  std::string text = "(role x) (role o) (init (control x)) (init (round 0))";
  for (const std::string i : {"1", "2", "3", "4"}) {
    text += "(piece p" + i + " a" + i + " b" + i + " c" + i + " d" + i + " e" + i + ")";
    text += "(after " + std::to_string(std::stoi(i) - 1) + " " + i + ")";
  }
  const auto machine = machine_of(text + R"(
    (other x o) (other o x)
    (<= (legal ?r (toggle ?p)) (true (control ?r)) (piece ?p ?a ?b ?c ?d ?e))
    (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
    (<= (toggled ?p) (does ?r (toggle ?p)))
    (<= (next (tile ?a ?b ?c ?d ?e)) (piece ?p ?a ?b ?c ?d ?e) (toggled ?p)
        (not (true (tile ?a ?b ?c ?d ?e))))
    (<= (next (tile ?a ?b ?c ?d ?e)) (true (tile ?a ?b ?c ?d ?e)) (piece ?p ?a ?b ?c ?d ?e)
        (not (toggled ?p)))
    (<= (next (control ?o)) (true (control ?r)) (other ?r ?o))
    (<= (next (round ?n)) (true (round ?m)) (after ?m ?n))
    (<= terminal (true (round 4)))
    (<= lit (true (tile ?a ?b ?c ?d ?e)))
    (<= (goal x 100) lit)
    (<= (goal x 0) (not lit))
    (<= (goal o 0) lit)
    (<= (goal o 100) (not lit)))",
                                  "sliced");
  EXPECT_EQ(Found(machine, true).form.images(), 1U);
}

TEST(Symmetries, AreNotLookedForWithoutTime) {
  const Found found("tic_tac_toe");
  const auto shown = [&](const gdl::StopSignal* stop) {
    int count = 0;
    for_each_renaming(*found.machine->vocabulary(), *found.bits,
                      std::vector<bool>(found.bits->size(), true), stop,
                      [&](const BitPermutation&) { return ++count > 0; });
    return count;
  };
  const Deadline now(std::chrono::steady_clock::now());
  EXPECT_EQ(shown(&now), 0);
  EXPECT_GT(shown(nullptr), 0);
}

TEST(Symmetries, AreNotFoundInPart) {
  const Found found(bundled("breakthrough_small", "sliced"), true);
  ASSERT_FALSE(found.form.symmetries.empty() || found.form.exchange.empty());
  const auto find = [&](const StoppingMachine& machine) {
    const Deadline stop(machine.token());
    const auto context = machine.make_context({&stop});
    TupleForm form;
    form.variables = found.form.variables;
    gdl::Rng rng(1);
    find_symmetries(machine, *context, *found.bits, *found.seen, true, rng, form);
    return form;
  };
  const StoppingMachine never(found.machine, 0);
  EXPECT_FALSE(find(never).symmetries.empty());
  for (std::uint64_t part = 1; part <= 20; ++part) {
    SCOPED_TRACE(part);
    const TupleForm form = find(StoppingMachine(found.machine, never.questions() * part / 20));
    EXPECT_TRUE(form.symmetries.empty());
    EXPECT_TRUE(form.exchange.empty());
  }
}

TEST(Symmetries, OfAStateLookUpTheSameWeights) {
  for (const char* game : {"othello", "connect_four", "tic_tac_toe"}) {
    SCOPED_TRACE(game);
    const Found found(game);
    const std::size_t images = found.form.images(), tuples = found.form.tuples.size();
    ASSERT_GT(images, 1U);
    const TupleIndex index(found.form, *found.bits);
    const TableLayout layout(found.form);
    gdl::Rng rng(11);
    std::vector<float> weights(layout.entries());
    for (float& w : weights) w = static_cast<float>(rng.uniform() - 0.5);
    std::vector<std::uint16_t> here(index.stride()), there(index.stride());
    walk(found, rng, 40, [&](const gdl::State& state, const gdl::State&) {
      index.index(state, 3, false, here);
      for (std::size_t s = 0; s < found.form.symmetries.size(); ++s) {
        index.index(image_of(state, found, found.form.symmetries[s]), 3, false, there);
        for (std::size_t t = 0; t < tuples; ++t) {
          ASSERT_EQ(there[t * images + s + 1], here[t * images]);
          ASSERT_EQ(layout.place(t * images + s + 1, there.data()),
                    layout.place(t * images, here.data()));
        }
        ASSERT_NEAR(tables::sum(layout.table({}, weights.data()), there.data()),
                    tables::sum(layout.table({}, weights.data()), here.data()), 1e-3);
      }
    });
  }
}

/// With weights at random.
std::shared_ptr<const ValueFunction> random_values(const Found& found, gdl::Rng& rng) {
  ValueShape shape = ValueShape::of(*found.machine, *found.seen);
  EXPECT_TRUE(shape.may_exchange_roles());
  shape.exchange_roles();
  auto parts = std::make_shared<const ValueFunction::Parts>(ValueFunction::Parts{
      TupleIndex(found.form, *found.bits), TableLayout(found.form), shape, found.seen->movers()});
  std::vector<float> weights(shape.tables() * parts->layout.entries());
  for (float& w : weights) w = static_cast<float>(rng.uniform() - 0.5) / 8;
  return std::make_shared<ValueFunction>(parts, std::move(weights), nullptr);
}

TEST(Symmetries, ExchangeWhatTheRolesExpect) {
  for (const char* game : {"breakthrough", "checkers", "chess"}) {
    SCOPED_TRACE(game);
    const Found found(bundled(game, "sliced"), true);
    ASSERT_FALSE(found.form.exchange.empty());
    gdl::Rng rng(13);
    const auto function = random_values(found, rng);
    std::vector<float> expected(2), exchanged(2);
    walk(found, rng, 30, [&](const gdl::State& state, const gdl::State&) {
      const gdl::State image = image_of(state, found, found.form.exchange);
      for (const std::size_t mover : {0, 1}) {
        function->values(mover, state, 7, expected);
        function->values(1 - mover, image, 7, exchanged);
        ASSERT_NEAR(expected[0], exchanged[1], 1e-4);
        ASSERT_NEAR(expected[1], exchanged[0], 1e-4);
      }
    });
  }
}

TEST(Symmetries, AreLearnedFromBothRoles) {
  const Found found(bundled("breakthrough_small", "sliced"), true);
  ASSERT_FALSE(found.form.exchange.empty());
  const TupleIndex index(found.form, *found.bits);
  const TableLayout layout(found.form);
  gdl::State initial;
  ASSERT_EQ(found.machine->initial(*found.context, initial), gdl::Status::Ok);
  std::vector<std::uint16_t> indices(index.stride());
  for (const ValueSource& source : {ValueSource{0, false, 1}, ValueSource{0, true, -1}}) {
    index.index(initial, 7, source.exchanged, indices);
    Training training(layout, 1, 1);
    for (int i = 0; i < 50; ++i) training.learn(source, indices.data(), 0.9F);
    const float sum = tables::sum(layout.table(source, training.weights()), indices.data());
    EXPECT_NEAR(logistic(source.sign * sum), 0.9, 0.02);
  }
}

TEST(Symmetries, MakeNoTupleTheImageOfAnother) {
  const Found found("connect_four");
  std::map<gdl::FluentId, std::uint32_t> variable_of;
  for (std::uint32_t v = 0; v < found.form.variables.size(); ++v) {
    for (const gdl::FluentId f : found.form.variables[v].fluents) variable_of[f] = v;
  }
  for (std::size_t t = 0; t < found.form.tuples.size(); ++t) {
    std::vector<std::uint32_t> image;
    for (const std::uint32_t v : found.form.tuples[t]) {
      image.push_back(variable_of.at(found.form.symmetries[0][v][0]));
    }
    std::ranges::sort(image);
    const auto same = std::ranges::find(found.form.tuples, image);
    EXPECT_TRUE(same == found.form.tuples.end() || *same == found.form.tuples[t]);
  }
}

}  // namespace
}  // namespace ludens::search::test
