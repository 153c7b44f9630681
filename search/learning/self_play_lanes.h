// SPDX-License-Identifier: MIT
// Many games of self-play in parallel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gdl/machine/machine.h"
#include "search/learning/learning_options.h"
#include "search/learning/sibling_sums.h"
#include "search/learning/training.h"
#include "search/learning/value_function.h"

namespace ludens::search {

/// Plays many games at once, one ply of each at a time: all moves of all games are expanded in one
/// batch, and the successors are evaluated by the weights. When a game ends, the weights learn from
/// it, from its last state back to its first. For one thread.
class SelfPlayLanes {
 public:
  /// All arguments must outlive it. The start must not be terminal.
  SelfPlayLanes(const gdl::Machine& machine, const ValueFunction::Parts& parts, Training& training,
                const LearningOptions& options, std::uint64_t seed);

  /// Makes one ply of each game. After anything but Ok no game has gone on.
  gdl::Status step(gdl::Machine::Context& context);
  [[nodiscard]] const LearningStatistics& statistics() const { return statistics_; }

 private:
  struct Game {
    gdl::State state;
    std::vector<std::vector<gdl::MoveId>> legal;  // [role]
    std::size_t mover = 0;
    std::uint32_t random_plies = 0;  // still to come
    // The states of the game so far.
    std::vector<std::uint16_t> indices;  // [ply * stride]
    std::vector<std::uint32_t> movers;   // [ply]
    std::vector<float> best;             // [ply * outputs]: values after the best move
    std::vector<bool> explored;          // [ply]: whether another move was made
    // Its part of the batch.
    std::size_t first = 0, pairs = 0;

    [[nodiscard]] std::size_t plies() const { return movers.size(); }
  };

  gdl::Status begin(gdl::Machine::Context& context);
  void restart(Game& game);
  void thin_out(Game& game);
  void keep_some(std::vector<gdl::MoveId>& moves, std::size_t most);
  void propose(Game& game);
  void evaluate(const Game& game);
  void evaluate_child(std::size_t pair);
  void choose(Game& game);
  std::size_t choose_alone(Game& game, gdl::RoleIndex role, std::span<float> best);
  std::size_t choose_at_once(Game& game, std::span<float> best);
  std::size_t best_on_average(const Game& game, gdl::RoleIndex role);
  [[nodiscard]] bool is_greedy(std::size_t pair) const;
  [[nodiscard]] bool explores(const Game& game);
  void advance(Game& game, std::size_t pair);
  void finish(Game& game, std::span<float> values, bool cut);

  /// The sum of a pair, on the scale of `logit`.
  [[nodiscard]] float sum(std::size_t pair, std::size_t output) const {
    return sums_[pair * outputs_ + output];
  }
  [[nodiscard]] float role_sum(std::size_t pair, gdl::RoleIndex role) const;
  [[nodiscard]] std::uint32_t below(std::size_t bound) {
    return rng_.below(static_cast<std::uint32_t>(bound));
  }

  const gdl::Machine& machine_;
  const ValueFunction::Parts& parts_;
  Training& training_;
  SiblingSums siblings_;
  const LearningOptions& options_;
  gdl::Rng rng_;
  std::size_t roles_, outputs_, stride_;
  bool begun_ = false;
  Game start_;
  std::vector<Game> games_;
  LearningStatistics statistics_;
  // For the batch.
  std::vector<gdl::MoveId> joints_;     // [pair * roles + role]
  std::vector<std::uint32_t> choices_;  // [pair * roles + role]: which of the role's moves
  std::vector<gdl::StateMove> pairs_;
  gdl::Expansion next_;
  std::vector<std::uint16_t> indices_;  // [pair * stride]
  std::vector<std::uint32_t> movers_;   // [pair]
  std::vector<float> sums_;             // [pair * outputs]
  // For one game at a time.
  std::vector<float> values_;        // [output]
  std::vector<float> worth_;         // [move]
  std::vector<std::size_t> greedy_;  // [role]
};

}  // namespace ludens::search
