// SPDX-License-Identifier: MIT
// Uniform random playouts of one state at a time.
#pragma once

#include "gdl/machine/machine.h"
#include "gdl/scalar/position.h"

namespace ludens::gdl::scalar {

/// Plays from the current position until the end, until a role has no legal move, or for this many
/// steps, and leaves the position there. Returns the number of steps made; `ended`: whether the end
/// was reached.
class Player {
 public:
  Player(Position& position, std::size_t roles) : position_(position), moves_(roles) {}
  std::uint32_t play(std::uint32_t step_cap, Rng& rng, bool& ended);
  /// Where the last playout ended.
  [[nodiscard]] StateView state() const { return StateView(words_); }
  void start(StateView state) {
    words_.assign(state.words().begin(), state.words().end());
    position_.go_to(state);
  }

 private:
  bool choose(Rng& rng);
  Position& position_;
  std::vector<MoveIndex> moves_;
  std::vector<std::uint64_t> words_;
};

}  // namespace ludens::gdl::scalar
