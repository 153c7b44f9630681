// SPDX-License-Identifier: MIT
// What `auto` does where the others can't touch what counts for the role.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "search/auto/sub_strategy.h"
#include "search/factors/solo_game.h"
#include "search/strategy/factory.h"

namespace ludens::search {

/// Plays the part of the game that counts for the role as a game for one, by `puzzle`. Random plays
/// have to show that the others have no say in it; where the match shows that they have, it is left
/// for good. What it finds is no proof. One thread.
class SoloPlay {
 public:
  using PuzzleFactory = std::function<std::unique_ptr<Strategy>()>;
  /// `make`: the strategy for one role, called once if it is needed.
  explicit SoloPlay(PuzzleFactory make) : make_(std::move(make)) {}

  /// Chooses a move and publishes it, with all of the time if it takes it. False if this is no such
  /// game: nothing was published. A legal move must have been published before.
  bool think(const Position& position, const Deadline& deadline, gdl::MemoryBudget* memory,
             gdl::Rng& rng, Incumbent& incumbent);
  [[nodiscard]] const std::string& explanation() const { return explanation_; }

 private:
  void look_at(const Position& position, const Deadline& deadline, gdl::MemoryBudget* memory,
               gdl::Rng& rng);
  bool catch_up(const Position& position);
  void publish(Choice choice, Incumbent& incumbent) const;

  PuzzleFactory make_;
  std::optional<SubStrategy> puzzle_;
  std::string explanation_;

  std::shared_ptr<gdl::Vocabulary> match_;
  std::shared_ptr<const gdl::Machine>
      machine_;  // for which it was decided whether this is such a game
  gdl::RoleIndex role_ = 0;
  bool left_ = false;                        // for the rest of the match
  std::unique_ptr<factors::SoloGame> game_;  // null: it is not
  // The whole game up to the last position, and the role's moves in its part.
  std::vector<gdl::MoveId> history_, own_history_;
  gdl::State state_;
};

}  // namespace ludens::search
