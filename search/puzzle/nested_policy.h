// SPDX-License-Identifier: MIT
// Nested rollout policy adaptation: plays at random, but prefers the moves of the best play so far.
#pragma once

#include <cstdint>
#include <vector>

#include "search/puzzle/guide.h"
#include "search/puzzle/passes.h"

namespace ludens::search::puzzle {

struct NestedSettings {
  unsigned level = 3;         // of nesting; 1: plays and adapts, without nesting
  unsigned iterations = 100;  // at each level
};

/// Rosin, Nested Rollout Policy Adaptation for Monte Carlo Tree Search (IJCAI 2011). A policy is a
/// weight for each move, chosen in proportion to its exponential; a level runs the level below a
/// number of times and moves its policy towards the best resulting play. Several searches run in
/// parallel, each with as many plays at the lowest level as fill a pass of the machine; they differ
/// in what they prefer among plays with the same goal (longer, shorter, a better goal on the way),
/// and in whether a move's weight depends on the move before. Never exhausted.
class NestedPolicy {
 public:
  NestedPolicy(SearchProblem& problem, Guide& guide, const NestedSettings& settings);
  Ended run();

 private:
  /// Which of two plays with the same goal is better.
  enum class TieBreak : std::uint8_t { Longer, Shorter, GoalOnTheWay };
  struct Play {
    double score = -1;
    std::vector<gdl::MoveId> line;
    std::vector<gdl::MoveId> moves;    // legal ones at each of its states, stored contiguously
    std::vector<std::uint32_t> begin;  // [step]
  };
  struct Policy {
    std::vector<float> weight, chance;  // [code]; chance: its exponential
  };
  struct Level {
    Policy policy;
    Play best;
    unsigned iteration = 0;
  };
  /// One of the parallel searches.
  struct Search {
    std::vector<Level> levels;  // the lowest first
    TieBreak tie_break = TieBreak::Longer;
    bool pairs = false;  // weights of pairs of moves
  };
  struct Lane {
    Play play;
    gdl::State state;
    std::vector<gdl::MoveId> legal;
    double on_the_way = 0;
    bool over = true;
  };

  void start_plays();
  Ended play_on();
  void land(const Child& child);
  void finish(Lane& lane, const Search& search, int goal);
  void learn();
  void climb(Search& search, std::size_t level);
  void adapt(const Search& search, Policy& policy, const Play& play);
  gdl::MoveId choose(Lane& lane, Search& search);
  [[nodiscard]] static std::size_t code(const Search& search, gdl::MoveId before, gdl::MoveId move);
  static void make_room(Policy& policy, std::size_t code);
  [[nodiscard]] Search& search_of(std::size_t lane) { return searches_[lane / lanes_each_]; }

  SearchProblem& problem_;
  Guide& guide_;
  NestedSettings settings_;
  Passes passes_;
  std::vector<Search> searches_;
  std::vector<Lane> lanes_;
  std::size_t lanes_each_ = 1;
  std::size_t next_ = 0;  // lane to add to the pass
  bool playing_ = false;
  std::vector<double> chances_;
};

}  // namespace ludens::search::puzzle
