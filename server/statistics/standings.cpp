// SPDX-License-Identifier: MIT
#include "server/statistics/standings.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ludens::server {

namespace {

using Blocks = std::vector<const PlayedBlock*>;
using Matches = std::vector<const MatchResult*>;

/// Block scores, and separately those of games that show a difference of strength.
class Scores {
 public:
  void add(double score, bool fixed_sum) {
    all_.add(score);
    if (fixed_sum) fixed_sum_.add(score);
  }
  [[nodiscard]] Estimate estimate() const { return all_.estimate(); }
  [[nodiscard]] std::size_t fixed_sum_blocks() const { return fixed_sum_.blocks(); }
  [[nodiscard]] std::optional<Elo> elo() const {
    if (fixed_sum_.blocks() == 0) return std::nullopt;
    return elo_of(fixed_sum_.estimate());
  }

 private:
  BlockMean all_, fixed_sum_;
};

/// Counts one player's blocks.
class Tallier {
 public:
  void add(const PlayedBlock& block, const BlockScore& score) {
    scores_.add(score.score, block.fixed_sum);
    tally_.matches += block.matches.size();
    tally_.wins += score.wins;
    tally_.draws += score.draws;
    tally_.losses += score.losses;
  }

  [[nodiscard]] Tally tally() const {
    Tally result = tally_;
    result.score = scores_.estimate();
    result.fixed_sum_blocks = scores_.fixed_sum_blocks();
    result.elo = scores_.elo();
    return result;
  }

 private:
  Scores scores_;
  Tally tally_;
};

Tally tally_of(const std::string& player, const Blocks& blocks) {
  Tallier tallier;
  for (const PlayedBlock* block : blocks) {
    if (const BlockScore* score = block->find(player)) tallier.add(*block, *score);
  }
  return tallier.tally();
}

/// Faults, aborts and think time of one player in one match.
void add_conduct(const MatchResult& match, PlayerStanding& standing) {
  bool there = false;
  for (std::size_t role = 0; role < match.players.size(); ++role) {
    if (match.players[role] != standing.player) continue;
    there = true;
    standing.faults += match.faults[role];
    standing.think.moves += match.steps;
    standing.think.total_ms += match.think_ms[role];
    standing.think.slowest_ms = std::max(standing.think.slowest_ms, match.slowest_ms[role]);
  }
  if (!there) return;
  if (!match.counts()) ++standing.aborted;
  const auto& culprits = match.culprits;
  if (std::find(culprits.begin(), culprits.end(), standing.player) != culprits.end()) {
    ++standing.culprit;
  }
}

/// Sorts by mean, the highest first; players without a block come last.
void rank(std::vector<PlayerStanding>& players) {
  const auto key = [](const PlayerStanding& standing) {
    return standing.tally.score.blocks == 0 ? -1 : standing.tally.score.mean;
  };
  std::stable_sort(players.begin(), players.end(),
                   [&](const auto& a, const auto& b) { return key(a) > key(b); });
  for (std::size_t i = 0; i < players.size(); ++i) {
    const bool equal = i > 0 && key(players[i]) == key(players[i - 1]);
    players[i].rank = equal ? players[i - 1].rank : i + 1;
  }
}

std::vector<PlayerStanding> player_standings(const std::vector<std::string>& players,
                                             const Matches& matches, const Blocks& blocks) {
  std::vector<PlayerStanding> standings;
  for (const std::string& player : players) {
    PlayerStanding standing;
    standing.player = player;
    standing.tally = tally_of(player, blocks);
    for (const MatchResult* match : matches) add_conduct(*match, standing);
    standings.push_back(std::move(standing));
  }
  rank(standings);
  return standings;
}

/// What the completed matches of a game were like.
void add_completed(const Matches& matches, GameStanding& standing) {
  double steps = 0, completed = 0;
  std::map<std::string, double> best;  // by role: the most that it could have got
  for (const MatchResult* match : matches) {
    if (!match->completed()) continue;
    standing.least_steps =
        completed == 0 ? match->steps : std::min(standing.least_steps, match->steps);
    standing.most_steps = std::max(standing.most_steps, match->steps);
    steps += static_cast<double>(match->steps);
    ++completed;
    for (std::size_t role = 0; role < match->roles.size(); ++role) {
      if (match->players[role].empty()) continue;
      auto found = std::ranges::find(standing.roles, match->roles[role], &RoleStanding::role);
      if (found == standing.roles.end()) {
        found = standing.roles.insert(found, {match->roles[role], 0, 0});
      }
      ++found->matches;
      // Sums of whole numbers, so that no order of matches matters.
      found->mean += static_cast<double>(match->goals[role]) - match->least_goal;
      best[found->role] += static_cast<double>(match->greatest_goal) - match->least_goal;
    }
  }
  if (completed != 0) standing.mean_steps = steps / completed;
  for (RoleStanding& role : standing.roles) role.mean /= std::max(best[role.role], 1.0);
}

GameStanding game_standing(const std::vector<std::string>& players, const std::string& game,
                           const Matches& matches, const Blocks& blocks) {
  GameStanding standing;
  standing.game = game;
  standing.matches = matches.size();
  for (const MatchResult* match : matches) standing.aborted += match->counts() ? 0 : 1;
  add_completed(matches, standing);
  for (const PlayedBlock* block : blocks) {
    standing.fixed_sum = block->fixed_sum;
    standing.blocks += block->complete ? 1 : 0;
  }
  standing.players = player_standings(players, matches, blocks);
  return standing;
}

/// `blocks`: those that both played in.
Comparison compare(const std::string& first, const std::string& second, const std::string& game,
                   const Blocks& blocks) {
  Comparison comparison;
  comparison.game = game;
  comparison.first = first;
  comparison.second = second;
  comparison.first_tally = tally_of(first, blocks);
  comparison.second_tally = tally_of(second, blocks);
  Scores advantages;
  for (const PlayedBlock* block : blocks) {
    advantages.add(*advantage(*block, first, second), block->fixed_sum);
  }
  comparison.advantage = advantages.estimate();
  comparison.elo = advantages.elo();
  return comparison;
}

void compare_all(const StandingsInput& input, const std::map<std::string, Blocks>& by_game,
                 Standings& standings) {
  const auto& players = input.players;
  for (std::size_t i = 0; i < players.size(); ++i) {
    for (std::size_t k = i + 1; k < players.size(); ++k) {
      Blocks met;
      for (const std::string& game : input.games) {
        Blocks here;
        for (const PlayedBlock* block : by_game.at(game)) {
          if (advantage(*block, players[i], players[k])) here.push_back(block);
        }
        if (here.empty()) continue;
        standings.pairs_by_game.push_back(compare(players[i], players[k], game, here));
        met.insert(met.end(), here.begin(), here.end());
      }
      if (!met.empty()) standings.pairs.push_back(compare(players[i], players[k], {}, met));
    }
  }
}

}  // namespace

