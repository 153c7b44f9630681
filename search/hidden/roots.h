// SPDX-License-Identifier: MIT
// Where the searches of games with hidden information begin: the histories that may have happened.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "gdl/machine/rng.h"
#include "search/hidden/belief.h"
#include "search/strategy/strategy.h"

namespace ludens::search::hidden {

/// The belief of a strategy, kept from move to move. If everything is known, or if no history that
/// fits could be found, it is only the history of the position. For one thread.
class Roots {
 public:
  explicit Roots(const BeliefOptions& options) : options_(options) {}

  /// Prepares for this position, in at most half of the time. If the machine could not compute the
  /// legal moves, returns false, and nothing else may be called.
  bool take(const Position& position, const Deadline& deadline);

  [[nodiscard]] const Histories& histories() const {
    return alone_ ? single_ : belief_->histories();
  }
  /// Draws a history by the weights.
  [[nodiscard]] std::size_t draw(gdl::Rng& rng) const { return at(rng.uniform()); }
  /// The history at this share of the sum of all weights, 0..1.
  [[nodiscard]] std::size_t at(double share) const { return alone_ ? 0 : belief_->at(share); }
  /// Whether these are all histories that fit.
  [[nodiscard]] bool exact() const { return alone_ ? all_is_seen_ : belief_->exact(); }
  /// Whether no fitting history was found, and one history represents all.
  [[nodiscard]] bool guessed() const { return alone_ && !all_is_seen_; }
  /// Whether all roles know all moves: the game has no `sees`.
  [[nodiscard]] bool all_is_seen() const { return all_is_seen_; }
  /// One clause on how many histories fit, for explanations.
  [[nodiscard]] std::string told() const;

 private:
  bool believe(const Position& position, const Deadline& deadline);
  bool take_alone(const Position& position, const Deadline& deadline);

  BeliefOptions options_;
  std::shared_ptr<gdl::Vocabulary> game_;
  std::optional<Belief> belief_;
  Histories single_;
  bool alone_ = true, all_is_seen_ = true;
};

/// The hash of what a role knows after one more turn: by its percepts, or by all moves.
std::uint64_t known_after(std::uint64_t before, gdl::RoleIndex role, gdl::JointMove joint,
                          std::span<const gdl::PerceptId> percepts, bool all_is_seen);

/// The hash of what the role of a position knows.
std::uint64_t known_in(const Position& position);

}  // namespace ludens::search::hidden
