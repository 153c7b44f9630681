// SPDX-License-Identifier: MIT
// Alpha-beta: the decision of minimax without searching what can't change it.
#pragma once

#include <memory>
#include <vector>

#include "search/alphabeta/cutting_moves.h"
#include "search/alphabeta/transposition_table.h"
#include "search/minimax/two_sided.h"

namespace ludens::search {

struct AlphaBetaRules {
  bool order = true;        // best moves first: by the table, and by a static ranking
  bool bounds = true;       // the first window is 0..100, and `threshold` is enough
  bool quiescence = false;  // searches further where the evaluation jumps
  bool mean = true;         // the role `random` counts with its mean, otherwise as one more
                            // opponent
  double threshold = 100;   // this is enough; 100 below chance that counts with its mean
  double swing = 15;        // a jump: the evaluation differs by this from that one ply before

  // These depend on the order of moves: without `order` they are off.
  bool pvs = true;         // moves after the first only have to be proved no better
  double aspiration = 0;   // half the width of a step's first window about the last value; 0: all
  bool killers = true;     // moves that caused cuts at the same depth come early
  bool history = true;     // so do moves that caused many cuts
  bool reductions = true;  // late moves are first searched less deeply
  std::size_t rank = 2;    // with this many plies left, children are examined to order them

  bool batch = true;  // the children of a frontier node are evaluated in one call of the machine
};

/// Fail-soft alpha-beta (Knuth and Moore 1975; Russell and Norvig, chapter 5). Alpha is what MAX is
/// sure of on the path, beta what MIN is sure of; a max node returns when it holds beta or more, a
/// min node when it holds alpha or less. The value it then returns is a bound: what it has seen so
/// far. In addition, an interval is backed up in which the true value is proved to lie: an estimate
/// proves nothing, the end of the game everything.
///
/// Principal variation search (Marsland and Campbell 1982): once a move has set the window, others
/// are tried with a window of zero width, which shows whether they are better, and searched again
/// if they are. A step starts with a window about the last value (aspiration), opened on the side
/// on which the value turns out to lie. Late moves are tried less deeply, and to the full depth if
/// they look better (Heinz 2000). An estimate may miss what they hide; a proof does not, because
/// its interval includes everything that was not searched.
///
/// A state that recurs on the path is worth nothing there (`kNeverEnds`), so a value found below
/// the state that it repeats depends on the path. As it can only be too low, the table stores it as
/// a lower bound and never as an upper one.
class AlphaBetaSearch final : public TwoSidedSearch {
 public:
  /// `table` may be null (no table), and so may `trace`.
  AlphaBetaSearch(const AlphaBetaRules& rules, std::unique_ptr<Evaluation> evaluation,
                  TranspositionTable* table, SearchTrace* trace);
  Outcome search(GameTree& tree, RootMoves& root, std::size_t depth) override;

 private:
  static constexpr std::size_t kNoPath = static_cast<std::size_t>(-1);
  static constexpr double kUnknown = -1;
  struct Window {
    double alpha, beta;
  };
  /// What alpha-beta stores for a frame in addition to `Frame`.
  struct Detail {
    double alpha = 0, beta = 0;        // as passed down
    std::size_t limit = 0;             // depth of the horizon below; larger if it was extended
    std::size_t moves_begin = 0;       // into ordered_
    std::size_t depends_on = kNoPath;  // the highest state of the path that the value depends on
    gdl::MoveId best = gdl::kNoMove;
    double evaluation = 0;    // of the state, where quiescence needs it
    Window child{};           // passed down to the child that is entered
    std::size_t reduced = 0;  // plies by which its horizon is nearer
    bool again = false;       // it must be searched again, with the current `child` and `reduced`
  };
  /// A child of a frontier node that was evaluated with all others.
  struct Known {
    Backup backup;
    bool settled = false;  // otherwise it must be entered
  };
  friend bool depth_first<AlphaBetaSearch>(GameTree&, AlphaBetaSearch&);
  Entered enter();
  gdl::MoveId next();
  void unknown();
  void absorb();
  void leave();
  void absorb_settled();

  [[nodiscard]] Window widest() const;
  [[nodiscard]] Window first_window() const;
  /// The window that the top frame passes to a child whose value must be known.
  [[nodiscard]] Window full_window(const Frame& frame);
  /// The smallest window that shows whether a child is better than those before it.
  [[nodiscard]] static Window null_window(Kind kind, const Window& full);
  /// Sets how the next child is searched first.
  void first_try(const Frame& frame, Detail& detail);
  [[nodiscard]] std::size_t reduction(const Frame& frame, const Detail& detail) const;
  /// Whether the child just searched must be searched again; if so, sets how.
  bool must_repeat();
  bool widen_at_root(Frame& frame, Detail& detail);
  Entered leaf(Arrival arrival);
  Entered horizon(std::size_t limit, const Window& window);
  Entered branch(std::size_t limit, const Window& window, double evaluation);
  [[nodiscard]] bool is_cut(const Frame& frame) const;
  [[nodiscard]] std::span<const gdl::MoveId> ordered() const {
    return std::span(ordered_).subspan(details_.back().moves_begin);
  }

  /// Evaluates the children of the top frame, a frontier node, in one call; false when stopped.
  bool evaluate_children();
  [[nodiscard]] Known known_child(std::size_t i, double evaluation);
  /// Uses known children until one is not known or not needed.
  void absorb_known();

  bool settled_by_table(std::size_t limit, const Window& window);
  void store(const Detail& detail, bool cut);

  /// Appends the moves of the node in search order; false when stopped.
  bool order_moves(Kind kind, std::size_t limit);
  bool rank_children(Kind kind);
  bool rank_child(double& value);
  void promote_cutting_moves(std::span<gdl::MoveId> moves, bool ranked);
  void note_cut(const Detail& detail);

  AlphaBetaRules rules_;
  TranspositionTable* table_;
  std::vector<Detail> details_;       // [frame]
  std::vector<gdl::MoveId> ordered_;  // moves of the frames, in the order of searching
  struct Ranked {
    double value;
    gdl::MoveId move;
  };
  std::vector<Ranked> ranked_;
  std::size_t settled_depends_on_ = kNoPath;  // of `settled_`
  CuttingMoves cutting_;
  std::vector<Known> known_;  // [as ordered_], if a frontier node is on top
  gdl::Expansion expansion_;
  std::vector<double> evaluations_;
  double last_value_ = kUnknown;  // of the previous step
  double enough_ = 100;           // a value proved to be at least this ends the search of a node
};

}  // namespace ludens::search
