// SPDX-License-Identifier: MIT
// Relaxed reachability: how soon a goal could be reached if everything possible could happen at
// once.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gdl/memory/limits.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

/// Proceeds from a state layer by layer, with two bits for each gate: whether it could be true, and
/// whether it could be false, n steps later. Any move that could be legal could be made or not, so
/// that a layer contains all states that play can reach in n steps, and more. The first layer in
/// which there could be an end with the goal is a lower bound (the level heuristic of Graphplan,
/// Blum and Furst 1997; sums over conditions as in Bonet and Geffner, Planning as Heuristic Search,
/// 2001). A layer is one pass over the gates, for 64 states at once. One thread.
class Relaxation {
 public:
  static constexpr std::size_t kLanes = 64;
  static constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

  struct LowerBound {
    /// A lower bound for the steps until an end with the goal; kNever: there is none.
    std::uint32_t steps = kNever;
    /// The sum over the goal's conditions of the steps until each could hold alone: not a bound.
    std::uint32_t added = 0;
  };

  /// For an end at which the role has the goal. Examines at most `most_steps` layers: then the
  /// bound is their number.
  Relaxation(const Network& network, std::uint32_t role, int goal, std::uint32_t most_steps);

  /// Takes at most 64 states, given by their fluents. False: stopped by the signal (may be null),
  /// and nothing is known.
  bool look(std::span<const std::vector<FluentId>> states, std::span<LowerBound> out,
            const StopSignal* stop = nullptr);

 private:
  using Word = std::uint64_t;
  struct DualRail {
    Word could = 0, could_not = 0;  // [lane]
    friend bool operator==(const DualRail&, const DualRail&) = default;
  };
  struct Gate {
    NodeId node;
    std::uint32_t first, count;  // of inputs_
  };
  struct Fluent {
    FluentId id;
    NodeId node;
    Edge next;
  };
  struct Move {
    NodeId node;
    Edge legal;
  };

  void add_gates(const Network& network, const std::vector<bool>& cone, std::vector<bool>& taken,
                 std::vector<Gate>& out);
  void find_conditions(const Network& network, Edge goal);
  [[nodiscard]] DualRail at(Edge e) const;
  void evaluate(std::span<const Gate> gates);
  void enter(std::span<const std::vector<FluentId>> states, Word lanes);
  Word note(std::uint32_t step, Word open, std::span<LowerBound> out);
  bool advance();

  std::uint32_t most_steps_;
  Edge terminal_, goal_ = kFalse;
  std::vector<Edge> conditions_;  // the goal is the AND of these
  std::vector<Fluent> fluents_;   // by id
  std::vector<Move> moves_;
  std::vector<Gate> before_, after_;  // needed for legal moves, end and goal; for what is next
  std::vector<Edge> inputs_;

  std::vector<DualRail> rails_;  // [node]
  std::vector<DualRail> next_;   // [fluent]
  std::vector<Word> not_yet_;    // [condition]: lanes in which it could not hold so far
};

}  // namespace ludens::gdl
