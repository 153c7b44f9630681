// SPDX-License-Identifier: MIT
#include "server/tournament/schedule.h"

#include <algorithm>
#include <utility>

#include "gdl/machine/rng.h"
#include "gdl/memory/hash.h"

namespace ludens::server {

namespace {

/// Derives seeds that people can type.
std::uint64_t derived_seed(const std::string& text) {
  return 1 + gdl::Rng(gdl::hash_of_text(text)).below(999'999'999);
}

/// How many sets of `size` elements there are of `count`; kMost + 1 if there are more than kMost.
std::size_t count_subsets(std::size_t count, std::size_t size) {
  if (size > count) return 0;
  size = std::min(size, count - size);
  std::size_t sets = 1;
  for (std::size_t i = 0; i < size; ++i) {
    if (sets > kMost) return kMost + 1;
    sets = sets * (count - i) / (i + 1);
  }
  return std::min(sets, kMost + 1);
}

/// The set of that number, of all of the first `count` numbers in lexicographic order.
std::vector<std::size_t> subset(std::size_t count, std::size_t size, std::size_t number) {
  std::vector<std::size_t> set;
  for (std::size_t element = 0; set.size() < size; ++element) {
    const std::size_t with = count_subsets(count - element - 1, size - set.size() - 1);
    if (number < with) {
      set.push_back(element);
    } else {
      number -= with;
    }
  }
  return set;
}

/// The number of players at a table.
std::size_t table_size(const TournamentPlan& plan, const PlannedGame& game) {
  const std::size_t players = plan.players.size(), seats = game.seats();
  if (seats == 1) return players;
  const std::size_t size = std::min(seats, players);
  return plan.table_size == 0 ? size : std::min(size, plan.table_size);
}

/// The number of tables of a game; kMost + 1 if there are more than kMost.
std::size_t count_tables(const TournamentPlan& plan, const PlannedGame& game) {
  const std::size_t size = table_size(plan, game);
  if (size == 0) return 0;
  const std::size_t taken = plan.format == Format::Gauntlet ? 1 : 0;
  return count_subsets(plan.players.size() - taken, size - taken);
}

}  // namespace

std::optional<std::string> too_many_matches(const TournamentPlan& plan) {
  std::size_t matches = 0;
  for (const PlannedGame& game : plan.games) {
    const std::size_t size = std::max<std::size_t>(table_size(plan, game), 1);
    const std::size_t tables = count_tables(plan, game);
    if (tables > (kMost - matches) / size) {
      return "a round has more than " + std::to_string(kMost) +
             " matches: a smaller table-size or fewer players make fewer tables";
    }
    matches += tables * size;
  }
  return std::nullopt;
}

Schedule::Schedule(const TournamentPlan& plan)
    : seed_(plan.seed),
      rounds_(plan.rounds),
      players_(plan.players.size()),
      gauntlet_(plan.format == Format::Gauntlet) {
  for (const PlannedGame& game : plan.games) {
    const Game& added = games_.emplace_back(
        Game{game.name, game.hash, table_size(plan, game), count_tables(plan, game)});
    blocks_a_round_ += added.tables;
    matches_a_round_ += added.tables * added.table_size;
  }
}

std::vector<std::size_t> Schedule::table(const Game& game, std::size_t number) const {
  if (!gauntlet_) return subset(players_, game.table_size, number);
  std::vector<std::size_t> players{0};
  for (const std::size_t other : subset(players_ - 1, game.table_size - 1, number)) {
    players.push_back(other + 1);
  }
  return players;
}

std::size_t Schedule::blocks(const Shard& shard) const {
  return (blocks() + shard.count - shard.index) / shard.count;
}

std::size_t Schedule::matches(const Shard& shard) const {
  if (shard.count == 1) return rounds_ * matches_a_round_;
  std::size_t sum = 0;
  for (std::size_t number = shard.index - 1; number < blocks(); number += shard.count) {
    const std::size_t game = find(number).first;
    sum += games_[game].table_size;
  }
  return sum;
}

std::size_t Schedule::most_tables() const {
  std::size_t most = 0;
  for (const Game& game : games_) most = std::max(most, game.tables);
  return most;
}

std::pair<std::size_t, std::size_t> Schedule::find(std::size_t number) const {
  std::size_t game = 0, table = number % blocks_a_round_;
  while (table >= games_[game].tables) table -= games_[game++].tables;
  return {game, table};
}

Block Schedule::block(std::size_t number) const {
  Block block;
  block.number = number;
  block.round = number / blocks_a_round_;
  const auto [index, table_number] = find(number);
  block.game = index;
  const Game& game = games_[index];
  block.order = table(game, table_number);
  block.seed = derived_seed(std::to_string(seed_) + " " + game.name + " " + game.hash + " " +
                            std::to_string(table_number) + " " + std::to_string(block.round));
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
