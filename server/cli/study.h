// SPDX-License-Identifier: MIT
// A position to study: the common part of `think`, `solve` and `explain`.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gdl/machine/machine.h"
#include "gdl/text/error.h"
#include "search/solve/solve.h"
#include "search/strategy/strategy.h"
#include "server/cli/commands.h"
#include "server/cli/exit_code.h"
#include "server/cli/interrupt.h"
#include "server/cli/prepared_machine.h"
#include "server/game/position.h"

namespace ludens::server {

/// Whether work on a position may begin on the interpreter while a faster machine is being built.
enum class Pace : std::uint8_t {
  AtOnce,    // a short wait for the machine, then it does
  OneAlone,  // the work depends on the machine: a long wait, and what is not ready then never is
};

/// A position with a machine, a role that has moves there, and the limits of the study. Signals end
/// it, from the reading of the rules on; what is known by then is shown.
class Study {
 public:
  /// Errors go to standard error, beginning with `command`. Without a cap on the time, the
  /// machine is awaited.
  static gdl::Result<std::unique_ptr<Study>, Failure> open(const std::string& command,
                                                           const StudyOptions& options,
                                                           const std::string& machine,
                                                           Pace pace = Pace::AtOnce);

  /// Works on `position()` until the deadline, or until it has ended for good, as it then returns.
  using Work = std::function<bool(const search::Deadline&)>;
  /// Calls `work`, and again each time a faster machine is ready, to which the position is moved
  /// before.
  void run(const search::Deadline& deadline, const Work& work);
  /// Solves the position as `search::solve` does, on these machines.
  search::Solution solve(search::SolveMethod method, const search::Deadline& deadline,
                         search::Policy* policy, bool all_moves);
  /// On which machine the work was done, if not on the same from the beginning; empty otherwise.
  [[nodiscard]] std::string pace() const { return machine_.summary(); }

  [[nodiscard]] const search::Position& position() const { return position_; }
  /// If the rules hide something, replaces the position by the likeliest one that fits what its
  /// role knows, as a search needs it. Takes a quarter of the time at most; false, and the position
  /// stays as it is, if none was found in it.
  bool believe(const search::Deadline& deadline);
  /// The legal moves of its role in the true position, ascending.
  [[nodiscard]] const std::vector<gdl::MoveId>& legal() const { return legal_; }
  [[nodiscard]] const gdl::Machine& machine() const { return *position_.machine; }
  [[nodiscard]] std::string role_name() const { return machine().role_name(position_.role); }
  /// Safe while `run` works in another thread.
  [[nodiscard]] std::string move_name(gdl::MoveId move) const;
  /// The moves of the roles that have a choice, along joint moves from the position on; of all
  /// roles if none has. At most this many steps.
  [[nodiscard]] std::string line_text(gdl::JointMove variation, std::size_t steps) const;
  /// `( m1 m2 )`.
  [[nodiscard]] std::string joint_move_name(gdl::JointMove moves) const;
  [[nodiscard]] gdl::MemoryBudget& memory() { return memory_; }
  /// So many seconds after the command began, but at least a quarter of them from now on; 0: only a
  /// signal ends it.
  [[nodiscard]] search::Deadline deadline(double seconds) const;

 private:
  explicit Study(const StudyOptions& options);
  int load(const std::string& command, const StudyOptions& options, const std::string& machine,
           Pace pace);
  int find_role(const std::string& command, const std::string& name);
  int make_moves(const std::string& command, const StudyOptions& options);
  void ask_decider(const Position& here);

  Interrupt interrupt_;
  const std::chrono::steady_clock::time_point begun_;
  search::Deadline limit_;
  gdl::MemoryBudget memory_;
  std::shared_ptr<gdl::Vocabulary> vocabulary_;
  search::Position position_;
  std::vector<gdl::MoveId> legal_;
  PreparedMachine machine_;
};

/// "of 5 s, " for a progress line; empty if nothing caps the time.
std::string cap_text(double seconds);

}  // namespace ludens::server
