// SPDX-License-Identifier: MIT
// Which players play which games against each other: all blocks of a tournament, in the order of
// play.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/tournament/plan.h"
#include "server/tournament/result.h"

namespace ludens::server {

/// The same game and seed, played once for each player of the table, with the players moved on by
/// one seat from match to match.
struct Block {
  std::size_t number = 0;  // in the whole schedule
  std::size_t round = 0;
  std::size_t game = 0;            // index into the plan's games
  std::vector<std::size_t> order;  // players of the table (indices into the plan's), in seat order
  std::uint64_t seed = 0;

  [[nodiscard]] std::size_t size() const { return order.size(); }
  [[nodiscard]] BlockPlace place(std::size_t rotation) const {
    return {number, round, rotation, size()};
  }
};

/// Depends only on the plan. It goes round by round through all games, and in each game through all
/// tables, so that every prefix treats games and players equally.
///
/// Seats. The seats of a game are its roles without those of chance. In rotation r of a block, seat
/// i belongs to `order[(i + r) % order.size()]`: over the block each player of the table holds each
/// seat once, whatever the numbers of seats and players. So
///  * a game with one seat is played by each player of the table alone;
///  * a game with as many seats as players at the table is played in all cyclic orders. Who sits
///    behind whom is then always the same, and may matter; so the order is drawn from the block's
///    seed, and no neighbour is to anybody's advantage in expectation;
///  * with fewer players than seats they alternate: two players A and B take three seats as ABA and
///    BAB, four as ABAB and BABA. Exchanging their names leaves the block as it was, so that equal
///    players have equal expectations.
///
/// Tables. Of p players, a game with n > 1 seats has the sets of min(n, p) players, or of the
/// plan's table size if that is less; in a gauntlet those that hold the first player. A game with
/// one seat has one table, with everybody.
///
/// Tables are numbered and never listed: there may be millions of them.
class Schedule {
 public:
  /// The plan must not have `too_many_matches`.
  explicit Schedule(const TournamentPlan& plan);

  [[nodiscard]] std::size_t blocks() const { return rounds_ * blocks_a_round_; }
  /// The number of blocks of one part.
  [[nodiscard]] std::size_t blocks(const Shard& shard) const;
  [[nodiscard]] std::size_t matches(const Shard& shard) const;
  /// The number of tables of the game that has the most.
  [[nodiscard]] std::size_t most_tables() const;
  /// number < blocks().
  [[nodiscard]] Block block(std::size_t number) const;

 private:
  struct Game {
    std::string name;
    std::string hash;
    std::size_t table_size = 0;  // players at a table
    std::size_t tables = 0;
  };

  /// The game of the block, and which of its tables.
  [[nodiscard]] std::pair<std::size_t, std::size_t> find(std::size_t number) const;
  /// The players of one of the game's tables, in the order of the plan.
  [[nodiscard]] std::vector<std::size_t> table(const Game& game, std::size_t number) const;

  std::uint64_t seed_;
  std::size_t rounds_, players_;
  bool gauntlet_;
  std::vector<Game> games_;
  std::size_t blocks_a_round_ = 0, matches_a_round_ = 0;
};

/// A sentence, if a round has more than `kMost` matches.
std::optional<std::string> too_many_matches(const TournamentPlan& plan);

/// The most seats that one player has in a match of the game.
std::size_t most_seats(const TournamentPlan& plan, const PlannedGame& game);

/// By role: the player's index; nullopt if the host plays at random.
std::vector<std::optional<std::size_t>> seats(const PlannedGame& game, const Block& block,
                                              std::size_t rotation);

/// `TOURNAMENT.BLOCK.ROTATION`, both counted from 0.
std::string match_id(const std::string& tournament, const Block& block, std::size_t rotation);

/// The seed of one player in all matches of a block. `own_seat`: which of the player's seats it is
/// for, counted from 0, if the player has several in one match; they must not play in step.
std::uint64_t player_seed(const Block& block, const PlannedPlayer& player,
                          std::size_t own_seat = 0);

}  // namespace ludens::server
