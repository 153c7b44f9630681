// SPDX-License-Identifier: MIT
// The seeded generator that is passed to everything that needs randomness, and draws by weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ludens::gdl {

/// xoshiro256** (Blackman and Vigna 2018), seeded by splitmix64. The same seed gives the same
/// numbers on every platform. A UniformRandomBitGenerator; not thread-safe, each thread has its
/// own.
class Rng {
 public:
  using result_type = std::uint64_t;
  explicit Rng(std::uint64_t seed = 1);
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }
  result_type operator()();
  /// Uniform in 0..bound-1, without bias (Lemire 2019). bound > 0.
  std::uint32_t below(std::uint32_t bound);
  /// Uniform in [0, 1).
  double uniform() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t s_[4];
};

/// The index of the weight that contains `point`, 0..their sum, when the weights are laid end to
/// end. A point that by rounding lies behind all of them belongs to the last weight above 0. The
/// weights are not negative, and one is above 0.
std::size_t draw_index(std::span<const double> weights, double point);

}  // namespace ludens::gdl
