// SPDX-License-Identifier: MIT
// A share of the public traces, bounded in time. All of them: `ludens conform GAMES TRACES`.
#include <gtest/gtest.h>

#include "gdl/registry/machines.h"
#include "gdl/text/file.h"
#include "server/conformance/conformance.h"
#include "server/game/rulesheet.h"
#include "tests/project_folder.h"

namespace ludens::server {
namespace {

const std::filesystem::path kGames = project_folder() + "/../shared/games";
const std::filesystem::path kTraces = project_folder() + "/../shared/traces";
constexpr std::string_view kTraceEnding = ".jsonl.gz";

std::shared_ptr<const gdl::Machine> interpreter(const std::string& text) {
  const Rulesheet sheet = read_rulesheet("game", text);
  return gdl::make_machine("interpreter", std::make_shared<gdl::Vocabulary>(sheet.rules)).value();
}

/// The games of one letter, each for at most so long; beyond, the comparison ends early.
void compare_games(char first, char last) {
  using std::chrono::milliseconds;
  if (!std::filesystem::exists(kTraces)) {
    GTEST_SKIP() << "the public traces are not beside the project: " << kTraces;
  }
  std::size_t games = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kTraces)) {
    std::string key = entry.path().lexically_relative(kTraces).generic_string();
    const char letter = static_cast<char>(std::tolower(key[0]));
    if (!key.ends_with(kTraceEnding) || letter < first || letter > last) continue;
    key.resize(key.size() - kTraceEnding.size());
    auto trace = read_trace(entry.path());
    ASSERT_TRUE(trace.has_value()) << key;
    auto& playouts = *trace;
    playouts.resize(std::min<std::size_t>(playouts.size(), 1));
    const auto text = gdl::read_file(kGames / (key + ".kif"));
    ASSERT_TRUE(text.has_value()) << key;
    const auto result = compare(*interpreter(*text), playouts, milliseconds(100));
    for (const std::string& example : result.examples) ADD_FAILURE() << key << ", " << example;
    EXPECT_GT(result.states, 0U) << key;
    ++games;
  }
  EXPECT_GT(games, 0U);
}

TEST(Traces, GamesAToB) {
  compare_games('a', 'b');
}
TEST(Traces, GamesC) {
  compare_games('c', 'c');
}
TEST(Traces, GamesDToG) {
  compare_games('d', 'g');
}
TEST(Traces, GamesHToM) {
  compare_games('h', 'm');
}
TEST(Traces, GamesNToR) {
  compare_games('n', 'r');
}
TEST(Traces, GamesS) {
  compare_games('s', 's');
}
TEST(Traces, GamesTToZ) {
  compare_games('t', 'z');
}

// ---- the comparison itself finds what is wrong ----

const std::string kGame =
    "(role a) (init (n 0)) (<= (legal a (add ?x)) (digit ?x)) (digit 1) (digit 2)"
    "(<= (next (n ?x)) (does a (add ?x))) (<= terminal (not (true (n 0))))"
    "(<= (goal a 50) (true (n 1))) (<= (goal a ?x) (true (n ?x)) (distinct ?x 1))";

TracePlayout right() {
  TraceStep first{0, {"( n 0 )"}, false, {{"( add 1 )", "( add 2 )"}}, {0}, {{"( add 1 )"}}};
  TraceStep second{1, {"( n 1 )"}, true, {}, {50}, {}};
  return {1, {"a"}, {first, second}};
}

std::string difference(const TracePlayout& playout) {
  const auto result = compare(*interpreter(kGame), {playout});
  EXPECT_EQ(result.playouts, 1U);
  return result.examples.empty() ? "" : result.examples.front();
}

TEST(Comparison, AgreesWithWhatIsRight) {
  EXPECT_EQ(difference(right()), "");
}

TEST(Comparison, FindsOtherRoles) {
  TracePlayout playout = right();
  playout.roles = {"b"};
  EXPECT_EQ(difference(playout), "playout 1: other roles");
}

TEST(Comparison, FindsAnotherState) {
  TracePlayout playout = right();
  playout.steps[1].state = {"( n 2 )"};
  EXPECT_EQ(difference(playout),
            "playout 1, step 1: state: 1 missing, as ( n 2 ) 1 too many, as ( n 1 )");
}

TEST(Comparison, FindsMissingAndAdditionalMoves) {
  TracePlayout playout = right();
  playout.steps[0].legal[0] = {"( add 1 )"};
  EXPECT_EQ(difference(playout), "playout 1, step 0: legal moves of a: 1 too many, as ( add 2 )");
  playout.steps[0].legal[0] = {"( add 1 )", "( add 2 )", "( add 3 )"};
  EXPECT_EQ(difference(playout), "playout 1, step 0: legal moves of a: 1 missing, as ( add 3 )");
}

TEST(Comparison, FindsAnotherEnding) {
  TracePlayout playout = right();
  playout.steps[1].terminal = false;
  EXPECT_EQ(difference(playout), "playout 1, step 1: terminal");
  playout = right();
  playout.steps[1].goals = {60};
  EXPECT_EQ(difference(playout), "playout 1, step 1: goal of a: 50, not 60");
  playout.steps[1].goals = {std::nullopt};
  EXPECT_EQ(difference(playout), "playout 1, step 1: goal of a: no flaw reported");
}

TEST(Comparison, FindsAMoveThatThereIsNot) {
  TracePlayout playout = right();
  playout.steps[0].moves = {{"( add 7 )"}};
  EXPECT_EQ(difference(playout), "playout 1, step 0: unknown move ( add 7 )");
}

TEST(Comparison, NamesTheReasonWhyATraceCannotBeRead) {
  const auto missing = read_trace("/nonexistent/x.jsonl.gz");
  EXPECT_EQ(missing.error().text, "/nonexistent/x.jsonl.gz: can't be opened");
}

}  // namespace
}  // namespace ludens::server
