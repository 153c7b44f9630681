// SPDX-License-Identifier: MIT
// Moves of one player, gathered until a pass of the machine is full.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/puzzle/search_problem.h"

namespace ludens::search::puzzle {

/// The successor of a state by one of its moves, from a pass of the machine.
struct Child {
  std::uint32_t tag;  // the tag with which the pair was added
  gdl::MoveId move;
  gdl::StateView state;
  bool terminal;
  int goal;                            // 0 if not terminal
  std::span<const gdl::MoveId> moves;  // legal ones; empty if terminal
};

/// Gathers pairs of state and move and expands all of them at once. States must stay where they are
/// until the pass is cleared. The problem must outlive it.
class Passes {
 public:
  explicit Passes(SearchProblem& problem);

  void add(gdl::StateView state, gdl::MoveId move, std::uint32_t tag) {
    moves_.push_back(move);
    tags_.push_back(tag);
    pairs_.push_back({state, gdl::JointMove(&moves_.back(), 1)});
  }
  [[nodiscard]] bool full() const { return pairs_.size() == capacity_; }
  [[nodiscard]] std::size_t size() const { return pairs_.size(); }
  [[nodiscard]] std::uint32_t tag(std::size_t i) const { return tags_[i]; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

  /// Expands what was added. Ok, or Stopped: then the same pass may be run again. A pass that
  /// exceeds the machine's budget leaves a gap in the problem and has no children.
  gdl::Status run();
  /// The children of the last pass; valid until `clear`.
  [[nodiscard]] std::size_t children() const { return children_; }
  /// The same as in `Child`, without fields that take time to look up.
  [[nodiscard]] bool ends(std::size_t i) const {
    return expansion_.terminal[i] != 0 || expansion_.legal(i, 0, 1).empty();
  }
  [[nodiscard]] Child operator[](std::size_t i) const {
    return {tags_[i],
            moves_[i],
            expansion_.states[i],
            expansion_.terminal[i] != 0,
            expansion_.goals[i],
            expansion_.legal(i, 0, 1)};
  }
  void clear();

 private:
  SearchProblem& problem_;
  std::size_t capacity_;
  std::vector<gdl::MoveId> moves_;  // never grows beyond its first capacity: pairs point into it
  std::vector<std::uint32_t> tags_;
  std::vector<gdl::StateMove> pairs_;
  gdl::Expansion expansion_;
  std::size_t children_ = 0;
};

}  // namespace ludens::search::puzzle
