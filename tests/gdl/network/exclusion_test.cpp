// SPDX-License-Identifier: MIT
#include "gdl/network/exclusion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "gdl/network/build.h"
#include "gdl/network/implications.h"
#include "tests/gdl/ground/ground_rules.h"

namespace ludens::gdl {
namespace {

/// A clock of four steps, in which one mark is made a step, each in a place of its own.
constexpr const char* kMarks = R"((role a) (init (step 1)) (after 1 2) (after 2 3) (after 3 4)
  (<= (legal a (mark ?s ?v)) (true (step ?s)) (value ?v) (after ?s ?n)) (value x) (value y)
  (<= (next (step ?n)) (true (step ?s)) (after ?s ?n))
  (<= (next (marked ?p ?v)) (does a (mark ?p ?v))) (<= (next (marked ?p ?v)) (true (marked ?p ?v)))
  (<= terminal (true (step 4))) (<= (goal a 100) (true (marked 1 x))) (<= (goal a 0) (true (marked 1 y))))";

struct MarksGame {
  explicit MarksGame(const std::string& text) {
    auto program = tests::ground_text(text);
    vocabulary = std::make_shared<Vocabulary>(program->flat.rules);
    network = build_network(*program, *vocabulary, {}).value();
  }
  [[nodiscard]] std::uint32_t fluent(const std::string& name) const {
    const FluentId id = *vocabulary->find_fluent(name);
    return static_cast<std::uint32_t>(std::ranges::find(network.fluents, id, &Network::Fluent::id) -
                                      network.fluents.begin());
  }
  [[nodiscard]] bool excluded(const std::vector<std::vector<std::uint32_t>>& groups,
                              const std::string& a, const std::string& b) const {
    return std::ranges::any_of(groups, [&](const std::vector<std::uint32_t>& group) {
      return std::ranges::count(group, fluent(a)) == 1 && std::ranges::count(group, fluent(b)) == 1;
    });
  }
  std::shared_ptr<Vocabulary> vocabulary;
  Network network;
};

TEST(ExclusiveGroups, AreWhateverFluentsAreCalled) {
  const MarksGame game(kMarks);
  const auto groups = find_exclusive_groups(game.network, *game.vocabulary, nullptr);
  EXPECT_TRUE(game.excluded(groups, "( step 1 )", "( step 3 )"));
  EXPECT_TRUE(game.excluded(groups, "( marked 1 x )", "( marked 1 y )"));
  EXPECT_TRUE(game.excluded(groups, "( step 2 )", "( marked 2 x )")) << "it is made later";
  EXPECT_TRUE(game.excluded(groups, "( step 1 )", "( marked 3 y )"));
  EXPECT_FALSE(game.excluded(groups, "( step 3 )", "( marked 2 x )"));
  EXPECT_FALSE(game.excluded(groups, "( marked 1 x )", "( marked 2 x )"));
}

TEST(ExclusiveGroups, AreAmongThoseThatAreSeenApart) {
  const MarksGame game(kMarks);
  const auto groups = find_groups_apart(game.network, *game.vocabulary);
  EXPECT_TRUE(game.excluded(groups, "( step 1 )", "( step 3 )"));
  EXPECT_TRUE(game.excluded(groups, "( marked 1 x )", "( marked 1 y )"));
  EXPECT_FALSE(game.excluded(groups, "( marked 1 x )", "( marked 2 x )")) << "seen together";
}

/// Of two counters with many arguments each has one value: the last argument alone is open.
TEST(Exclusions, AreFoundByEachOfManyArguments) {
  for (const int constants : {3, 15, 16, 17, 30, 31, 40}) {
    std::string zeros;
    for (int i = 0; i < constants; ++i) zeros += "0 ";
    const auto value = [&](const std::string& counter, const std::string& last) {
      return "( f " + counter + " " + zeros + last + " )";
    };
    const MarksGame game(
        "(role a) (counter x) (counter y) (after 1 2) (after 2 1)"
        "(<= (init " +
        value("?c", "1") +
        ") (counter ?c)) (legal a (turn x)) (legal a (turn y))"
        "(<= (next " +
        value("?c", "?n") + ") (does a (turn ?c)) (true " + value("?c", "?o") +
        ")"
        "(after ?o ?n)) (<= (next " +
        value("?c", "?o") + ") (true " + value("?c", "?o") +
        ")"
        "(not (does a (turn ?c)))) (<= terminal (true " +
        value("x", "2") + ") (true " + value("y", "2") + ")) (<= (goal a 100) (true " +
        value("x", "2") +
        "))"
        "(<= (goal a 0) (true " +
        value("x", "1") + "))");
    std::vector<std::vector<std::uint32_t>> groups;
    for (const Structure::Exclusion& exclusion : find_exclusions(game.network, *game.vocabulary)) {
      auto& group = groups.emplace_back();
      for (const FluentId id : exclusion.fluents) {
        group.push_back(game.fluent(game.vocabulary->fluent_name(id)));
      }
    }
    EXPECT_TRUE(game.excluded(groups, value("x", "1"), value("x", "2"))) << constants;
    EXPECT_FALSE(game.excluded(groups, value("x", "1"), value("y", "2"))) << constants;
  }
}

TEST(ExclusiveGroups, HoldInEveryStateOnly) {
  // Any place may be marked at any step: a place gets two marks.
  std::string text = kMarks;
  const std::string one = "(true (step ?s)) (value ?v) (after ?s ?n))";
  text.replace(text.find(one), one.size(), "(true (step ?t)) (value ?v) (after ?s ?n))");
  const MarksGame game(text);
  const auto groups = find_exclusive_groups(game.network, *game.vocabulary, nullptr);
  EXPECT_FALSE(game.excluded(groups, "( marked 1 x )", "( marked 1 y )"));
  EXPECT_FALSE(game.excluded(groups, "( step 2 )", "( marked 3 x )"));
  EXPECT_TRUE(game.excluded(groups, "( step 1 )", "( marked 3 x )")) << "nothing is marked yet";
}

TEST(ExclusiveGroups, KeepThoseOfFindExclusionsWhereWorkIsShort) {
  const MarksGame game(kMarks);
  EXPECT_TRUE(find_exclusive_groups(game.network, *game.vocabulary, nullptr, 1).empty());
  const auto by_name = find_exclusions(game.network, *game.vocabulary);
  const auto groups = find_exclusive_groups(game.network, *game.vocabulary, nullptr);
  for (const Structure::Exclusion& exclusion : by_name) {
    std::set<FluentId> ids(exclusion.fluents.begin(), exclusion.fluents.end());
    EXPECT_TRUE(std::ranges::any_of(groups, [&](const std::vector<std::uint32_t>& group) {
      std::set<FluentId> of;
      for (const std::uint32_t f : group) of.insert(game.network.fluents[f].id);
      return of == ids;
    }));
  }
}

TEST(Implications, OfAStateSayNothingOfMoves) {
  const MarksGame game(kMarks);
  StopPoll poll(nullptr);
  const auto groups = find_exclusive_groups(game.network, *game.vocabulary, nullptr);
  const Edge last = game.network.fluents[game.fluent("( step 4 )")].node * 2;
  Implications step(game.network, groups, 1'000'000, poll);
  EXPECT_FALSE(step.assume(last)) << "nothing is legal at the end, so that no step follows";
  Implications state(game.network, groups, 1'000'000, poll, Implications::Scope::State);
  EXPECT_TRUE(state.assume(last));
  EXPECT_TRUE(state.is_false(game.network.fluents[game.fluent("( step 2 )")].node * 2));
  EXPECT_TRUE(state.is_true(last));
}

}  // namespace
}  // namespace ludens::gdl
