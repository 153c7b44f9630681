// SPDX-License-Identifier: MIT
// Plans and results for tests of tournaments.
#pragma once

#include <string>
#include <vector>

#include "server/tournament/plan.h"
#include "server/tournament/result.h"
#include "server/tournament/schedule.h"

namespace ludens::server {

inline PlannedPlayer builtin_player(const std::string& name,
                                    const std::string& strategy = "random") {
  PlannedPlayer player;
  player.name = name;
  player.strategy = strategy;
  return player;
}

/// Roles that begin with "random" are played by chance.
inline PlannedGame planned_game(const std::string& name, const std::vector<std::string>& roles) {
  PlannedGame game;
  game.name = name;
  game.hash = text_hash(name);
  game.roles = roles;
  for (const std::string& role : roles) game.chance.push_back(role.starts_with("random"));
  return game;
}

/// `players` players a, b, c, ... in the games.
inline TournamentPlan sample_plan(std::size_t players, std::vector<PlannedGame> games) {
  TournamentPlan plan;
  plan.name = "sample";
  for (std::size_t i = 0; i < players; ++i) {
    plan.players.push_back(builtin_player(std::string(1, static_cast<char>('a' + i))));
  }
  plan.games = std::move(games);
  return plan;
}

inline TournamentPlan sample_plan() {
  return sample_plan(2, {planned_game("chess", {"white", "black"})});
}

/// A completed match of `sample_plan()` with enough rounds, with a fault.
inline MatchResult sample_result(std::size_t block = 0, std::size_t rotation = 0) {
  MatchResult result;
  result.tournament = sample_plan().id();
  result.match = result.tournament + "." + std::to_string(block) + "." + std::to_string(rotation);
  result.block = {block, block, rotation, 2};
  result.game = "chess";
  result.game_hash = text_hash("chess");
  result.roles = {"white", "black"};
  result.players = {rotation == 0 ? "a" : "b", rotation == 0 ? "b" : "a"};
  TournamentPlan plan = sample_plan();
  plan.rounds = block + 1;
  result.seed = Schedule(plan).block(block).seed;
  result.goals = {100, 0};
  result.steps = 40;
  result.moves_hash = text_hash("1. e4");
  result.faults.resize(2);
  result.faults[1].late = 2;
  result.record = "records/x.json";
  result.started_ms = 1'700'000'000'000;
  result.duration_ms = 12.5;
  result.think_ms = {1.25, 2};
  result.slowest_ms = {1, 0.5};
  return result;
}

}  // namespace ludens::server
