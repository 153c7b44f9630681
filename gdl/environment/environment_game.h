// SPDX-License-Identifier: MIT
// A game prepared for environments: its network laid out for a kernel, and its spaces.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "gdl/environment/spaces.h"
#include "gdl/kernel/kernel.h"
#include "gdl/machine/machine.h"
#include "gdl/memory/held_memory.h"
#include "gdl/native/generate.h"
#include "gdl/program/program.h"
#include "gdl/program/step_tables.h"
#include "gdl/text/error.h"

namespace ludens::gdl {

/// Which values a row holds, in order.
class RowPlan {
 public:
  [[nodiscard]] std::size_t size() const { return edges_.size(); }
  /// Words of a row of bits.
  [[nodiscard]] std::size_t words() const { return (edges_.size() + 63) / 64; }

 private:
  friend class EnvironmentGame;
  friend class VectorEnvironment;
  std::vector<kernel::Edge> edges_;
  bool playing_only_ = false;  // rows of slots whose episode has ended are 0
};

/// The size in bytes of a row in a given form.
std::size_t row_bytes(const RowPlan& plan, kernel::RowForm form);

/// Immutable: any thread may use it, for any number of environments.
class EnvironmentGame {
 public:
  /// In a plan, stands for a value that is always 0.
  static constexpr std::uint32_t kNothing = 0xffffffff;

  /// Takes milliseconds for most games, seconds for large ones. `lanes`: 64, 128, 256 or 512, or
  /// 0 for the widest that this processor has. Fails if the game has no network: then no row of
  /// bits can hold a state. The limits must outlive the game.
  static Result<std::shared_ptr<const EnvironmentGame>> make(std::shared_ptr<const Machine> machine,
                                                             const Limits& limits = {},
                                                             std::size_t lanes = 0);
  EnvironmentGame(const EnvironmentGame&) = delete;
  EnvironmentGame& operator=(const EnvironmentGame&) = delete;

  [[nodiscard]] const std::shared_ptr<const Machine>& machine() const { return machine_; }
  [[nodiscard]] const Spaces& spaces() const { return spaces_; }
  [[nodiscard]] std::size_t player_count() const { return spaces_.players.size(); }
  [[nodiscard]] std::size_t action_count(std::size_t player) const {
    return spaces_.actions[player].size();
  }
  [[nodiscard]] std::size_t lanes() const { return kernel_.lanes; }

  /// All fluents by number: a state.
  [[nodiscard]] const RowPlan& state_plan() const { return state_plan_; }
  /// Whether each action is legal: those of player 0 by number, then those of player 1, and so on.
  [[nodiscard]] const RowPlan& mask_plan() const { return mask_plan_; }
  /// Where a player's actions begin in a row of the mask.
  [[nodiscard]] std::size_t mask_begin(std::size_t player) const { return mask_begin_[player]; }
  /// Any selection of fluents, by number, or kNothing: a board, for example.
  [[nodiscard]] RowPlan plan(std::span<const std::uint32_t> fluents) const;

  /// A state of the machine as a row of bits of `state_plan`, and back. Rows have no fluents
  /// without a number, which an interpreter keeps: on the way back these are as they are initially.
  /// Those that always hold are right, and nothing depends on the others.
  void from_machine(StateView state, std::span<std::uint64_t> row) const;
  void to_machine(std::span<const std::uint64_t> row, State& state) const;

 private:
  friend class VectorEnvironment;

  EnvironmentGame(std::shared_ptr<const Machine> machine, Program program, Spaces spaces,
                  const kernel::Kernel& kernel, const Limits& limits);
  void add_players();
  void add_plans();
  void number_actions();
  /// False: not enough memory, or stopped.
  bool find_unnumbered(const Limits& limits);
  /// Whether the machine's states are lists of fluents instead of bits.
  [[nodiscard]] bool listed() const { return machine_->network() == nullptr; }
  [[nodiscard]] kernel::Phase phase(Phase which) const;
  [[nodiscard]] std::size_t slots() const { return code_ ? code_->slots() : program_.slots; }
  [[nodiscard]] std::size_t bytes() const;

  struct Player {
    std::vector<std::uint32_t> slots;
    std::vector<kernel::Edge> legal;
  };

  std::shared_ptr<const Machine> machine_;
  Program program_;
  Spaces spaces_;
  const kernel::Kernel& kernel_;
  std::optional<native::GeneratedCode> code_;
  StepTables tables_;
  std::vector<std::uint64_t> initial_;       // words, in the order of the program
  std::vector<std::uint32_t> fluent_slots_;  // [number of fluent]
  // Used if states are lists; otherwise empty.
  std::unordered_map<FluentId, std::uint32_t> numbers_;
  std::vector<FluentId> unnumbered_;  // that hold initially
  std::vector<Player> players_;
  std::vector<kernel::ActionTable> action_tables_;  // [player]
  std::uint32_t chance_ = kernel::Episodes::kNoChooser;
  bool numbered_ = false;
  std::vector<std::size_t> mask_begin_;
  std::vector<kernel::Goal> goals_;  // of players
  RowPlan state_plan_, mask_plan_;
  HeldMemory held_;
};

}  // namespace ludens::gdl
