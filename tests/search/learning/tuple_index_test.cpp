// SPDX-License-Identifier: MIT
#include "search/learning/tuple_index.h"

#include <gmock/gmock.h>

#include <map>

#include "search/learning/sibling_sums.h"
#include "search/learning/table_layout.h"
#include "tests/search/learning/found_form.h"

namespace ludens::search::test {
namespace {

TEST(TupleIndex, OfAChildIsThatOfTheStateInEveryBundledGame) {
  int games = 0;
  for (const std::string& game : bundled_games()) {
    SCOPED_TRACE(game);
    const Found found(bundled(game, "sliced"), true);
    if (!found.anything()) continue;
    ++games;
    const TupleIndex index(found.form, *found.bits);
    ASSERT_EQ(index.stride() % 32, 0U);
    std::vector<std::uint16_t> parent(index.stride()), child(index.stride()), whole(index.stride());
    gdl::Rng rng(7);
    for (int walks = 0; walks < 3; ++walks) {
      walk(found, rng, 60, [&](const gdl::State& state, const gdl::State& next) {
        for (const bool exchanged : {false, true}) {
          index.index(state, 1, exchanged, parent);
          index.index_child(state, parent, next, 2, exchanged, child);
          index.index(next, 2, exchanged, whole);
          ASSERT_EQ(child, whole);
        }
      });
    }
  }
  EXPECT_GT(games, 12);
}

TEST(TupleIndex, IsTheNumberThatTheValuesOfTheVariablesMake) {
  const Found found("connect_four");
  const TupleIndex index(found.form, *found.bits);
  std::vector<std::uint16_t> indices(index.stride());
  gdl::Rng rng(3);
  walk(found, rng, 40, [&](const gdl::State& state, const gdl::State&) {
    index.index(state, 0, false, indices);
    std::vector<gdl::FluentId> held;
    ASSERT_EQ(found.machine->fluents(*found.context, state, held), gdl::Status::Ok);
    for (std::size_t t = 0; t < found.form.tuples.size(); ++t) {
      std::size_t expected = 0, step = 1;
      for (const std::uint32_t v : found.form.tuples[t]) {
        const Variable& variable = found.form.variables[v];
        for (std::size_t place = 0; place < variable.fluents.size(); ++place) {
          if (std::ranges::binary_search(held, variable.fluents[place])) {
            expected += variable.value_of(place) * step;
          }
        }
        step *= variable.values();
      }
      ASSERT_EQ(indices[t * found.form.images()], expected);
      ASSERT_LT(expected, found.form.entries(t));
    }
  });
}

TEST(TupleIndex, CountsTheFluentsOfAKind) {
  const Found found("breakthrough_small");
  ASSERT_GE(found.form.counts.size(), 2U);
  for (const auto& kind : found.form.counts) {
    const auto piece = [&](gdl::FluentId fluent) {
      const std::string name = found.machine->vocabulary()->fluent_name(fluent);
      return name.substr(name.rfind(' '));
    };
    EXPECT_EQ(kind.size(), found.form.counts[0].size());
    for (const gdl::FluentId fluent : kind) EXPECT_EQ(piece(fluent), piece(kind[0]));
  }
  const TupleIndex index(found.form, *found.bits);
  std::vector<std::uint16_t> indices(index.stride());
  gdl::Rng rng(3);
  walk(found, rng, 40, [&](const gdl::State& state, const gdl::State&) {
    index.index(state, 0, false, indices);
    std::vector<gdl::FluentId> held;
    ASSERT_EQ(found.machine->fluents(*found.context, state, held), gdl::Status::Ok);
    for (std::size_t c = 0; c < found.form.counts.size(); ++c) {
      const auto holds = [&](gdl::FluentId f) { return std::ranges::binary_search(held, f); };
      const std::size_t lookup = found.form.tuples.size() * found.form.images() + c;
      ASSERT_EQ(indices[lookup], std::ranges::count_if(found.form.counts[c], holds));
      ASSERT_LT(indices[lookup], found.form.entries(found.form.tuples.size() + c));
    }
  });
}

TEST(Mobility, GrowsWithTheNumberOfMoves) {
  EXPECT_EQ(mobility_class(0), 0);
  EXPECT_EQ(mobility_class(63), 63);
  EXPECT_EQ(mobility_class(64), 64);
  EXPECT_EQ(mobility_class(68), 65);
  EXPECT_EQ(mobility_class(127), 79);
  EXPECT_EQ(mobility_class(128), 80);
  for (std::size_t choices = 1; choices < 100'000; ++choices) {
    ASSERT_GE(mobility_class(choices), mobility_class(choices - 1)) << choices;
    ASSERT_LT(mobility_class(choices), kMobilities) << choices;
  }
  const std::vector<std::vector<gdl::MoveId>> waits_and_chooses{{4}, {5, 6, 7}, {}};
  EXPECT_EQ(mobility(waits_and_chooses), 2);
}

TEST(TupleIndex, HasMobilityInItsLastPlace) {
  const Found found("connect_four");
  const TupleIndex index(found.form, *found.bits);
  ASSERT_EQ(index.lookup_count(), 2 * found.form.tuples.size() + found.form.counts.size() + 1);
  EXPECT_EQ(found.form.entries(found.form.tuple_count() - 1), kMobilities);
  gdl::State state;
  ASSERT_EQ(found.machine->initial(*found.context, state), gdl::Status::Ok);
  std::vector<std::uint16_t> parent(index.stride()), child(index.stride());
  index.index(state, 6, false, parent);
  EXPECT_EQ(parent[index.lookup_count() - 1], 6);
  index.index_child(state, parent, state, 5, false, child);
  EXPECT_EQ(child[index.lookup_count() - 1], 5);
}

/// States that no play leads to: any bits at all.
TEST(TupleIndex, StaysWithinItsTableWhateverTheState) {
  const Found found(bundled("breakthrough_small", "sliced"), true);
  const TupleIndex index(found.form, *found.bits);
  const TableLayout layout(found.form);
  const std::vector<float> weights(layout.entries(), 1.0F);
  std::vector<std::uint16_t> parent(index.stride()), child(index.stride());
  gdl::Rng rng(5);
  gdl::State state, next;
  state.words().resize(found.bits->words());
  next.words().resize(found.bits->words());
  SiblingSums siblings(index, layout, weights.data(), 1);
  for (int i = 0; i < 200; ++i) {
    for (auto& word : state.words()) word = rng();
    for (auto& word : next.words()) word = rng();
    const ValueSource source{0, i % 2 == 1};
    index.index(state, 1, source.exchanged, parent);
    for (std::size_t t = 0; t < index.lookup_count(); ++t) {
      ASSERT_LT(layout.place(t, parent.data()), layout.entries());
    }
    index.index_child(state, parent, next, 2, source.exchanged, child);
    EXPECT_EQ(tables::sum(layout.table(source, weights.data()), child.data()),
              static_cast<float>(index.stride()));
    siblings.begin(state);
    EXPECT_EQ(siblings.of(source, child.data()), static_cast<float>(index.stride()));
  }
}

TEST(TableKernel, IsTheSameOnAllInstructionSets) {
  constexpr std::size_t kStride = 96, kBits = 200, kEntries = 5'000;
  gdl::Rng rng(9);
  std::vector<std::uint16_t> of_bit(kBits * kStride);
  for (auto& x : of_bit) x = static_cast<std::uint16_t>(rng());
  std::vector<std::uint64_t> mask((kBits + 63) / 64), before(mask.size()), after(mask.size());
  for (std::size_t b = 0; b < kBits; ++b) {
    if (rng.below(4) != 0) mask[b / 64] |= std::uint64_t{1} << b % 64;
  }
  const tables::Rows rows{of_bit.data(), mask.data(), mask.size(), kStride};
  std::vector<float> weights(kEntries * kStride + 65'536);
  for (float& w : weights) w = static_cast<float>(rng.uniform() - 0.5);
  std::vector<std::uint32_t> first(kStride);
  for (std::size_t t = 0; t < kStride; ++t) first[t] = static_cast<std::uint32_t>(t * kEntries);
  const tables::Table table{weights.data(), first.data(), kStride};
  const tables::Kernel& any = *tables::find(8);
  for (const std::size_t lanes : {16, 32}) {
    const tables::Kernel* kernel = tables::find(lanes);
    if (kernel == nullptr) {
      std::cout << "skipped: this processor has no registers of " << lanes << " numbers\n";
      continue;
    }
    for (int i = 0; i < 50; ++i) {
      for (auto& word : before) word = rng();
      after = before;
      for (int k = 0; k < i; ++k) after[rng.below(3)] ^= std::uint64_t{1} << rng.below(64);
      std::vector<std::uint16_t> a(kStride), b(kStride), x(kStride), y(kStride);
      any.add(rows, before.data(), a.data());
      kernel->add(rows, before.data(), b.data());
      ASSERT_EQ(a, b);
      any.change(rows, before.data(), a.data(), after.data(), x.data());
      kernel->change(rows, before.data(), a.data(), after.data(), y.data());
      ASSERT_EQ(x, y);
      std::vector<float> known(kStride);
      tables::gather(table, a.data(), known.data());
      const float difference = any.difference(table, a.data(), known.data(), x.data());
      EXPECT_EQ(difference, kernel->difference(table, a.data(), known.data(), x.data()));
      EXPECT_NEAR(tables::sum(table, a.data()) + difference, tables::sum(table, x.data()), 1e-4);
    }
  }
}

TEST(Variables, AreTheCellsOfABoard) {
  const Found found("connect_four");
  EXPECT_EQ(found.form.variables.size(), 42U);
  for (const Variable& variable : found.form.variables) {
    ASSERT_GE(variable.fluents.size(), 2U);
    EXPECT_LE(variable.values(), 3U);
    EXPECT_THAT(found.names(variable), testing::Each(testing::HasSubstr("cell")));
  }
}

TEST(Variables, LeaveOutClocks) {
  for (const char* game : {"tic_tac_toe", "connect_four", "breakthrough", "othello"}) {
    SCOPED_TRACE(game);
    const Found found(game);
    for (const Variable& variable : found.form.variables) {
      for (const std::string& name : found.names(variable)) {
        EXPECT_THAT(name, testing::Not(testing::HasSubstr("control")));
        EXPECT_THAT(name, testing::Not(testing::HasSubstr("step")));
      }
    }
  }
}

TEST(Tuples, CoverAllVariablesWithinTheirLimits) {
  const Found found("breakthrough");
  std::map<gdl::FluentId, int> uses;
  for (const Variable& variable : found.form.variables) uses[variable.fluents[0]] = 0;
  for (std::size_t t = 0; t < found.form.tuples.size(); ++t) {
    EXPECT_LE(found.form.entries(t), TupleForm::kMostEntries);
    EXPECT_TRUE(std::ranges::is_sorted(found.form.tuples[t]));
    for (const std::uint32_t v : found.form.tuples[t]) {
      ++uses[found.form.variables[v].fluents[0]];
      for (const Symmetry& symmetry : found.form.symmetries) ++uses[symmetry[v][0]];
    }
  }
  EXPECT_EQ(uses.size(), found.form.variables.size());
  for (const auto& [fluent, times] : uses) EXPECT_GE(times, 2) << fluent;
}

TEST(Movers, AreToldFromTheMovesAlone) {
  const Movers movers({{7}, {7}});
  using Legal = std::vector<std::vector<gdl::MoveId>>;
  EXPECT_EQ(movers.of(Legal{{1, 2}, {7}}), 0U);
  EXPECT_EQ(movers.of(Legal{{7}, {1, 2}}), 1U);
  EXPECT_EQ(movers.of(Legal{{1, 2}, {3, 4}}), 2U);
  EXPECT_EQ(movers.of(Legal{{5}, {7}}), 0U);  // compelled
  EXPECT_EQ(movers.of(Legal{{7}, {7}}), 2U);
  EXPECT_EQ(movers.of(Legal{{5}, {5}}), 2U);
}

}  // namespace
}  // namespace ludens::search::test
