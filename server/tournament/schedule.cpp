// SPDX-License-Identifier: MIT
#include "server/tournament/schedule.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gdl/machine/rng.h"
#include "gdl/memory/hash.h"

namespace ludens::server {

namespace {

/// Derives seeds that people can type.
std::uint64_t derived_seed(const std::string& text) {
  return 1 + gdl::Rng(gdl::hash_of_text(text)).below(999'999'999);
}

/// All sets of `size` of the first `count` players, in lexicographic order.
std::vector<std::vector<std::size_t>> subsets(std::size_t count, std::size_t size) {
  std::vector<std::vector<std::size_t>> out;
  std::vector<std::size_t> set(size);
  std::iota(set.begin(), set.end(), 0);
  for (;;) {
    out.push_back(set);
    std::size_t at = size;
    while (at > 0 && set[at - 1] == count - size + at - 1) --at;
    if (at == 0) return out;
    ++set[at - 1];
    for (; at < size; ++at) set[at] = set[at - 1] + 1;
  }
}

/// The number of players at a table.
std::size_t table_size(const TournamentPlan& plan, const PlannedGame& game) {
  const std::size_t players = plan.players.size(), seats = game.seats();
  if (seats == 1) return players;
  const std::size_t size = std::min(seats, players);
  return plan.table_size == 0 ? size : std::min(size, plan.table_size);
}

std::vector<std::vector<std::size_t>> tables(const TournamentPlan& plan, const PlannedGame& game) {
  const std::size_t size = table_size(plan, game);
  if (size == 0) return {};
  auto out = subsets(plan.players.size(), size);
  if (plan.format == Format::Gauntlet) {
    std::erase_if(out, [](const auto& table) { return table.front() != 0; });
  }
  return out;
}

}  // namespace

Schedule::Schedule(const TournamentPlan& plan) : seed_(plan.seed), rounds_(plan.rounds) {
  for (const PlannedGame& game : plan.games) {
    games_.push_back({game.name, game.hash, tables(plan, game)});
    blocks_a_round_ += games_.back().tables.size();
    for (const auto& table : games_.back().tables) matches_a_round_ += table.size();
  }
}

std::size_t Schedule::blocks(const Shard& shard) const {
  return (blocks() + shard.count - shard.index) / shard.count;
}

std::size_t Schedule::matches(const Shard& shard) const {
  if (shard.count == 1) return rounds_ * matches_a_round_;
  std::size_t sum = 0;
  for (std::size_t number = shard.index - 1; number < blocks(); number += shard.count) {
    const auto [game, table] = find(number);
    sum += games_[game].tables[table].size();
  }
  return sum;
}

std::size_t Schedule::most_tables() const {
  std::size_t most = 0;
  for (const Game& game : games_) most = std::max(most, game.tables.size());
  return most;
}

std::pair<std::size_t, std::size_t> Schedule::find(std::size_t number) const {
  std::size_t game = 0, table = number % blocks_a_round_;
  while (table >= games_[game].tables.size()) table -= games_[game++].tables.size();
  return {game, table};
}

Block Schedule::block(std::size_t number) const {
  Block block;
  block.number = number;
  block.round = number / blocks_a_round_;
  const auto [index, table] = find(number);
  block.game = index;
  const Game& game = games_[index];
  block.order = game.tables[table];
  block.seed = derived_seed(std::to_string(seed_) + " " + game.name + " " + game.hash + " " +
                            std::to_string(table) + " " + std::to_string(block.round));
  if (block.order.size() > 2) {
    gdl::Rng rng(block.seed);
    for (std::size_t i = block.order.size() - 1; i > 0; --i) {
      std::swap(block.order[i], block.order[rng.below(static_cast<std::uint32_t>(i + 1))]);
    }
  }
  return block;
}

std::size_t most_seats(const TournamentPlan& plan, const PlannedGame& game) {
  const std::size_t players = table_size(plan, game);
  return players == 0 ? 0 : (game.seats() + players - 1) / players;
}

std::vector<std::optional<std::size_t>> seats(const PlannedGame& game, const Block& block,
                                              std::size_t rotation) {
  std::vector<std::optional<std::size_t>> out;
  std::size_t seat = rotation;
  for (const bool chance : game.chance) {
    out.push_back(chance ? std::nullopt : std::optional(block.order[seat++ % block.size()]));
  }
  return out;
}

std::string match_id(const std::string& tournament, const Block& block, std::size_t rotation) {
  return tournament + "." + std::to_string(block.number) + "." + std::to_string(rotation);
}

std::uint64_t player_seed(const Block& block, const PlannedPlayer& player, std::size_t own_seat) {
  const std::string seat = own_seat == 0 ? "" : " " + std::to_string(own_seat);
  return derived_seed(std::to_string(block.seed) + " " + player.name + seat);
}

}  // namespace ludens::server
