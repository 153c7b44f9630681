// SPDX-License-Identifier: MIT
// Orders untried moves by how they did as answers to the previous move.
#pragma once

#include <vector>

#include "gdl/memory/hash.h"
#include "search/mcts/descents.h"
#include "search/mcts/graph.h"

namespace ludens::search::mcts {

/// After the N-Gram Selection Technique (NST: Tak, Winands and Björnsson 2012), of pairs of moves
/// that follow each other, whichever role made the first.
///
/// What it is: for each pair, how much the value of descents that made its second move in the tree
/// exceeded the value of their node until then, over all nodes. A move that was hardly ever made
/// after this one is rated by how it did after any move. The moves of a node are first tried in
/// this order, and the next is tried when its expected value, with exploration as if it had been
/// visited once, is no less than the score of the best so far.
///
/// What it is not: NST steers playouts, and counts the pairs made there. Playouts of a batch choose
/// by one weight per move, the same in all lanes, although the previous move differs between lanes;
/// and they report which moves were made, but not in which order. So neither is used here.
///
/// A table of fixed size: a pair whose place is taken gradually replaces the other. Not
/// thread-safe.
class NGrams {
 public:
  /// `trust`: what the gain of a pair is multiplied by.
  explicit NGrams(double trust) : trust_(static_cast<float>(trust)), pairs_(kSlots) {}

  void clear() {
    pairs_.assign(kSlots, {});
    rows_.clear();
  }
  /// Learns from descents whose values have been backpropagated.
  void learn(Graph& graph, Descents& descents);
  /// Adds that this many descents exceeded the value of their node by `gain` in total.
  void add(const Turn& before, const Turn& turn, float descents, float gain);
  /// How much better than its node a move is expected to be, on a scale of 1.
  [[nodiscard]] float expected_gain(const Turn& before, const Turn& turn) const;
  /// The same for the moves of a role at a node, from `first` on.
  void expect(const Turn& before, const Node& node, gdl::RoleIndex role, std::uint32_t first,
              std::vector<float>& gains) const;

 private:
  static constexpr std::size_t kSlots = std::size_t{1} << 16;
  struct Count {
    float descents = 0, gain = 0;
    void add(float more_descents, float more_gain);
  };
  struct Pair {
    std::uint32_t tag = 0;
    Count count;
  };
  [[nodiscard]] static std::uint64_t key(const Turn& turn) {
    return (std::uint64_t{turn.role} << 32 | (turn.move + 1)) * gdl::kHashStart;
  }
  [[nodiscard]] static std::uint64_t key(std::uint64_t before, const Turn& turn) {
    return (before ^ before >> 29) * 0xbf58476d1ce4e5b9 + key(turn);
  }
  [[nodiscard]] static std::size_t slot_of(std::uint64_t key) { return key >> 48; }
  [[nodiscard]] static std::uint32_t tag_of(std::uint64_t key) {
    return static_cast<std::uint32_t>(key >> 16);
  }
  [[nodiscard]] float expected_gain(const Count& anywhere, std::uint64_t its_key) const;

  float trust_;
  std::vector<Pair> pairs_;
  std::vector<std::vector<Count>> rows_;  // [role][move id]: after any move
};

}  // namespace ludens::search::mcts
