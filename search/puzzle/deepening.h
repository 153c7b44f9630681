// SPDX-License-Identifier: MIT
// Iterative deepening A*: depth-first, in memory that grows only with the length of a play.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "search/puzzle/estimate.h"
#include "search/puzzle/guide.h"

namespace ludens::search::puzzle {

struct DeepeningSettings {
  double weight = 1;  // of the estimate relative to the moves made
  bool without_clock = false;
};

/// Korf, Depth-First Iterative-Deepening: An Optimal Admissible Tree Search (1985). A state is
/// abandoned if moves made plus estimate exceed the bound; the next bound is the least sum that
/// exceeded it. States that recur on the path are abandoned, too. Exhausted when the bound was
/// never exceeded.
class Deepening {
 public:
  /// All arguments must outlive it.
  Deepening(SearchProblem& problem, Guide& guide, const DeepeningSettings& settings,
            Estimate& estimate);
  Ended run();

 private:
  struct Frame {
    gdl::StateHash key;
    std::vector<gdl::MoveId> moves;
    std::size_t next = 0;
  };
  gdl::Status start();
  gdl::Status enter(gdl::MoveId move);
  [[nodiscard]] bool within_bound(Frame& frame);
  [[nodiscard]] bool recurs(const gdl::StateHash& key) const;

  SearchProblem& problem_;
  Guide& guide_;
  DeepeningSettings settings_;
  Estimate& estimate_;
  std::unique_ptr<gdl::Walker> walker_;
  std::vector<Frame> path_;        // the root first
  std::vector<gdl::MoveId> line_;  // one shorter
  std::size_t depth_ = 0;          // open frames; those beyond are kept for their memory
  double bound_ = 0, next_bound_ = 0;
  bool complete_ = true;
};

}  // namespace ludens::search::puzzle
