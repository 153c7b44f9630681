// SPDX-License-Identifier: MIT
// All that follows from a batch of states.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gdl/environment/vector_environment.h"

namespace ludens::gdl {

/// One entry for each joint action of each state, by state and then by action numbers, where the
/// action of the last player changes fastest. Arrays are reused from call to call.
struct Successors {
  std::vector<std::uint32_t> parent;  // index of the state
  std::vector<std::int32_t> actions;  // [successor][player]
  std::vector<std::uint64_t> states;  // [successor][word of state_plan]
  std::vector<std::uint64_t> masks;   // [successor][word of mask_plan]
  std::vector<std::uint8_t> terminal;
  std::vector<float> rewards;  // [successor][player], 0 where not terminal
};

/// Expands states for searches that are written outside this library. One thread at a time may use
/// it.
class Expander {
 public:
  /// Rewards as in VectorOptions. The moves of a role that moves at random are drawn with `seed`,
  /// one for each successor. What `expand` writes is counted against `memory` (null: not counted).
  explicit Expander(std::shared_ptr<const EnvironmentGame> game, float least_reward = 0,
                    float greatest_reward = 1, std::uint64_t seed = 0,
                    MemoryBudget* memory = nullptr);

  /// `states`: `count` rows of state_plan, which are empty if no fluent has a number. A terminal
  /// state has no successors. Throws std::bad_alloc if there is not enough memory for all of them.
  void expand(std::size_t count, std::span<const std::uint64_t> states, Successors& out);

 private:
  void list_actions(std::size_t count, std::span<const std::uint64_t> states, Successors& out);
  void list_joint(std::uint32_t parent, const std::uint64_t* mask, Successors& out);
  void make_room(std::size_t present, std::size_t more);
  void make(std::span<const std::uint64_t> states, std::size_t first, Successors& out);

  std::shared_ptr<const EnvironmentGame> game_;
  VectorEnvironment environment_;
  MemoryBudget* memory_;
  HeldMemory held_;
  std::vector<std::uint32_t> slots_;
  std::vector<std::uint64_t> rows_, masks_;
  std::vector<std::int32_t> actions_;
  std::vector<std::vector<std::int32_t>> legal_;  // [player]
  std::vector<float> rewards_;
  std::vector<std::uint8_t> terminated_;
};

}  // namespace ludens::gdl
