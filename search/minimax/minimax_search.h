// SPDX-License-Identifier: MIT
// The depth-first search of which minimax, bounded and paranoid minimax, expectiminimax and
// alpha-beta are settings.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "search/minimax/cutting_moves.h"
#include "search/minimax/evaluation.h"
#include "search/minimax/outcomes.h"
#include "search/minimax/transposition_table.h"
#include "search/tree/backup.h"
#include "search/tree/depth_first.h"
#include "search/tree/record.h"
#include "search/tree/root_moves.h"
#include "search/tree/tree_search.h"

namespace ludens::search {

/// The differences between the searches. The defaults are plain minimax.
struct MinimaxRules {
  /// A max node that is proved to be worth `enough`, or a min node that is proved to be worth
  /// `nothing`, is not searched further. With `mean` in a game of chance only 100 is enough.
  double nothing = -kInfinity;
  double enough = kInfinity;
  bool alpha_beta = false;  // bounds are passed down and tightened; from `nothing` to 100 at first
  bool mean = false;        // the role `random` counts with its mean, otherwise as one more
                            // opponent
  bool star = false;        // at chance nodes, outcomes are searched as far as they can matter

  bool reorder = true;      // at the root, what was best in the step before comes first
  bool order = false;       // best moves first: by the table, and by a static ranking
  bool quiescence = false;  // searches further where the evaluation jumps

  // These depend on the order of moves: without `order` they are off.
  bool pvs = true;         // moves after the first only have to be proved no better
  double aspiration = 20;  // half the width of a step's first window about the last value; 0: all
  bool killers = true;     // moves that caused cuts at the same depth come early
  bool history = true;     // so do moves that caused many cuts
  std::size_t rank = 2;    // with this many plies left, children are examined to order them
};

/// V(s) is the goal at the end; the largest V of the successors if the searching role decides; the
/// least if another does: the others are assumed to do their worst. Genesereth and Thielscher,
/// chapter 6; Russell and Norvig, chapter 5. Time O(b^m), space O(bm).
///
/// Alpha-beta is fail-soft (Knuth and Moore 1975). Alpha is what MAX is sure of on the path, beta
/// what MIN is sure of; a max node returns when it holds beta or more, a min node when it holds
/// alpha or less. The value it then returns is a bound: what it has seen so far. In addition, an
/// interval is backed up in which the true value is proved to lie: an estimate proves nothing, the
/// end of the game everything.
///
/// Principal variation search (Marsland and Campbell 1982): once a move has set the window, others
/// are tried with a window of zero width, which shows whether they are better, and searched again
/// if they are. A step starts with a window about the last value (aspiration), opened on the side
/// on which the value turns out to lie.
///
/// A state that recurs on the path is worth nothing there (`kNeverEnds`), so a value found below
/// the state that it repeats depends on the path. As it can only be too low, the table stores it as
/// a lower bound and never as an upper one.
class MinimaxSearch final : public TreeSearch {
 public:
  /// `table` and `trace` may be null; otherwise they must outlive the search.
  MinimaxSearch(const MinimaxRules& rules, std::unique_ptr<Evaluation> evaluation,
                TranspositionTable* table, SearchTrace* trace);
  Outcome search(GameTree& tree, RootMoves& root, std::size_t depth) override;

 private:
  static constexpr std::size_t kNoPath = static_cast<std::size_t>(-1);
  static constexpr double kUnknown = -1;
  using Kind = TraceNode::Kind;
  struct Window {
    double alpha = -kInfinity, beta = kInfinity;
  };
  /// A node that is being searched.
  struct Frame {
    Kind kind = Kind::Max;
    std::uint32_t next = 0;            // the next of its moves to search
    double alpha = 0, beta = 0;        // tightened as children return
    Window passed;                     // the window as passed down
    Backup best;                       // Chance: the sum
    std::size_t limit = 0;             // depth of the horizon below; larger if it was extended
    std::size_t moves_begin = 0;       // into ordered_
    std::size_t depends_on = kNoPath;  // the highest state of the path that the value depends on
    gdl::MoveId best_move = gdl::kNoMove;
    double evaluation = 0;          // of the state, where quiescence needs it
    Window child;                   // passed down to the child that is entered
    bool again = false;             // it must be searched again, with the current `child`
    std::vector<gdl::MoveId> line;  // joint moves of the best play below
    Outcomes outcomes;              // Chance, with `star`
  };
  friend bool depth_first<MinimaxSearch>(GameTree&, MinimaxSearch&);
  Entered enter();
  gdl::MoveId next();
  void unknown();
  void absorb();
  void leave();

