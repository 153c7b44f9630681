// SPDX-License-Identifier: MIT
// Minimax and its relatives: bounded minimax, paranoid (with alpha-beta), expectiminimax.
#pragma once

#include <memory>
#include <vector>

#include "search/minimax/outcomes.h"
#include "search/minimax/two_sided.h"

namespace ludens::search {

/// How many outcomes of chance are searched.
enum class Star : std::uint8_t {
  Off,  // all, with the widest window
  One,  // as long as they can matter
  Two,  // and first one move below each
};

/// The differences between them.
struct MinimaxRules {
  /// A max node that is proved to be worth `enough`, or a min node that is proved to be worth
  /// `nothing`, is not searched further. With `mean` in a game of chance only 100 is enough.
  double nothing = -kInfinity;
  double enough = kInfinity;
  bool alpha_beta = false;  // bounds are passed down and tightened
  bool mean = false;        // the role `random` counts with its mean, otherwise as one more
                            // opponent
  Star star = Star::Off;    // at chance nodes; needs `alpha_beta`
};

/// V(s) is the goal at the end; the largest V of the successors if the searching role decides; the
/// least if another does: the others are assumed to do their worst. Genesereth and Thielscher,
/// chapter 6; Russell and Norvig, chapter 5. Time O(b^m), space O(bm).
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
  [[nodiscard]] bool has_bounded_outcomes();
  gdl::MoveId next_outcome();
  void absorb_outcome();

  MinimaxRules rules_;
  /// What is stored for a frame in addition to `Frame`.
  struct Detail {
    bool probe = false;  // only its first move is searched
    Outcomes outcomes;   // Chance
  };
  std::vector<Detail> details_;  // [frame]; those above the stack are kept for their buffers
  std::size_t open_details_ = 0;
  double enough_ = kInfinity;
  enum class Seen : std::uint8_t { All, FirstOfMax, FirstOfMin };
  Seen settled_seen_ = Seen::All;  // of the node left last
  std::vector<gdl::MoveId> unseen_;
};

}  // namespace ludens::search
