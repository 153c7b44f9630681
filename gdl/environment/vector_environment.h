// SPDX-License-Identifier: MIT
// Plays thousands of episodes of a game at once, with actions that the caller chooses.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gdl/environment/environment_game.h"
#include "gdl/environment/worker_team.h"
#include "gdl/memory/held_memory.h"

namespace ludens::gdl {

using kernel::RowForm;

/// When a slot whose episode has ended begins the next one.
enum class Restart : std::uint8_t {
  AtOnce,    // within the step that ends it: what is seen is the new initial state
  NextStep,  // in the following step, whose action is ignored: the last state is seen
  Never,     // it stays as it is until it is reset
};

/// What an action that is not legal does.
enum class OnIllegal : std::uint8_t {
  Refuse,  // nothing is done for any slot
  End,     // the slot's episode terminates, with the least reward for all
};

struct VectorOptions {
  std::uint32_t slots = 1;  // at least 1
  std::uint64_t seed = 0;   // for the moves drawn here: those of `random`, and those that the
                            // caller asks for
  std::uint32_t threads = 1;
  Restart restart = Restart::AtOnce;
  OnIllegal on_illegal = OnIllegal::Refuse;
  std::uint32_t step_cap = 0;  // episodes are truncated after this many steps, at most 16,777,215;
                               // 0: never
  float least_reward = 0;      // for a goal of 0
  float greatest_reward = 1;   // for one of 100
};

/// Rows to write for all slots, [slot][row]: the caller's memory, aligned to 8 bytes for bits and 4
/// for floats.
struct View {
  const RowPlan* plan;
  RowForm form;
  void* to;
};

/// What a step reports for each slot: the caller's memory; null: not wanted.
struct StepResults {
  float* rewards = nullptr;            // [slot][player]: 0 except where the episode terminates
  std::uint8_t* terminated = nullptr;  // [slot]: 1 where the game is over
  std::uint8_t* truncated = nullptr;   // [slot]: 1 where the step cap was reached, or a role had no
                                       // move
};

/// An action that its player may not choose.
struct IllegalAction {
  std::uint32_t slot, player;
  std::int32_t action;
};

/// Any legal action, uniformly.
inline constexpr std::int32_t kAnyAction = -1;

/// Slots, each with an episode of the game. States are kept as the kernel has them, one bit of a
/// register each, and a step allocates nothing. One thread at a time may call it; it uses threads
/// of its own if the options ask for them. Results depend on the seed, not on the number of
/// threads.
///
///     auto game = EnvironmentGame::make(machine);
///     VectorEnvironment environment(*game, {.slots = 8192});
///     environment.look(views);
///     for (;;) environment.step(actions, results, views);
class VectorEnvironment {
 public:
  /// Its memory is counted against `memory` (null: not counted). Throws std::bad_alloc if that is
  /// not enough, and std::invalid_argument for impossible options.
  VectorEnvironment(std::shared_ptr<const EnvironmentGame> game, const VectorOptions& options,
                    MemoryBudget* memory = nullptr);
  ~VectorEnvironment();
  VectorEnvironment(const VectorEnvironment&) = delete;
  VectorEnvironment& operator=(const VectorEnvironment&) = delete;

  [[nodiscard]] const std::shared_ptr<const EnvironmentGame>& game() const { return game_; }
  [[nodiscard]] const VectorOptions& options() const { return options_; }
  [[nodiscard]] std::uint32_t slots() const { return options_.slots; }
  /// False in a process that was forked from the one with the threads: create a new environment
  /// there.
  [[nodiscard]] bool usable() const { return team_.alive(); }
  /// Joint moves made so far, in all slots.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

  /// Puts each slot into the initial state. With a seed, random moves are those of a new
  /// environment.
  void reset(std::optional<std::uint64_t> seed = std::nullopt);
  /// Writes the rows of all slots as they are now.
  void look(std::span<const View> views);
  /// `actions[slot * players + player]`: a number of Spaces, or kAnyAction. The action of an ended
  /// episode is ignored. `last`: rows as they are before slots restart, useful if `restart` is
  /// AtOnce; every step writes them completely. If an action is refused, it is returned, no slot
  /// has moved, and nothing is written.
  std::optional<IllegalAction> step(const std::int32_t* actions, const StepResults& results,
                                    std::span<const View> views, std::span<const View> last = {});
  /// Makes this many steps with random legal actions. Results and rows are those of the last step.
  void roll(std::uint32_t steps, const StepResults& results, std::span<const View> views);
  /// Draws a random legal action for each slot and player; -1 where the episode has ended.
  void draw(std::int32_t* actions);

  /// Words of a saved slot: its state as in `state_plan`, then a word with the status of its
  /// episode and the number of moves made in it.
  [[nodiscard]] std::size_t saved_words() const { return game_->state_plan().words() + 1; }
  /// Writes these slots to `rows`, [index][word].
  void save(std::span<const std::uint32_t> slots, std::uint64_t* rows);
  /// Restores saved rows into any slots. A slot that is named twice gets one of its rows. The
  /// results of these slots say whether their episodes are over; there are no rewards for that.
  void restore(std::span<const std::uint32_t> slots, const std::uint64_t* rows,
               const StepResults& results = {});
  /// Sets the states of slots from rows of `state_plan`; their episodes start with no moves made.
  /// Results as in `restore`.
  void set_states(std::span<const std::uint32_t> slots, const std::uint64_t* rows,
                  const StepResults& results = {});

 private:
  struct Block;
  struct Worker;

  void allocate(MemoryBudget* memory);
  void seed_blocks(std::uint64_t seed);
  [[nodiscard]] kernel::Episodes job(Block& block, Worker& worker) const;
  void bring(Block& block, Worker& worker) const;
  void take_back(Block& block, Worker& worker) const;
  template <typename Visit>
  void for_blocks(const Visit& visit);
  template <typename Visit>
  void for_named(std::span<const std::uint32_t> slots, const Visit& visit);
  void point_results(kernel::Episodes& job, const Block& block, const Worker& worker,
                     const StepResults& results) const;
  void finish_step(Block& block, Worker& worker, kernel::Episodes& job, std::span<const View> last);
  void write(std::span<const View> views, const Block& block, const Worker& worker) const;
  [[nodiscard]] IllegalAction find_illegal(const std::int32_t* actions);
  void put(std::span<const std::uint32_t> slots, const std::uint64_t* rows, std::size_t stride,
           bool with_status, const StepResults& results);
  void report(const Block& block, std::span<const std::uint32_t> slots,
              const std::vector<std::uint32_t>& named, const StepResults& results) const;
  [[nodiscard]] std::size_t register_bytes() const { return game_->lanes() / 8; }

  std::shared_ptr<const EnvironmentGame> game_;
  VectorOptions options_;
  std::vector<float> rewards_;  // [goal]
  bool resident_ = false;       // each block has slots of its own
  HeldMemory held_;             // for `blocks_`, without what they point to
  std::vector<Block> blocks_;
  std::vector<Worker> workers_;
  std::vector<std::uint32_t> status_columns_;  // of the last word of a saved row
  std::vector<kernel::Edge> status_edges_;     // the same
  std::vector<std::int32_t> any_actions_;      // of a block
  std::uint64_t steps_ = 0;
  WorkerTeam team_;
};

}  // namespace ludens::gdl
