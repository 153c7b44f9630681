// SPDX-License-Identifier: MIT
// Which policy the playouts of a search follow.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "gdl/policy/policy_machine.h"
#include "search/mcts/playout_contestant.h"
#include "search/strategy/strategy.h"

namespace ludens::search::mcts {

/// Decides once per machine: for the requested policy, if the game has it, or for what a trial
/// recommends. If the time was too little, it tries again when there is twice as much. Not
/// thread-safe.
class PlayoutPolicyChoice {
 public:
  /// `policy`: a name of `gdl::kPlayoutPolicies`, or auto. `by_counts`: nothing may depend on the
  /// clock; auto is then uniform. The trial plays its matches between searches made by
  /// `make_search`. What `decided_before` says takes the place of a trial.
  PlayoutPolicyChoice(std::string policy, bool by_counts, MakeSearch make_search,
                      PlayoutProvider decided_before = {})
      : wanted_(std::move(policy)),
        by_counts_(by_counts),
        make_search_(std::move(make_search)),
        decided_before_(std::move(decided_before)) {}

  /// Starts with another machine, for which nothing is decided.
  void reset(std::shared_ptr<const gdl::Machine> machine);
  [[nodiscard]] bool decided() const { return decided_; }
  void decide(const Position& position, const Deadline& deadline, gdl::MemoryBudget* memory);
  /// What was decided for this machine.
  [[nodiscard]] std::optional<PlayoutMachine> decision(const gdl::Machine& machine) const;

  /// The machine that makes the playouts: the machine itself, or one with the same states.
  [[nodiscard]] const std::shared_ptr<const gdl::Machine>& player() const { return player_; }
  /// What was decided and why; empty if there was nothing to decide.
  [[nodiscard]] const std::string& explanation() const { return explanation_; }

 private:
  void settle(std::shared_ptr<const gdl::Machine> player, std::string why);
  void build(gdl::PlayoutPolicy policy, const gdl::Limits& limits);
  void drop_ground_rules() const;

  std::string wanted_;
  bool by_counts_;
  MakeSearch make_search_;
  PlayoutProvider decided_before_;
  bool decided_ = true;
  unsigned attempts_ = 0;
  TimePoint::duration too_little_{};  // for the last attempt
  std::shared_ptr<const gdl::Machine> machine_, player_;
  std::unique_ptr<gdl::PolicyWorkshop> workshop_;  // while nothing is decided
  std::string explanation_;
};

}  // namespace ludens::search::mcts
