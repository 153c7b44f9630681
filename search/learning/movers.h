// SPDX-License-Identifier: MIT
// Which role chooses in a state.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "gdl/machine/machine.h"

namespace ludens::search {

/// Finds it from the legal moves only, never from a control fluent. Immutable.
class Movers {
 public:
  /// `waits`: [role], ascending: moves that were seen to be its only move while another role had a
  /// choice.
  explicit Movers(std::vector<std::vector<gdl::MoveId>> waits) : waits_(std::move(waits)) {}

  [[nodiscard]] std::size_t role_count() const { return waits_.size(); }
  [[nodiscard]] const std::vector<std::vector<gdl::MoveId>>& waits() const { return waits_; }

  /// The only role with several legal moves; if all have one, the only role whose move is not a
  /// waiting move. role_count() if there is no such role or several. `legal(role)` are its moves.
  template <typename Legal>
  [[nodiscard]] std::size_t find(Legal legal) const {
    std::size_t choosing = 0, mover = role_count();
    for (gdl::RoleIndex role = 0; role < role_count(); ++role) {
      if (legal(role).size() < 2) continue;
      ++choosing;
      mover = role;
    }
    if (choosing > 0) return choosing == 1 ? mover : role_count();
    for (gdl::RoleIndex role = 0; role < role_count(); ++role) {
      const auto& moves = legal(role);
      if (moves.empty() || std::ranges::binary_search(waits_[role], moves[0])) continue;
      ++choosing;
      mover = role;
    }
    return choosing == 1 ? mover : role_count();
  }
  [[nodiscard]] std::size_t of(const std::vector<std::vector<gdl::MoveId>>& legal) const {
    return find([&](gdl::RoleIndex role) -> const auto& { return legal[role]; });
  }
  /// The same for the state after a pair of a batch.
  [[nodiscard]] std::size_t of(const gdl::Expansion& expansion, std::size_t pair) const {
    return find([&](gdl::RoleIndex role) { return expansion.legal(pair, role, waits_.size()); });
  }

 private:
  std::vector<std::vector<gdl::MoveId>> waits_;
};

}  // namespace ludens::search
