// SPDX-License-Identifier: MIT
// What random plays, and the machine itself, show about a puzzle before it is searched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gdl/memory/held_memory.h"
#include "search/puzzle/passes.h"

namespace ludens::search::puzzle {

/// Gathered once for a position. It only guides: no proof depends on it.
class PlayObservations {
 public:
  /// Plays `plays` times at random from the problem's root, in step, and offers the ends that it
  /// reaches. Stopped: it knows what it saw until then.
  Ended gather(SearchProblem& problem, std::size_t plays);

  /// Whether states before the end have goals that distinguish them.
  [[nodiscard]] bool goals_tell() const { return goals_tell_; }
  /// Whether positions recur except for fluents that count time whatever is played: those on which
  /// all plays agreed at every depth.
  [[nodiscard]] bool has_clock() const { return has_clock_; }
  [[nodiscard]] bool is_clock(gdl::FluentId fluent) const {
    return fluent < clock_.size() && clock_[fluent] != 0;
  }
  /// Fluents that a move makes false whenever it is made, as far as was seen: the fluents that it
  /// uses up.
  [[nodiscard]] std::span<const gdl::FluentId> used_by(gdl::MoveId move) const {
    return move < used_.size() ? std::span<const gdl::FluentId>(used_[move].fluents)
                               : std::span<const gdl::FluentId>();
  }
  /// Whether there are moves that use up the fluent.
  [[nodiscard]] bool is_usable(gdl::FluentId fluent) const {
    return fluent < usable_.size() && usable_[fluent] != 0;
  }
  [[nodiscard]] double mean_length() const { return mean_length_; }
  [[nodiscard]] double mean_moves() const { return mean_moves_; }

 private:
  struct Play {
    gdl::State state;
    std::vector<gdl::MoveId> moves;  // legal ones
    std::vector<gdl::MoveId> line;
    int goal = -1;                                  // of its last state, before the end
    std::vector<std::vector<gdl::FluentId>> trail;  // [move]: before it
    bool over = false;
  };
  Ended step(SearchProblem& problem, Passes& passes, std::vector<Play>& plays);
  Ended observe(SearchProblem& problem, std::vector<Play>& plays);
  bool follow(const SearchProblem& problem, Play& play);
  void note_fluents(std::size_t alive);
  void find_uses(const SearchProblem& problem, const std::vector<Play>& plays);
  void find_recurrences(const SearchProblem& problem, const std::vector<Play>& plays);
  void conclude();

  bool goals_tell_ = false, has_clock_ = false;
  double mean_length_ = 0, mean_moves_ = 0;
  std::vector<std::uint8_t> clock_;  // [fluent]

  struct Use {
    bool seen = false;
    std::vector<gdl::FluentId> fluents;  // ascending
  };
  std::vector<Use> used_;             // [move]
  std::vector<std::uint8_t> usable_;  // [fluent]

  // Used while gathering.
  gdl::HeldMemory trails_;
  std::vector<std::uint8_t> disputed_, held_, missed_;  // [fluent]: at some depth
  std::vector<std::uint32_t> count_;  // [fluent]: plays in which it holds, at this depth
  std::vector<gdl::FluentId> fluents_;
  std::uint32_t depth_ = 0;
  std::uint64_t steps_ = 0, choices_ = 0;
};

}  // namespace ludens::search::puzzle
