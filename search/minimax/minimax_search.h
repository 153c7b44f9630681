// Minimax and its next of kin: bounded minimax, paranoid (with alpha-beta), expectiminimax.
#pragma once

#include <memory>

#include "search/tree/two_sided.h"

namespace ludens::search {

/// What makes the difference between them.
struct MinimaxRules {
  /// A max node that is proved to hold `enough`, or a min node that is proved to hold `nothing`,
  /// looks no further.
  double nothing = -kInfinity;
  double enough = kInfinity;
  bool alpha_beta = false;  // bounds are handed down and tightened
  bool mean = false;        // the role `random` counts with its mean, else as one more opponent
};

/// V(s) = the goal at the end; the largest V of the successors where the searching role decides,
/// the least where another does: the others are assumed to do their worst. Genesereth and
/// Thielscher, chapter 6; Russell and Norvig, chapter 5. Time O(b^m), space O(bm).
class MinimaxSearch final : public TwoSidedSearch {
 public:
  MinimaxSearch(const MinimaxRules& rules, std::unique_ptr<Evaluation> evaluation,
                SearchTrace* trace);
  Outcome search(GameTree& tree, RootMoves& root, std::size_t depth) override;

 private:
  friend bool depth_first<MinimaxSearch>(GameTree&, MinimaxSearch&);
  Entered enter();
  gdl::MoveId next();
  void unknown() { settle_unknown(); }
  void absorb();
  void leave();

  void branch();
  [[nodiscard]] bool is_cut(const Frame& frame) const;

  MinimaxRules rules_;
};

}  // namespace ludens::search
