// SPDX-License-Identifier: MIT
#include "gdl/machine/rng.h"

#include <bit>

#include "gdl/memory/hash.h"

namespace ludens::gdl {

Rng::Rng(std::uint64_t seed) {
  for (std::uint64_t& word : s_) {
    seed += kHashStart;
    word = scatter(seed);
  }
}

Rng::result_type Rng::operator()() {
  const std::uint64_t result = std::rotl(s_[1] * 5, 7) * 9;
  const std::uint64_t t = s_[1] << 17;
  s_[2] ^= s_[0];
  s_[3] ^= s_[1];
  s_[1] ^= s_[2];
  s_[0] ^= s_[3];
  s_[2] ^= t;
  s_[3] = std::rotl(s_[3], 45);
  return result;
}

std::uint32_t Rng::below(std::uint32_t bound) {
  std::uint64_t product = ((*this)() >> 32) * bound;
  if (static_cast<std::uint32_t>(product) < bound) {
    const std::uint32_t threshold = -bound % bound;
    while (static_cast<std::uint32_t>(product) < threshold) product = ((*this)() >> 32) * bound;
  }
  return static_cast<std::uint32_t>(product >> 32);
}

std::size_t draw_index(std::span<const double> weights, double point) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    last = i;
    point -= weights[i];
    if (point < 0) break;
  }
  return last;
}

}  // namespace ludens::gdl
