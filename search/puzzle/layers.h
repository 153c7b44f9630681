// SPDX-License-Identifier: MIT
// All plays at once, one move at a time: breadth-first search, and beam search if that is too much.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "search/puzzle/fingerprints.h"
#include "search/puzzle/guide.h"
#include "search/puzzle/parent_tree.h"
#include "search/puzzle/passes.h"
#include "search/puzzle/state_list.h"

namespace ludens::search::puzzle {

struct LayersSettings {
  std::size_t width = 0;       // states of a layer that are kept, the best ones; 0: all
  Ranking ranking{};           // which are the best
  std::size_t tries = 0;       // moves of a state that are tried, chosen at random; 0: all
  bool without_clock = false;  // a position at another time is the same position
};

/// The states that can be reached by 1, 2, ... moves, each once. If all states are kept and clocks
/// are distinguished, Exhausted is a proof; otherwise it is not, and the result is Limited if
/// states were left out. A state seen takes 24 bytes plus some slack; the states of two layers are
/// kept completely.
class Layers {
 public:
  /// `problem`, `guide` and `memory` (null: no limit) must outlive this.
  Layers(SearchProblem& problem, Guide& guide, gdl::MemoryBudget* memory,
         const LayersSettings& settings);

  Ended run();
  [[nodiscard]] bool out_of_memory() const { return out_of_memory_; }
  /// Whether all plays were seen that have as many moves as the problem allows.
  [[nodiscard]] bool all_to_the_limit() const {
    return depth_ >= problem_.most_moves && complete_ && !problem_.gaps;
  }

 private:
  struct Note {
    ParentTree::Node way;
    std::uint32_t parent;  // number in the layer before
    float rank;
    std::int8_t goal;  // if the guide uses it
  };
  using Layer = StateList<Note>;

  bool fill();
  [[nodiscard]] std::size_t tries(std::size_t moves) const {
    return settings_.tries == 0 ? moves : std::min(settings_.tries, moves);
  }
  Ended land();
  bool arrive(const Child& child, const gdl::StateHash& key);
  bool keep(const Child& child);
  std::optional<Ended> advance();
  bool prune();
  [[nodiscard]] float final_rank(const Note& note) const;
  [[nodiscard]] bool counts_safe_moves() const {
    return settings_.width != 0 && settings_.ranking.sign == Sign::Safe;
  }

  SearchProblem& problem_;
  Guide& guide_;
  gdl::MemoryBudget* memory_;
  LayersSettings settings_;
  Passes passes_;
  Fingerprints seen_;
  ParentTree parents_;
  Layer layer_, next_;
  std::vector<std::uint32_t> safe_;   // [state of the layer]: moves that don't immediately lose
                                      // anything
  double offset_ = 0;                 // of the state's moves that are tried
  std::size_t state_ = 0, move_ = 0;  // the next to try
  std::uint32_t depth_ = 0;           // of the layer
  bool out_of_memory_ = false;
  bool complete_ = true;  // nothing that can be reached was left out
};

}  // namespace ludens::search::puzzle
