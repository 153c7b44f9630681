// SPDX-License-Identifier: MIT
// A movable position in a game, in which the scalar machine works.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "gdl/machine/state.h"
#include "gdl/machine/vocabulary.h"

namespace ludens::gdl::scalar {

/// An index into `Program::moves`.
using MoveIndex = std::uint32_t;
inline constexpr MoveIndex kNoMove = 0xffffffff;

/// Remembers its current state: going to a nearby state, one step forward or back, can cost no more
/// than what changes. For one thread.
class Position {
 public:
  virtual ~Position() = default;

  virtual void go_to(StateView state) = 0;
  [[nodiscard]] virtual bool terminal() = 0;
  [[nodiscard]] virtual std::uint32_t legal_count(RoleIndex role) = 0;
  /// The k-th legal move, ascending; k < legal_count.
  [[nodiscard]] virtual MoveIndex legal_at(RoleIndex role, std::uint32_t k) = 0;
  /// All legal moves, ascending.
  virtual void legal(RoleIndex role, std::vector<MoveIndex>& out) = 0;
  /// Computes the words of the next state, given one move (or kNoMove) for each role. The position
  /// does not move.
  virtual void next(std::span<const MoveIndex> moves, std::vector<std::uint64_t>& out) = 0;
};

/// The data that all positions of one game share. Immutable, used by many threads; must outlive its
/// positions.
class Engine {
 public:
  virtual ~Engine() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::unique_ptr<Position> position() const = 0;
  /// The memory that each position takes.
  [[nodiscard]] virtual std::size_t position_bytes() const = 0;
  /// The memory that it holds, without the program from which it was made.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

}  // namespace ludens::gdl::scalar
