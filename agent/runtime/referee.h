// SPDX-License-Identifier: MIT
// The game logic of one match: what the rules say of the moves that the host reports.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "agent/message/message.h"
#include "agent/message/moves.h"
#include "agent/runtime/adoption.h"
#include "agent/runtime/hidden_match.h"
#include "agent/runtime/interrupt.h"
#include "agent/runtime/match_memory.h"
#include "agent/runtime/missed_turns.h"
#include "gdl/machine/machine.h"
#include "gdl/rules/rules.h"
#include "search/strategy/strategy.h"

namespace ludens::agent {

/// The rules of a match: as in the START of a host, or already read.
using GivenRules = std::variant<Part, std::shared_ptr<const gdl::Rules>>;

/// Follows one match from START on. All calls must be in one thread, the worker's; calls end early
/// when they are interrupted. Memory is counted against `memory`, separately from the search's, so
/// that a search that has used all that it may does not prevent the referee from deriving a move.
class Referee {
 public:
  using MakeMachine = std::function<std::shared_ptr<const gdl::Machine>(
      std::shared_ptr<gdl::Vocabulary>, const gdl::Limits&)>;

  /// `interrupt` must outlive the referee. `repeatable`: nothing that is derived depends on the
  /// clock.
  Referee(const Interrupt& interrupt, const MatchMemory& memory, MakeMachine make_machine,
          bool repeatable = false);

  /// Reads the rules. Returns a sentence that says why the match can't be played, or nullopt.
  /// Reasons are an unknown role and rules that don't define roles, legal moves or next states. A
  /// derivation that is too large is not a reason, because parts of it may succeed later.
  std::optional<std::string> prepare(const GivenRules& rules, std::string_view role);

  /// Adopts the host's joint move, or what it tells us about it if information is hidden. `sent`:
  /// our own last answer, for guessing missed turns. `match`: whether the match is over with it.
  /// `gap`: whether turns may have been missed although the joint move is legal.
  Adoption adopt(const ReportedMoves& moves, std::optional<gdl::MoveId> sent,
                 search::hidden::MatchPhase match = search::hidden::MatchPhase::GoesOn,
                 Gap gap = Gap::None);
  /// Whether the moves are a legal joint move in the current state; nullopt if that could not be
  /// derived.
  std::optional<bool> is_legal(const ReportedMoves& moves);

  /// Derives the states after all adopted moves; retries what failed before.
  gdl::Status catch_up();
  /// One of our legal moves in the current state, where finding all of them takes longer than
  /// moments; nullopt if it does not, or if none is known. `catch_up` must have returned Ok.
  std::optional<gdl::MoveId> first_own_legal();
  /// Our legal moves in the current state; `catch_up` must have returned Ok.
  gdl::Status own_legal(std::vector<gdl::MoveId>& out);
  /// Whether our role can only wait (`noop`) while another one moves.
  bool waits();
  gdl::Status terminal(bool& out);
  /// Derives the legal moves of all roles, and keeps them for the next joint move.
  void derive_all_legal();
  gdl::Status goals(std::vector<int>& out);
  /// The position after our move `own`, if it alone determines the next state: no other role has a
  /// choice, and the game continues.
  std::optional<search::Position> foresee(gdl::MoveId own);

  /// Whether turns before the state were guessed, or can't be what was told: nothing that follows
  /// from it is proved.
  [[nodiscard]] bool guesses() const { return lost_ || guess_.has_value(); }
  /// Whether the state is certainly the one of the match: false if several fit what we know.
  [[nodiscard]] bool certain() const { return !guesses() && (!hidden_ || hidden_->certain()); }

  /// The current position. If information is hidden, it belongs to a history that fits what our
  /// role knows.
  [[nodiscard]] search::Position position() const;
  [[nodiscard]] const gdl::NormalisedRules& rules() const { return normalised_; }
  [[nodiscard]] const std::shared_ptr<const gdl::Machine>& machine() const { return machine_; }
  /// Flaws of the game found since the last call.
  std::vector<gdl::Flaw> take_flaws();

 private:
  using Joint = std::vector<gdl::MoveId>;
  template <class Call>
  gdl::Status derive(const gdl::StopSignal& stop, const Call& call);
  std::optional<std::string> read(const GivenRules& rules);
  std::optional<std::string> choose_role(std::string_view role);
  gdl::Status legal(gdl::RoleIndex role, const std::vector<gdl::MoveId>*& out,
                    const gdl::StopSignal& stop);
  gdl::Status legal_in(gdl::StateView state, gdl::RoleIndex role, std::vector<gdl::MoveId>& out,
                       const gdl::StopSignal& stop);
  gdl::Result<ReportedTurn> intern(const ReportedMoves& moves);
  gdl::Result<Joint> joint_of(const ReportedTurn& told, const gdl::StopSignal& stop);
  /// Index of the first role that can't make its move, role_count() if all can; nullopt: unknown.
  std::optional<std::size_t> first_illegal(const Joint& joint, const gdl::StopSignal& stop);
  bool doubts(const Joint& joint, std::optional<gdl::MoveId> sent, Gap gap);
  std::optional<MissedTurns::Way> settle(const ReportedTurn& turn, Gap gap,
                                         search::hidden::MatchPhase match);
  AskedRules asked_rules();
  void advance(gdl::State next, const Joint& joint);
  void look();

  const Interrupt& interrupt_;
  const std::shared_ptr<gdl::MemoryBudget> memory_, names_;
  MakeMachine make_machine_;
  const bool repeatable_;
  gdl::NormalisedRules normalised_;
  std::shared_ptr<const gdl::Machine> machine_;
  std::unique_ptr<gdl::Machine::Context> context_;
  gdl::RoleIndex role_ = 0;
  bool begun_ = false;  // whether the initial state is known
  gdl::State state_;
  std::vector<gdl::MoveId> history_;
  std::vector<Joint> ahead_;  // adopted, but the state is not derived yet
  /// Since when the position is guessed, if it is.
  struct Guess {
    MissedTurns missed;
    std::size_t made;  // moves in the history before it
    bool known;        // whether that position was known
  };
  std::optional<Guess> guess_;
  bool lost_ = false;                  // the host has gone on with a move that can't follow
  std::optional<HiddenMatch> hidden_;  // if the rules hide information
  std::vector<std::optional<std::vector<gdl::MoveId>>> legal_;  // of state_, by role
  std::vector<gdl::Flaw> flaws_;
};

}  // namespace ludens::agent