Comparison Comparison::turned() const {
  Comparison other = *this;
  std::swap(other.first, other.second);
  std::swap(other.first_tally, other.second_tally);
  other.advantage.mean = 1 - advantage.mean;
  other.advantage.low = 1 - advantage.high;
  other.advantage.high = 1 - advantage.low;
  if (elo) other.elo = Elo{-elo->difference, -elo->high, -elo->low};
  return other;
}

StandingsInput standings_input(const TournamentPlan& plan, const Shard& shard,
                               std::span<const MatchResult> results) {
  StandingsInput input;
  for (const PlannedPlayer& player : plan.players) input.players.push_back(player.name);
  for (const PlannedGame& game : plan.games) input.games.push_back(game.name);
  input.sprt = plan.sprt;
  input.shard = shard;
  input.results = results;
  return input;
}

Standings standings_of(const StandingsInput& input) {
  const std::vector<PlayedBlock> played = played_blocks(input.results);
  Standings standings;
  Matches matches;
  Blocks blocks;
  std::map<std::string, Matches> matches_by_game;
  std::map<std::string, Blocks> blocks_by_game;
  for (const std::string& game : input.games) blocks_by_game[game];
  for (const MatchResult& match : input.results) {
    matches.push_back(&match);
    matches_by_game[match.game].push_back(&match);
    standings.aborted += match.counts() ? 0 : 1;
  }
  for (const PlayedBlock& block : played) {
    blocks.push_back(&block);
    blocks_by_game[block.game].push_back(&block);
    standings.blocks += block.complete ? 1 : 0;
  }
  standings.matches = matches.size();
  standings.players = player_standings(input.players, matches, blocks);
  for (const std::string& game : input.games) {
    standings.games.push_back(
        game_standing(input.players, game, matches_by_game[game], blocks_by_game[game]));
  }
  compare_all(input, blocks_by_game, standings);
  if (input.sprt && input.players.size() >= 2) {
    standings.sprt =
        sprt_progress(*input.sprt, input.players[0], input.players[1], input.shard, played);
  }
  return standings;
}

CrossTable cross_table(const Standings& standings, const std::string& game) {
  CrossTable table;
  std::map<std::string, std::size_t> place;
  for (const PlayerStanding& player : standings.players) {
    place[player.player] = table.players.size();
    table.players.push_back(player.player);
  }
  table.cells.assign(table.players.size(),
                     std::vector<std::optional<Comparison>>(table.players.size()));
  for (const Comparison& pair : game.empty() ? standings.pairs : standings.pairs_by_game) {
    if (pair.game != game) continue;
    const std::size_t first = place[pair.first], second = place[pair.second];
    table.cells[first][second] = pair;
    table.cells[second][first] = pair.turned();
  }
  return table;
}

}  // namespace ludens::server
