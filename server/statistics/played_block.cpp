// SPDX-License-Identifier: MIT
#include "server/statistics/played_block.h"

#include <algorithm>
#include <cstdint>
#include <map>

namespace ludens::server {

namespace {

using Points = std::int64_t;

/// Goals of one match above the least, by player; a player with several seats has several goals.
std::multimap<std::string, Points> goals_by_player(const MatchResult& match) {
  std::multimap<std::string, Points> goals;
  for (std::size_t role = 0; role < match.goals.size(); ++role) {
    if (match.players[role].empty()) continue;
    goals.emplace(match.players[role], Points{match.goals[role]} - match.least_goal);
  }
  return goals;
}

Points best_of(const MatchResult& match) {
  return Points{match.greatest_goal} - match.least_goal;
}

bool is_fixed_sum(const MatchResult& match) {
  const auto goals = goals_by_player(match);
  return goals.size() == 2 && goals.begin()->first != goals.rbegin()->first &&
         goals.begin()->second + goals.rbegin()->second == best_of(match);
}

void count_result(Points goal, Points best, BlockScore& score) {
  if (2 * goal > best) {
    ++score.wins;
  } else if (2 * goal < best) {
    ++score.losses;
  } else {
    ++score.draws;
  }
}

std::vector<BlockScore> scores_of(const PlayedBlock& block) {
  std::map<std::string, BlockScore> scores;
  std::map<std::string, Points> best;  // goals of all seats together
  for (const MatchResult* match : block.matches) {
    for (const auto& [player, goal] : goals_by_player(*match)) {
      BlockScore& score = scores[player];
      score.player = player;
      score.score += static_cast<double>(goal);
      best[player] += best_of(*match);
      if (block.fixed_sum) count_result(goal, best_of(*match), score);
    }
  }
  std::vector<BlockScore> out;
  for (auto& [player, score] : scores) {
    score.score /= static_cast<double>(best[player]);
    out.push_back(std::move(score));
  }
  return out;
}

}  // namespace

const BlockScore* PlayedBlock::find(const std::string& player) const {
  const auto place = std::find_if(scores.begin(), scores.end(),
                                  [&](const BlockScore& score) { return score.player == player; });
  return place == scores.end() ? nullptr : &*place;
}

double PlayedBlock::ended_ms() const {
  double latest = 0;
  for (const MatchResult* match : matches) {
    latest = std::max(latest, static_cast<double>(match->started_ms) + match->duration_ms);
  }
  return latest;
}

std::set<std::string> fixed_sum_games(std::span<const MatchResult> results) {
  std::set<std::string> games, others;
  for (const MatchResult& match : results) {
    if (match.counts()) (is_fixed_sum(match) ? games : others).insert(match.game);
  }
  for (const std::string& game : others) games.erase(game);
  return games;
}

std::vector<PlayedBlock> played_blocks(std::span<const MatchResult> results) {
  const std::set<std::string> fixed_sum = fixed_sum_games(results);
  std::map<std::size_t, PlayedBlock> blocks;
  for (const MatchResult& match : results) {
    PlayedBlock& block = blocks[match.block.number];
    block.number = match.block.number;
    block.game = match.game;
    block.fixed_sum = fixed_sum.count(match.game) != 0;
    block.matches.push_back(&match);
  }
  std::vector<PlayedBlock> out;
  for (auto& [number, block] : blocks) {
    auto& matches = block.matches;
    std::sort(matches.begin(), matches.end(), [](const MatchResult* a, const MatchResult* b) {
      return a->block.rotation < b->block.rotation;
    });
    block.settled = matches.size() == matches.front()->block.size;
    block.complete =
        block.settled && std::all_of(matches.begin(), matches.end(),
                                     [](const auto* match) { return match->counts(); });
    if (block.complete) block.scores = scores_of(block);
    out.push_back(std::move(block));
  }
  return out;
}

}  // namespace ludens::server
