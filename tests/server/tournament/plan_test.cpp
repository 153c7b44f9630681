// SPDX-License-Identifier: MIT
#include "server/tournament/plan.h"

#include <gtest/gtest.h>

#include "tests/server/tournament/sample_plan.h"

namespace ludens::server {
namespace {

TournamentPlan rich_plan() {
  TournamentPlan plan = sample_plan(2, {planned_game("dice", {"a", "random"})});
  PlannedPlayer remote;
  remote.name = "far";
  remote.kind = PlannedPlayer::Kind::Remote;
  remote.url = "http://127.0.0.1:9147";
  remote.matches = 3;
  plan.players.push_back(remote);
  PlannedPlayer started;
  started.name = "started";
  started.kind = PlannedPlayer::Kind::Command;
  started.command = "player --port {port}";
  started.port = 9148;
  plan.players.push_back(started);
  plan.players[0].strategy = "value:knowledge=known";
  plan.players[0].hash = text_hash("what is known");
  plan.sprt = SprtPlan{.elo0 = 0, .elo1 = 12.5, .alpha = 0.05, .beta = 0.1};
  plan.replace = "first";
  plan.preview_clock = 2;
  plan.records = RecordPolicy::All;
  plan.down = DownPolicy::Stop;
  plan.seed = ~std::uint64_t{0};
  return plan;
}

TEST(PlanOfTournament, IsTheSameAfterWritingAndReading) {
  const TournamentPlan plan = rich_plan();
  const auto read = parse_plan(to_json(plan));
  ASSERT_TRUE(read.has_value()) << read.error().text;
  const auto& back = *read;
  EXPECT_EQ(to_json(back), to_json(plan));
  EXPECT_EQ(back.id(), plan.id());
  EXPECT_EQ(back.players[0].hash, plan.players[0].hash);
  EXPECT_EQ(back.players[2].matches, 3);
  EXPECT_EQ(back.players[3].port, 9148);
  EXPECT_EQ(back.games[0].chance, (std::vector<bool>{false, true}));
  EXPECT_EQ(back.sprt->elo1, 12.5);
  EXPECT_EQ(back.down, DownPolicy::Stop);
  EXPECT_TRUE(differences(plan, back).empty());
}

TEST(PlanOfTournament, HasAnIdThatTellsTournamentsApart) {
  const TournamentPlan plan = sample_plan();
  TournamentPlan other = plan;
  other.players[1].strategy = "mcts:playouts=10";
  EXPECT_NE(other.id(), plan.id());
  other = plan;
  other.games[0].hash = text_hash("another rulesheet");
  EXPECT_NE(other.id(), plan.id());
}

TEST(PlanOfTournament, HasTheSameIdWithMoreRoundsOrPatience) {
  const TournamentPlan plan = sample_plan();
  TournamentPlan other = plan;
  other.rounds = 10;
  other.patience_seconds = 99;
  other.records = RecordPolicy::None;
  other.games[0].file = "elsewhere/chess.kif";
  EXPECT_EQ(other.id(), plan.id());
  EXPECT_TRUE(differences(plan, other).empty());
}

TEST(PlanOfTournament, SaysWhatHasChanged) {
  const TournamentPlan plan = sample_plan();
  TournamentPlan other = plan;
  other.players[1].strategy = "legal";
  other.games[0].play_clock = 9;
  other.sprt.emplace();
  const auto changes = differences(plan, other);
  ASSERT_EQ(changes.size(), 3u);
  EXPECT_EQ(changes[0], R"(players "b" strategy: was "random", is "legal")");
  EXPECT_EQ(changes[1], R"(games "chess" play-clock: was 5, is 9)");
  EXPECT_THAT(changes[2], testing::StartsWith("sprt: was nothing, is {"));
}

TEST(PlanOfTournament, ThatIsDamagedIsAnErrorWithASentence) {
  const auto what = [](std::string json, const std::string& from, const std::string& to) {
    json.replace(json.find(from), from.size(), to);
    return parse_plan(json).error().text;
  };
  const std::string json = to_json(sample_plan());
  EXPECT_EQ(what(json, "round-robin", "round-about"), "'format' is not one of the known words");
  EXPECT_EQ(what(json, R"("rounds":1)", R"("rounds":-1)"), "'rounds' is not a number of its range");
  EXPECT_EQ(what(json, R"("matches":[1,1])", R"("matches":[1])"),
            "'matches' must be one for each player");
  EXPECT_THAT(parse_plan("{").error().text, testing::StartsWith("no JSON"));
}

}  // namespace
}  // namespace ludens::server
