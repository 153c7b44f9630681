// SPDX-License-Identifier: MIT
// Finds out by trial whether a playout policy helps in a game.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gdl/policy/policy_machine.h"
#include "search/mcts/playout_contestant.h"
#include "search/strategy/thinking_time.h"

namespace ludens::search::mcts {

/// Measures how often there is a winning move, builds what policies the game has, and plays short
/// matches of each against uniform playouts, and of those that win against each other, within the
/// time until a deadline. Both sides make as many playouts per move as they would in the same time.
/// If there is no time for matches, it takes half blocking if the game has it, otherwise making
/// winning moves. If roles move simultaneously it takes avoidance, the only policy that is tried
/// there. These won in nearly all games that were measured (search/EXPERIMENTS.md, "Playout
/// policies"). Where most moves could keep the turn, none is taken unseen: a search with a policy
/// sees threats a few turns ahead, and puts them off by moves that keep the turn until none is
/// left.
class PolicyTrial {
 public:
  struct Result {
    std::shared_ptr<const gdl::Machine> player;
    std::string why;
  };

  PolicyTrial(gdl::PolicyWorkshop& workshop, const Position& position, const Deadline& end,
              gdl::MemoryBudget* memory, MakeSearch make_search)
      : workshop_(workshop),
        position_(position),
        end_(end),
        memory_(memory),
        make_search_(std::move(make_search)) {}

  /// nullopt if there was not enough time for anything.
  std::optional<Result> run();

 private:
  struct Candidate {
    std::string_view name;
    std::shared_ptr<const gdl::Machine> machine;
    std::unique_ptr<Contestant> contestant = nullptr;
    Score score = {};
  };

  [[nodiscard]] Result uniform(std::string why) const;
  [[nodiscard]] double most_legal_moves() const;
  std::optional<Result> without_matches();
  bool build();
  bool set_up();
  void play();
  [[nodiscard]] Result verdict() const;
  [[nodiscard]] const Candidate* usual() const;
  [[nodiscard]] std::span<Candidate> policies() { return std::span(candidates_).subspan(1); }
  [[nodiscard]] std::span<const Candidate> policies() const {
    return std::span(candidates_).subspan(1);
  }
  [[nodiscard]] Seconds left() const;

  gdl::PolicyWorkshop& workshop_;
  const Position& position_;
  const Deadline& end_;
  gdl::MemoryBudget* memory_;
  MakeSearch make_search_;
  std::span<const gdl::PlayoutPolicy> tried_;
  std::vector<Candidate> candidates_;  // the first is uniform
  const Candidate* best_ = nullptr;    // of those that are surely better than it
  bool may_keep_turn_ = false;         // in so many states that no policy is taken unseen
  std::string log_;
};

}  // namespace ludens::search::mcts
