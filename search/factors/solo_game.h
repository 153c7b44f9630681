// SPDX-License-Identifier: MIT
// The part of a game of several roles that decides what one of them gets, as a game for one role.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gdl/machine/machine.h"
#include "gdl/machine/rng.h"
#include "search/strategy/stopping.h"

namespace ludens::search::factors {

/// Made from a machine with a network, which must outlive it (gdl/network/solo.h). Fluents that do
/// not count for the role are left out, and the others make the first of their moves that counts. A
/// step of the whole game that leaves the part as it is is none of the part. For one thread.
class SoloGame {
 public:
  /// Null if the machine keeps no network, if the role has the game for itself or all of it counts,
  /// or if the limits end it.
  static std::unique_ptr<SoloGame> make(const gdl::Machine& whole, gdl::RoleIndex role,
                                        const gdl::Limits& limits);

  /// Whether what others choose can change the part, as some random plays from a state show. Also
  /// true if these did not end before the deadline.
  [[nodiscard]] bool others_touch_it(gdl::StateView state, const Deadline& deadline, gdl::Rng& rng);

  [[nodiscard]] const std::shared_ptr<const gdl::Machine>& machine() const { return machine_; }
  /// The part of a state of the whole game.
  gdl::Status project(gdl::StateView whole, gdl::State& out);
  /// The next part of a whole joint move. False: the part would have become another one by the
  /// rules of the part alone. `moved`: whether it changed, so that it was a step of the part.
  gdl::Status follow(gdl::StateView whole, gdl::JointMove joint, gdl::State& next, bool& as_told,
                     bool& moved);

  /// Ids of the role's moves in the whole game and in the part; `kNoMove` where there is none.
  [[nodiscard]] gdl::MoveId to_part(gdl::MoveId move) const { return look_up(to_part_, move); }
  [[nodiscard]] gdl::MoveId to_whole(gdl::MoveId move) const { return look_up(to_whole_, move); }

 private:
  SoloGame(const gdl::Machine& whole, gdl::RoleIndex role) : whole_(whole), role_(role) {}
  bool build(const gdl::Limits& limits);
  [[nodiscard]] static gdl::MoveId look_up(const std::vector<gdl::MoveId>& ids, gdl::MoveId move) {
    return move < ids.size() ? ids[move] : gdl::kNoMove;
  }
  bool play_agrees(gdl::StateView state, gdl::Rng& rng);
  bool choices_agree(gdl::StateView state, const std::vector<std::vector<gdl::MoveId>>& legal,
                     std::vector<gdl::MoveId>& joint, gdl::State& next);

  const gdl::Machine& whole_;
  gdl::RoleIndex role_;
  std::shared_ptr<const gdl::Machine> machine_;
  std::unique_ptr<gdl::Machine::Context> in_whole_, in_part_;
  std::vector<std::uint32_t> bits_;              // [fluent of the whole game]: of the part's states
  std::vector<gdl::MoveId> to_part_, to_whole_;  // [move]
  std::vector<gdl::FluentId> fluents_;           // scratch of `project`
  std::vector<gdl::MoveId> legal_;               // scratch of `follow`
};

}  // namespace ludens::search::factors
