// SPDX-License-Identifier: MIT
#include "gdl/network/exclusion.h"

#include <gtest/gtest.h>

#include <algorithm>
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
  /// What `find_exclusions` proves, in indices of the network.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> proved(
      std::uint64_t work = 20'000'000) const {
    std::vector<std::vector<std::uint32_t>> groups;
    for (const Structure::Exclusion& found : find_exclusions(network, *vocabulary, nullptr, work)) {
      auto& group = groups.emplace_back();
      for (const FluentId id : found.fluents) group.push_back(fluent(vocabulary->fluent_name(id)));
    }
    return groups;
  }
  std::shared_ptr<Vocabulary> vocabulary;
  Network network;
};

TEST(Exclusions, AreAmongGroupsThatAreSeenApart) {
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
    const auto groups = game.proved();
    EXPECT_TRUE(game.excluded(groups, value("x", "1"), value("x", "2"))) << constants;
    EXPECT_FALSE(game.excluded(groups, value("x", "1"), value("y", "2"))) << constants;
  }
}

TEST(Exclusions, HoldInEveryStateOnly) {
  // Any place may be marked at any step: a place gets two marks.
  std::string text = kMarks;
  const std::string one = "(true (step ?s)) (value ?v) (after ?s ?n))";
  text.replace(text.find(one), one.size(), "(true (step ?t)) (value ?v) (after ?s ?n))");
  const MarksGame game(text);
  const auto groups = game.proved();
  EXPECT_TRUE(game.excluded(groups, "( step 1 )", "( step 3 )"));
  EXPECT_FALSE(game.excluded(groups, "( marked 1 x )", "( marked 1 y )"));
  EXPECT_FALSE(game.excluded(groups, "( step 2 )", "( marked 3 x )"));
}

TEST(Exclusions, AreNotFoundWhereWorkIsShort) {
  const MarksGame game(kMarks);
  EXPECT_TRUE(game.excluded(game.proved(), "( step 1 )", "( step 3 )"));
  EXPECT_TRUE(game.proved(1).empty());
}

TEST(Implications, FollowFromAStepThatIsMade) {
  const MarksGame game(kMarks);
  StopPoll poll(nullptr);
  const auto groups = game.proved();
  const auto node = [&](const char* fluent) {
    return game.network.fluents[game.fluent(fluent)].node * 2;
  };
  Implications step(game.network, groups, 1'000'000, poll);
  const std::size_t before = step.mark();
  EXPECT_FALSE(step.assume(node("( step 4 )"))) << "nothing is legal at the end";
  step.take_back(before);
  EXPECT_TRUE(step.assume(node("( step 2 )")));
  EXPECT_TRUE(step.is_true(node("( step 2 )")));
  EXPECT_TRUE(step.is_false(node("( step 3 )")));
}

}  // namespace
}  // namespace ludens::gdl
