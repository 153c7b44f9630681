// SPDX-License-Identifier: MIT
// Where tables have the moves of a program.
#pragma once

#include <cstddef>
#include <vector>

#include "gdl/memory/held_memory.h"
#include "gdl/program/program.h"

namespace ludens::gdl {

/// Numbers moves by role and id for tables that are looked up by both. Each role has a place for
/// every id from its lowest to its highest: most have ids of their own, next to each other, and a
/// row for all ids would be mostly empty.
class MovePlaces {
 public:
  explicit MovePlaces(const Program& program) {
    for (std::size_t r = 0; r < program.roles(); ++r) {
      const std::uint32_t first = program.first_move[r], end = program.first_move[r + 1];
      Role& role = roles_.emplace_back();
      if (first == end) continue;
      role.lowest = program.moves[first].id;
      role.ids = program.moves[end - 1].id - role.lowest + 1;
      role.begin = count_;
      count_ += role.ids;
    }
  }

  /// How many places there are.
  [[nodiscard]] std::size_t count() const { return count_; }
  /// The place of a move. Place 0, or one without a move, for an id that the role does not have.
  [[nodiscard]] std::size_t of(std::size_t role, MoveId id) const {
    const Role& r = roles_[role];
    const MoveId past = id - r.lowest;
    return past < r.ids ? r.begin + past : 0;
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_of(roles_); }

 private:
  struct Role {
    MoveId lowest = 0;
    std::uint32_t ids = 0;
    std::size_t begin = 0;
  };
  std::vector<Role> roles_;
  std::size_t count_ = 1;
};

}  // namespace ludens::gdl
