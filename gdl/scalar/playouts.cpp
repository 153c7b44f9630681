// SPDX-License-Identifier: MIT
#include "gdl/scalar/playouts.h"

namespace ludens::gdl::scalar {

std::uint32_t Player::play(std::uint32_t step_cap, Rng& rng, bool& ended) {
  std::uint32_t steps = 0;
  while (!(ended = position_.terminal()) && steps < step_cap && choose(rng)) {
    position_.next(moves_, words_);
    position_.go_to(state());
    ++steps;
  }
  return steps;
}

// False if a role has no legal move.
bool Player::choose(Rng& rng) {
  for (RoleIndex r = 0; r < moves_.size(); ++r) {
    const std::uint32_t count = position_.legal_count(r);
    if (count == 0) return false;
    moves_[r] = position_.legal_at(r, count == 1 ? 0 : rng.below(count));
  }
  return true;
}

}  // namespace ludens::gdl::scalar
