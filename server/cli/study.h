// SPDX-License-Identifier: MIT
// A position to study: the common part of `think`, `solve` and `explain`.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gdl/machine/machine.h"
#include "gdl/text/error.h"
#include "search/strategy/strategy.h"
#include "server/cli/commands.h"
#include "server/cli/exit_code.h"
#include "server/cli/interrupt.h"
#include "server/game/position.h"

namespace ludens::server {

/// A position with a machine, a role that has moves there, and the limits of the study. Ctrl-C ends
/// it; what is known by then is shown.
class Study {
 public:
  /// Errors go to standard error, beginning with `command`.
  static gdl::Result<std::unique_ptr<Study>, Failure> open(const std::string& command,
                                                           const StudyOptions& options,
                                                           const std::string& machine);

  [[nodiscard]] const search::Position& position() const { return position_; }
  /// If the rules hide something, replaces the position by the likeliest one that fits what its
  /// role knows, as a search needs it. Takes a quarter of the time at most; false, and the position
  /// stays as it is, if none was found in it.
  bool believe(const search::Deadline& deadline);
  /// The legal moves of its role in the true position, ascending.
  [[nodiscard]] const std::vector<gdl::MoveId>& legal() const { return legal_; }
  [[nodiscard]] const gdl::Machine& machine() const { return *position_.machine; }
  [[nodiscard]] std::string role_name() const { return machine().role_name(position_.role); }
  [[nodiscard]] std::string move_name(gdl::MoveId move) const;
  /// The moves of the roles that have a choice, along joint moves from the position on; of all
  /// roles if none has. At most this many steps.
  [[nodiscard]] std::string line_text(gdl::JointMove variation, std::size_t steps) const;
  /// `( m1 m2 )`.
  [[nodiscard]] std::string joint_move_name(gdl::JointMove moves) const;
  [[nodiscard]] gdl::MemoryBudget& memory() { return memory_; }
  /// From now on; `seconds` caps it further, 0: no cap.
  [[nodiscard]] search::Deadline deadline(double seconds) const;

 private:
  Study(const StudyOptions& options, std::shared_ptr<const gdl::Machine> machine);
  int find_role(const std::string& command, const std::string& name);
  int make_moves(const std::string& command, const StudyOptions& options);
  void ask_decider(const Position& here);

  Interrupt interrupt_;
  search::Deadline interrupted_;
  gdl::MemoryBudget memory_;
  search::Position position_;
  std::vector<gdl::MoveId> legal_;
};

/// "of 5 s, " for a progress line; empty if nothing caps the time.
std::string cap_text(double seconds);

}  // namespace ludens::server
