// SPDX-License-Identifier: MIT
// A match in which information is hidden: what our role knows, and what fits it.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agent/message/moves.h"
#include "agent/runtime/adoption.h"
#include "agent/runtime/interrupt.h"
#include "gdl/machine/machine.h"
#include "search/hidden/belief.h"
#include "search/strategy/strategy.h"

namespace ludens::agent {

/// Follows the turns of a match by our role's moves and percepts, and keeps a few histories that
/// fit them. There is always at least one: if none is found, the current one continues with a
/// possible turn, so that the match stays in step with the host. For one thread, that of the
/// referee.
class HiddenMatch {
 public:
  /// `memory` must outlive it. `patience`: the processor time in which it searches for histories
  /// that fit a turn; nullopt: as long as it takes, so that nothing depends on the clock.
  HiddenMatch(std::shared_ptr<const gdl::Machine> machine, gdl::RoleIndex role,
              gdl::MemoryBudget* memory, std::optional<std::chrono::milliseconds> patience);

  /// Adopts what the host reported about the last turn. `sent`: our last answer, which was our move
  /// unless the host says otherwise. `match`: whether the match is over with this turn. The result
  /// is Adopted even if `interrupt` ended or the memory prevented it from being followed:
  /// `catch_up` continues with it. While `interrupt` hurries, nothing is searched for.
  Adoption adopt(const Perceived& told, std::optional<gdl::MoveId> sent,
                 search::hidden::MatchPhase match, const Interrupt& interrupt);
  gdl::Status catch_up(const Interrupt& interrupt);

  /// What our role knows: one turn for each turn that was followed.
  [[nodiscard]] const std::vector<search::KnownTurn>& known() const { return known_; }
  /// The state of one history: the likeliest of those that fit, if there are any. At least one turn
  /// must have been followed.
  [[nodiscard]] gdl::StateView state() const { return state_; }
  /// Shorter than what is known if it could not be continued; the state is then an earlier one.
  [[nodiscard]] std::span<const gdl::MoveId> history() const { return history_; }
  /// Our moves that are legal in all histories that fit; nullopt if there are none; then the moves
  /// of the state are as good.
  [[nodiscard]] std::optional<std::vector<gdl::MoveId>> legal() const;
  /// Whether only one history fits: nothing is hidden from us.
  [[nodiscard]] bool certain() const { return fits() && belief_.exact() && belief_.size() == 1; }

 private:
  using Turns = std::vector<search::KnownTurn>;
  struct Report {
    Perceived told;
    std::optional<gdl::MoveId> sent;
    search::hidden::MatchPhase match;
  };
  [[nodiscard]] bool fits() const {
    return !lost_ && belief_.turns() == known_.size() && !belief_.empty();
  }
  gdl::Status follow(const Interrupt& interrupt, Adoption& adoption);
  gdl::Status take(const Report& report, const Interrupt& interrupt, Adoption& adoption);
  [[nodiscard]] std::optional<gdl::MoveId> own_move(const Report& report) const;
  std::optional<search::KnownTurn> read(const Report& report, std::string& problem) const;
  gdl::Status find(const Report& report, const search::KnownTurn& turn, const gdl::StopSignal& stop,
                   Adoption& adoption);
  gdl::Status find_behind_missed(const Report& report, const search::KnownTurn& turn,
                                 const gdl::StopSignal& stop, Adoption& adoption);
  gdl::Status go_on(std::optional<gdl::MoveId> own, const search::KnownTurn* told,
                    search::hidden::MatchPhase match, const gdl::StopSignal& stop, bool& found);
  gdl::Status possible_turns(std::optional<gdl::MoveId> own, const gdl::StopSignal& stop,
                             Turns& out) const;
  gdl::Status attempt(const Turns& turns, search::hidden::MatchPhase match,
                      const gdl::StopSignal& stop, bool& fitting);
  gdl::Status restore(const gdl::StopSignal& stop);
  [[nodiscard]] search::hidden::Belief make_belief() const;
  [[nodiscard]] std::string text_of(const search::KnownTurn& turn, bool impossible) const;

  std::shared_ptr<const gdl::Machine> machine_;
  const gdl::RoleIndex role_;
  gdl::MemoryBudget* memory_;
  search::hidden::Belief belief_;
  const std::optional<std::chrono::milliseconds> patience_;
  bool lost_ = false;  // no fitting history was found, although there may be one
  Turns known_;
  gdl::State state_;
  std::vector<gdl::MoveId> history_;
  std::vector<Report> ahead_;  // reported, and not yet followed
};

}  // namespace ludens::agent
