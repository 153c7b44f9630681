// SPDX-License-Identifier: MIT
// A bundled game on its machine, for tests: states, and moves by the text they are written in.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/machine/machine.h"
#include "server/game/rulesheet.h"

namespace ludens {

/// A machine that is asked in one thread without limits. Whatever is not answered throws
/// std::runtime_error.
class PlayedGame {
 public:
  using Moves = std::vector<gdl::MoveId>;

  explicit PlayedGame(const server::Rulesheet& sheet);

  [[nodiscard]] const gdl::Machine& machine() const { return *machine_; }
  [[nodiscard]] std::size_t role_count() const { return machine_->role_count(); }
  [[nodiscard]] gdl::RoleIndex role(std::string_view name) const;
  [[nodiscard]] std::string name(gdl::MoveId move) const;

  [[nodiscard]] gdl::State initial() const;
  [[nodiscard]] Moves legal(gdl::StateView state, gdl::RoleIndex role) const;
  [[nodiscard]] std::vector<std::string> legal_names(gdl::StateView state,
                                                     gdl::RoleIndex role) const;
  [[nodiscard]] std::vector<Moves> legal_of_all(gdl::StateView state) const;
  [[nodiscard]] gdl::State next(gdl::StateView state, const Moves& joint) const;
  [[nodiscard]] std::vector<std::string> percepts(gdl::StateView state, const Moves& joint,
                                                  gdl::RoleIndex role) const;
  [[nodiscard]] bool terminal(gdl::StateView state) const;
  [[nodiscard]] std::vector<int> goals(gdl::StateView state) const;
  [[nodiscard]] std::vector<std::string> fluents(gdl::StateView state) const;

  /// The flaws met so far, one a line.
  [[nodiscard]] std::string flaws() const;

 private:
  std::shared_ptr<const gdl::Machine> machine_;
  std::unique_ptr<gdl::Machine::Context> context_;
};

/// All joint moves of these legal moves, by a call of `visit(joint)` each.
template <typename Visit>
void for_each_joint_move(const std::vector<PlayedGame::Moves>& legal, Visit visit) {
  PlayedGame::Moves joint(legal.size());
  std::vector<std::size_t> at(legal.size(), 0);
  for (const auto& moves : legal) {
    if (moves.empty()) return;
  }
  for (;;) {
    for (std::size_t r = 0; r < legal.size(); ++r) joint[r] = legal[r][at[r]];
    visit(joint);
    std::size_t r = legal.size();
    while (r > 0 && ++at[r - 1] == legal[r - 1].size()) at[--r] = 0;
    if (r == 0) return;
  }
}

}  // namespace ludens
