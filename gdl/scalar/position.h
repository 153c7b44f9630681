// SPDX-License-Identifier: MIT
// One state of a game at a time, moved about: what the scalar machine works in.
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

/// Remembers the state it is at: going to a state close by, one step forth or back, can cost no
/// more than what changes. One thread.
class Position {
 public:
  virtual ~Position() = default;

  virtual void go_to(StateView state) = 0;
  [[nodiscard]] virtual bool terminal() = 0;
  [[nodiscard]] virtual std::uint32_t legal_count(RoleIndex role) = 0;
  /// The k-th legal move, ascending; k < legal_count.
  [[nodiscard]] virtual MoveIndex legal_at(RoleIndex role, std::uint32_t k) = 0;
  /// All of them, ascending.
  virtual void legal(RoleIndex role, std::vector<MoveIndex>& out) = 0;
  /// Words of the state that follows, one move (or kNoMove) for each role. The position stays where
  /// it is.
  virtual void next(std::span<const MoveIndex> moves, std::vector<std::uint64_t>& out) = 0;
};

/// What all positions of one game share. Immutable, used by many threads; outlives its positions.
class Engine {
 public:
  virtual ~Engine() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::unique_ptr<Position> position() const = 0;
  /// What it holds; the program that it was made of is not its own.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

}  // namespace ludens::gdl::scalar
