// SPDX-License-Identifier: MIT
// What a caller of an environment gets, in all forms.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "gdl/environment/vector_environment.h"

namespace ludens::gdl::tests {

/// The caller's arrays for all results of an environment.
struct EnvironmentArrays {
  explicit EnvironmentArrays(const VectorEnvironment& environment)
      : game(*environment.game()),
        slots(environment.slots()),
        players(game.player_count()),
        actions(slots * players),
        rewards(slots * players),
        terminated(slots),
        truncated(slots),
        states(slots * game.state_plan().words()),
        mask_bits(slots * game.mask_plan().words()),
        bytes(slots * game.state_plan().size()),
        floats(slots * game.state_plan().size()),
        mask(slots * game.mask_plan().size()) {}

  [[nodiscard]] std::vector<View> views() {
    return {{&game.state_plan(), RowForm::Bits, states.data()},
            {&game.state_plan(), RowForm::Bytes, bytes.data()},
            {&game.state_plan(), RowForm::Floats, floats.data()},
            {&game.mask_plan(), RowForm::Bits, mask_bits.data()},
            {&game.mask_plan(), RowForm::Bytes, mask.data()}};
  }
  [[nodiscard]] StepResults results() {
    return {rewards.data(), terminated.data(), truncated.data()};
  }
  [[nodiscard]] bool fluent(std::size_t slot, std::size_t number) const {
    return bytes[slot * game.state_plan().size() + number] != 0;
  }
  [[nodiscard]] bool legal(std::size_t slot, std::size_t player, std::size_t action) const {
    return mask[slot * game.mask_plan().size() + game.mask_begin(player) + action] != 0;
  }
  /// The forms of one row say the same.
  void expect_forms_agree() const {
    const std::size_t size = game.state_plan().size(), words = game.state_plan().words();
    const std::size_t mask_size = game.mask_plan().size(), mask_words = game.mask_plan().words();
    for (std::size_t s = 0; s < slots; ++s) {
      for (std::size_t i = 0; i < words * 64; ++i) {
        const bool bit = (states[s * words + i / 64] >> (i % 64) & 1) != 0;
        ASSERT_EQ(bit, i < size && bytes[s * size + i] != 0);
        if (i < size) {
          ASSERT_EQ(bit ? 1.0F : 0.0F, floats[s * size + i]);
        }
      }
      for (std::size_t i = 0; i < mask_words * 64; ++i) {
        const bool bit = (mask_bits[s * mask_words + i / 64] >> (i % 64) & 1) != 0;
        ASSERT_EQ(bit, i < mask_size && mask[s * mask_size + i] != 0);
      }
    }
  }

  const EnvironmentGame& game;
  std::size_t slots, players;
  std::vector<std::int32_t> actions;
  std::vector<float> rewards;
  std::vector<std::uint8_t> terminated, truncated;
  std::vector<std::uint64_t> states, mask_bits;
  std::vector<std::uint8_t> bytes;
  std::vector<float> floats;
  std::vector<std::uint8_t> mask;
};

}  // namespace ludens::gdl::tests
