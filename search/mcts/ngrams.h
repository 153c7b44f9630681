// SPDX-License-Identifier: MIT
// Moves are first tried by how they did as answers to the move before.
#pragma once

#include <vector>

#include "gdl/memory/hash.h"
#include "search/mcts/descents.h"
#include "search/mcts/graph.h"

namespace ludens::search::mcts {

/// After the N-Gram Selection Technique (NST: Tak, Winands and Björnsson 2012), of pairs of moves
/// that follow each other, whoever made the first.
///
/// What it is: for each pair, how much more descents brought that made its second move in the tree
/// than their node was worth till then, whatever the node. A move that was hardly ever made after
/// this one is judged by how it did after any. The moves of a node are first tried in this order,
/// and the next is tried when what is expected of it, with exploration as if it had been visited
/// once, is no less than the score of the best so far.
///
/// What it is not: NST steers playouts, and counts the pairs made there. Playouts of a batch choose
/// by one weight a move, the same in all lanes, each of which has another move before it; and they
/// tell which moves were made, not in which order. So neither has a part in this.
///
/// A table of fixed size: a pair whose place is taken wears the other down. Not thread-safe.
class NGrams {
 public:
  /// `trust`: what the gain of a pair is multiplied by.
  explicit NGrams(double trust) : trust_(static_cast<float>(trust)), pairs_(kSlots) {}

  void clear() {
    pairs_.assign(kSlots, {});
    rows_.clear();
  }
  /// Of descents whose values have been backpropagated.
  void learn(Graph& graph, Descents& descents);
  /// So many descents brought so much more, all told, than their node was worth.
  void add(const Turn& before, const Turn& turn, float descents, float gain);
  /// How much better than its node, of 1, a move is expected to be.
  [[nodiscard]] float expected_gain(const Turn& before, const Turn& turn) const;
  /// The same for the moves of a role at a node, from a place on.
  void expect(const Turn& before, const Node& node, gdl::RoleIndex role, std::uint32_t first,
              std::vector<float>& gains) const;

 private:
  static constexpr std::size_t kSlots = std::size_t{1} << 16;
  struct Count {
    float descents = 0, gain = 0;
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
