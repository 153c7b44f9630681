// SPDX-License-Identifier: MIT
// Moves of one player, gathered until a pass of the machine is full.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/puzzle/search_problem.h"

namespace ludens::search::puzzle {

/// What follows from a state by one of its moves, as a pass of the machine said.
struct Child {
  std::uint32_t tag;  // as it was added
  gdl::MoveId move;
  gdl::StateView state;
  bool terminal;
  int goal;                            // 0 where not terminal
  std::span<const gdl::MoveId> moves;  // legal ones; empty where terminal
};

/// Gathers pairs of state and move and looks at all of them at once. States must stay where they
/// are until the pass is cleared. The problem outlives it.
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

  /// Expands what was added. Ok, or Stopped: then the same pass may be run again. A pass that is
  /// over the machine's budget leaves a gap in the problem and has no children.
  gdl::Status run();
  /// Of the pass that was run; valid until `clear`.
  [[nodiscard]] std::size_t children() const { return children_; }
  /// Without what takes time to look up.
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
