// SPDX-License-Identifier: MIT
#include "search/registry/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace ludens::search {
namespace {

using testing::HasSubstr;

StrategySpec parsed(std::string_view text) {
  auto result = parse_strategy(text);
  if (!result) ADD_FAILURE() << result.error().text;
  return result.has_value() ? *result : StrategySpec{};
}

std::string problem_of(std::string_view text) {
  const auto result = parse_strategy(text);
  return result.has_error() ? result.error().text : "";
}

TEST(Registry, EveryStrategyIsMadeFromItsDefaults) {
  for (const StrategyInfo& info : strategies()) {
    const auto made = make_strategy({std::string(info.name), {}}, {});
    ASSERT_TRUE(made.has_value()) << info.name;
    EXPECT_EQ((*made)->name(), info.name);
  }
}

TEST(Registry, DefaultsAreAcceptedWhenWrittenOut) {
  for (const StrategyInfo& info : strategies()) {
    StrategySpec spec{std::string(info.name), {}};
    for (const OptionInfo& option : options_of(info)) {
      spec.options.emplace(option.key, option.standard);
    }
    EXPECT_EQ(problem_of(to_string(spec)), "");
  }
}

TEST(Registry, NamesAndKeysAreUniqueAndExplained) {
  std::set<std::string_view> names;
  for (const StrategyInfo& info : strategies()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.summary.empty()) << info.name;
    std::set<std::string_view> keys;
    for (const OptionInfo& option : common_options()) keys.insert(option.key);
    for (const OptionInfo& option : info.options) {
      EXPECT_TRUE(keys.insert(option.key).second) << info.name << ':' << option.key;
      EXPECT_FALSE(option.meaning.empty()) << info.name << ':' << option.key;
    }
  }
}

TEST(Registry, SpecsAreReadAndWrittenBack) {
  const StrategySpec plain = parsed("random");
  EXPECT_EQ(plain.name, "random");
  EXPECT_TRUE(plain.options.empty());
  const StrategySpec spec = parsed("minimax:seed=7,ties=first,seconds=0.5");
  EXPECT_EQ(spec.options.at("seed"), "7");
  EXPECT_EQ(spec.options.at("ties"), "first");
  EXPECT_EQ(to_string(spec), "minimax:seconds=0.5,seed=7,ties=first");
}

TEST(Registry, WrongTextsAreExplainedWithTheNearestKnownName) {
  EXPECT_THAT(problem_of("randm"), HasSubstr("did you mean 'random'"));
  EXPECT_THAT(problem_of(""), HasSubstr("there is no strategy ''"));
  EXPECT_THAT(problem_of("random:sed=7"), HasSubstr("did you mean 'seed'"));
  EXPECT_THAT(problem_of("random:seed"), HasSubstr("not KEY=VALUE"));
  EXPECT_THAT(problem_of("random:"), HasSubstr("not KEY=VALUE"));
  EXPECT_THAT(problem_of("random:seed=7,"), HasSubstr("not KEY=VALUE"));
  EXPECT_THAT(problem_of("random:seed=7,seed=8"), HasSubstr("given twice"));
}

TEST(Registry, ValuesAreChecked) {
  EXPECT_THAT(problem_of("random:seed=x"), HasSubstr("a whole number of at least 0, not 'x'"));
  EXPECT_THAT(problem_of("random:seed=-1"), HasSubstr("not '-1'"));
  EXPECT_THAT(problem_of("random:seed=99999999999999999999"), HasSubstr("a whole number"));
  EXPECT_THAT(problem_of("minimax:threshold=101"), HasSubstr("from 1 to 100"));
  EXPECT_THAT(problem_of("minimax:ties=last"), HasSubstr("one of first|random"));
  EXPECT_THAT(problem_of("random:seconds=1e3"), "");
  for (const char* seconds : {"nan", "inf", "1e999", "-1", "-0.5"}) {
    EXPECT_THAT(problem_of(std::string("random:seconds=") + seconds),
                HasSubstr("a number of at least 0.0"));
  }
}

TEST(Registry, AnOptionThatWouldBeIgnoredIsAnErrorThatNamesTheOthers) {
  EXPECT_EQ(problem_of("alphabeta:threads=8"),
            "strategy 'alphabeta' has no use for option 'threads'; it takes iterative, table, "
            "order, bounds, quiescence, evaluation, nodes, machine, seed, seconds, playouts, "
            "depth, threshold, ties, knowledge");
  EXPECT_THAT(problem_of("random:seed=1,depth=3"), HasSubstr("no use for option 'depth'"));
  for (const StrategyInfo& info : strategies()) {
    const std::size_t ignored =
        common_options().size() + info.options.size() - options_of(info).size();
    const auto words = std::ranges::count(info.ignored, ' ') + (info.ignored.empty() ? 0 : 1);
    EXPECT_EQ(ignored, words) << info.name << " ignores what is no common option";
  }
}

TEST(Registry, TheTextbooksNameOfExhaustiveSearchIsKnown) {
  EXPECT_EQ(parsed("compulsive:nodes=7").name, "exhaustive");
  EXPECT_EQ(make_strategy({"compulsive", {}}, {}).value()->name(), "exhaustive");
}

/// So large that a search could not count with them.
TEST(Registry, ValuesOfAnyOptionHaveAnEnd) {
  EXPECT_THAT(problem_of("maxn:sum=18446744073709551615"), HasSubstr("a whole number from 0"));
  EXPECT_THAT(problem_of("mcts:threads=4294967296"), HasSubstr("a whole number from 1"));
  EXPECT_THAT(problem_of("mcts:rate=1e308"), HasSubstr("a number from 0.0 to"));
  EXPECT_THAT(problem_of("maxn:sum=10000"), "");
}

TEST(Registry, MakingReportsWhatParsingWould) {
  const auto name = make_strategy({"randm", {}}, {});
  EXPECT_THAT(name.error().text, HasSubstr("did you mean 'random'"));
  const auto value = make_strategy({"random", {{"seed", "x"}}}, {});
  EXPECT_THAT(value.error().text, HasSubstr("not 'x'"));
}

TEST(Registry, LimitsOfWorkAreCountsAndRates) {
  EXPECT_FALSE(limits_work({"mcts", {}}));
  EXPECT_FALSE(limits_work({"mcts", {{"rate", "0.0"}, {"playouts", "0"}}}));
  EXPECT_TRUE(limits_work({"mcts", {{"playouts", "100"}}}));
  const StrategySpec slow{"mcts", {{"rate", "1000"}}};
  EXPECT_TRUE(limits_work(slow));
  EXPECT_FALSE(limited_by_counts(slow)) << "its matches depend on the clock";
}

TEST(Registry, ThinkingIsCappedBySeconds) {
  EXPECT_EQ(thinking_cap({"random", {}}), std::nullopt);
  EXPECT_EQ(thinking_cap({"random", {{"seconds", "0.25"}}}), std::chrono::milliseconds(250));
}

TEST(Deadlines, CapsOnlyShorten) {
  const TimePoint now = std::chrono::steady_clock::now();
  const Deadline past(now);
  EXPECT_TRUE(past.stop_requested());
  EXPECT_TRUE(past.no_later_than(now + std::chrono::hours(1)).stop_requested());
  EXPECT_FALSE(Deadline().no_later_than(now + std::chrono::hours(1)).stop_requested());
  std::stop_source source;
  const Deadline open(source.get_token());
  EXPECT_FALSE(open.stop_requested());
  source.request_stop();
  EXPECT_TRUE(open.no_later_than(now + std::chrono::hours(1)).stop_requested());
}

}  // namespace
}  // namespace ludens::search
