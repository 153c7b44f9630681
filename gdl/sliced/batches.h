// SPDX-License-Identifier: MIT
// Playouts and expansion of many states at once, with a kernel's loops.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gdl/kernel/kernel.h"
#include "gdl/machine/machine.h"
#include "gdl/memory/held_memory.h"
#include "gdl/native/generate.h"
#include "gdl/network/network.h"
#include "gdl/network/turns.h"
#include "gdl/program/chooser_memory.h"
#include "gdl/program/expansion_tables.h"
#include "gdl/program/program.h"
#include "gdl/program/registers.h"
#include "gdl/program/step_tables.h"
#include "gdl/sliced/joint_moves.h"

namespace ludens::gdl {

/// How batches evaluate the network.
enum class EvaluationForm : std::uint8_t {
  Fastest,      // the winner of a short trial
  Interpreted,  // runs of equal gates
  Generated,    // generated code, if there is any
  BySets,       // generated, and playouts describe all moves by sets, however few there are
  Early,        // interpreted, and only for the whole game: ready soonest
};

/// What a network says besides the rules of the game.
struct NetworkExtras {
  /// The last fluent is not part of states, but true or false at random in each step of a playout;
  /// such batches don't expand.
  bool coin = false;
  /// The size of `GameNetwork::reach`, whose fluents `expand` computes and whose moves it does not
  /// list. If not 0, batches are meant for `expand` alone: playouts get no programs of their own.
  std::size_t reach = 0;
};

/// The batch calls of a machine, for one register width. Immutable and shared by threads; each
/// thread works in its own `Scratch`.
class Batches {
 public:
  using Groups = std::vector<std::vector<FluentId>>;

  /// The working memory of all batches of one thread. Empty until first used.
  struct Scratch {
    Registers slots, playouts, expansion, chosen_words;
    std::vector<ChooserMemory> choosers;  // [variant]
    std::vector<kernel::Step> steps;      // [variant]
    std::vector<std::uint64_t> random;
    std::vector<std::uint32_t> chosen_slots;
    std::vector<const std::uint64_t*> states;
    std::vector<std::uint64_t> percept_rows;
    std::vector<kernel::StartGroup> groups;
    std::vector<std::uint32_t> order;  // of starts
    // For weighted choice and counted moves; the memory is allocated when first needed.
    std::vector<Registers> weight_sums;         // [chooser of the whole game]
    std::vector<kernel::Weighting> weightings;  // the same
    std::vector<std::uint8_t> weights;          // [move of the program]
    Registers made;
    std::vector<kernel::MoveTally> tallies;
    HeldMemory held_counts;
  };

  /// `program` is the whole game; further programs for its turns, and for playouts with many moves,
  /// are made from the network. The program must outlive this. `limits` apply to code generation.
  /// `apart`: `GameNetwork::observed_exclusions`.
  Batches(const Network& network, const Groups& apart, const Program& program,
          const kernel::Kernel& kernel, EvaluationForm form, const Limits& limits,
          const NetworkExtras& extras);
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;

  [[nodiscard]] std::size_t lanes() const { return kernel_.lanes; }
  /// Whether the whole game is generated code.
  [[nodiscard]] bool generated() const { return variants_.front().code.has_value(); }
  /// The memory that it holds itself, without the program of the whole game.
  [[nodiscard]] std::size_t bytes() const;
  /// Like `Machine::expand` and `Machine::playouts`.
  Status expand(Machine::Context& context, Scratch& scratch, std::span<const StateMove> pairs,
                Expansion& out) const;
  /// Like `Machine::perceive`.
  Status perceive(Machine::Context& context, Scratch& scratch, std::span<const StateMove> pairs,
                  Percepts& out) const;
  Status playouts(Machine::Context& context, Scratch& scratch, std::span<const StateView> starts,
                  const PlayoutOptions& options, Rng& rng, PlayoutSums& out) const;

 private:
  /// A program, and where it may be used: in a turn, and in states in which at most one fluent of
  /// each group holds. The first may be used everywhere.
  struct Variant {
    const Program* program = nullptr;
    Turn turn = {};
    std::vector<std::vector<std::uint32_t>> apart = {};
    std::optional<native::GeneratedCode> code = {};
  };

  void add_variant(Variant variant, bool generate, const Limits& limits);
  void add_parts(const Network& network, const Groups& apart, EvaluationForm form, bool generate,
                 const Limits& limits);
  void add_part(const Network& network, Variant part, EvaluationForm form, bool generate,
                const Limits& limits);
  /// The phase in the form that the kernel runs.
  [[nodiscard]] kernel::Phase phase(std::size_t variant, Phase which) const;
  bool prepare(Scratch& scratch, MemoryBudget* memory) const;

  [[nodiscard]] std::uint32_t variant_for(StateView start) const;
  /// `apart`: starts are grouped by the role in control.
  void group_starts(std::span<const StateView> starts, bool apart, Scratch& scratch) const;
  /// Both are false if memory does not allow it.
  bool weigh(const MoveWeights& weights, MemoryBudget* memory, Scratch& scratch) const;
  bool prepare_counting(const MoveCounting& counting, std::size_t starts, MemoryBudget* memory,
                        Scratch& scratch, kernel::Counting& out) const;
  /// Adds to existing rows.
  void take_counts(const Scratch& scratch, PlayoutSums& out) const;
  [[nodiscard]] double turnover() const;

  void append(std::span<const std::uint64_t> row, std::size_t at, Percepts& out) const;
  [[nodiscard]] kernel::Expansion question(Scratch& scratch,
                                           std::span<const StateMove> pairs) const;
  [[nodiscard]] kernel::Playouts question(Scratch& scratch, std::size_t starts, bool whole,
                                          const PlayoutOptions& options,
                                          const StopSignal* stop) const;

  const kernel::Kernel& kernel_;
  const Program& program_;
  const bool coin_;
  std::vector<std::unique_ptr<const Program>> part_programs_;
  std::vector<Variant> variants_;
  std::vector<StepTables> tables_;  // [variant]
  std::size_t slots_;               // of all variants
  JointMoves joint_moves_;
  ExpansionTables expansion_;
  std::vector<kernel::Goal> goals_;
  std::vector<kernel::Edge> percepts_;
};

}  // namespace ludens::gdl