  [[nodiscard]] Frame& top() { return frames_[open_ - 1]; }
  [[nodiscard]] bool is_empty() const { return open_ == 0; }
  [[nodiscard]] bool at_root() const { return open_ == 1; }
  [[nodiscard]] bool has_bounded_outcomes() { return rules_.star && top().kind == Kind::Chance; }
  /// The moves of the top frame, in the order of searching.
  [[nodiscard]] std::span<const gdl::MoveId> ordered() {
    return std::span(ordered_).subspan(top().moves_begin);
  }

  [[nodiscard]] Window widest() const;
  [[nodiscard]] Window first_window() const;
  /// The window that the top frame passes to a child whose value must be known.
  [[nodiscard]] Window full_window(const Frame& frame);
  /// The smallest window that shows whether a child is better than those before it.
  [[nodiscard]] static Window null_window(Kind kind, const Window& full);
  /// Whether the child just searched must be searched again; if so, sets how.
  bool must_repeat();
  bool widen_at_root(Frame& frame);

  Entered leaf(Arrival arrival);
  /// The value of the tree's current node, which is no branch. False when stopped, or if the
  /// evaluation has used up its allowance.
  bool settle(Arrival arrival, Backup& out);
  /// The searching role's evaluation of the current state, 0..100; false as above.
  bool evaluate(double& out);
  /// Shows the leaf, whose value is `settled_`, in the trace.
  void show(Kind kind);
  Entered horizon(std::size_t limit, const Window& window);
  Entered branch(std::size_t limit, const Window& window, double evaluation);
  void push(std::size_t limit, const Window& window, std::size_t moves_begin, double evaluation);
  /// Pops the top frame and settles its value; `unseen`: its moves that were not searched.
  void pop(std::span<const gdl::MoveId> unseen);
  [[nodiscard]] bool is_cut(const Frame& frame) const;

  bool settled_by_table(std::size_t limit, const Window& window);
  void store(const Frame& frame, bool cut);

  /// Appends the moves of the node in search order; false when stopped.
  bool order_moves(Kind kind, std::size_t limit);
  bool rank_children(Kind kind);
  bool rank_child(double& value);
  void promote_cutting_moves(std::span<gdl::MoveId> moves, bool ranked);

  MinimaxRules rules_;
  std::unique_ptr<Evaluation> evaluation_;
  TranspositionTable* table_;
  SearchTrace* trace_;
  GameTree* tree_ = nullptr;
  RootMoves* root_ = nullptr;
  std::size_t limit_ = 0;  // states at this depth are on the horizon
  double enough_ = kInfinity;
  bool cut_ = false;  // something was not searched to its end

  std::vector<Frame> frames_;  // the first open_ are the stack; the others are kept for their
                               // buffers
  std::size_t open_ = 0;
  std::vector<gdl::MoveId> ordered_;          // moves of the frames, in the order of searching
  Backup settled_;                            // value of the node entered or left last
  std::vector<gdl::MoveId> settled_line_;     // the best play from there
  std::size_t settled_depends_on_ = kNoPath;  // as in `Frame`
  gdl::MoveId last_move_ = gdl::kNoMove;      // the move to the node that is entered next
  double last_value_ = kUnknown;              // of the previous step

  struct Ranked {
    double value;
    gdl::MoveId move;
  };
  std::vector<Ranked> ranked_;
  CuttingMoves cutting_;
  std::vector<gdl::MoveId> unseen_;
  std::vector<int> goals_;
  std::vector<double> estimates_;
};

}  // namespace ludens::search
