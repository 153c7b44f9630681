// SPDX-License-Identifier: MIT
// What `auto` does in games with hidden information.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "search/auto/race.h"
#include "search/auto/sub_strategy.h"
#include "search/hidden/equilibrium.h"
#include "search/strategy/factory.h"

namespace ludens::search {

/// If the whole game fits into the first thinking time and into half of the memory, plays by the
/// equilibrium as soon as it is close to one. Otherwise plays by the search that does best in trial
/// matches in the first thinking time: `ismcts` against others who know the state, unless another
/// is better.
class HiddenPlay {
 public:
  HiddenPlay(const Options& options, const Resources& resources, StrategyFactory make,
             std::uint64_t seed);

  /// A legal move must have been published, and `position.known` must be set.
  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent);
  [[nodiscard]] const std::string& explanation() const { return explanation_; }

 private:
  void find_equilibrium(const Position& position, const Deadline& deadline);
  bool play_by_equilibrium(const Position& position, const Deadline& deadline,
                           Incumbent& incumbent);
  bool publish_by_equilibrium(const Position& position, std::span<const gdl::MoveId> legal,
                              Incumbent& incumbent);
  void choose_search(const Position& position, const Deadline& deadline);
  void search(const Position& position, const Deadline& deadline, Incumbent& incumbent);
  [[nodiscard]] Deadline within(const Deadline& deadline, double share) const;
  [[nodiscard]] bool repeatable() const { return options_.count("playouts") != 0; }

  const Options options_;
  const Resources resources_;
  const StrategyFactory make_;
  gdl::Rng rng_;
  gdl::MemoryBudget memory_;  // for the extensive form
  std::shared_ptr<gdl::Vocabulary> game_;
  std::unique_ptr<hidden::Equilibrium> equilibrium_;
  Racer best_;  // gets the time of each move
  std::optional<SubStrategy> search_;
  std::string why_, compared_, explanation_;
};

/// Choices of all players in a match from here on, by random playouts; 0 if there was no time for
/// them. Where two may choose at once, each joint move counts twice.
double choices_in_match(const Position& position, const Deadline& deadline,
                        gdl::MemoryBudget* memory, gdl::Rng& rng);

}  // namespace ludens::search
