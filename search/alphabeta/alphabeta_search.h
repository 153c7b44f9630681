// Alpha-beta: the decision of minimax without looking at what can't change it.
#pragma once

#include <memory>
#include <vector>

#include "search/alphabeta/table.h"
#include "search/tree/two_sided.h"

namespace ludens::search {

struct AlphaBetaRules {
  bool order = true;       // best moves first: by the table, and by a static ranking
  bool bounds = true;      // the first window is 0..100, and `threshold` is enough
  bool quiescence = true;  // where the evaluation jumps, look further
  bool mean = true;        // the role `random` counts with its mean, else as one more opponent
  double threshold = 100;
  double swing = 15;  // a jump: the evaluation differs by this from that one ply before
};

/// Fail-soft alpha-beta (Knuth and Moore 1975; Russell and Norvig, chapter 5). Alpha is what MAX is
/// sure of on the path, beta what MIN is sure of; a max node returns when it holds beta or more, a
/// min node when it holds alpha or less. The value it then returns is a bound: what it has seen so
/// far. Beside it, an interval is backed up in which the true value is proved to lie: an estimate
/// proves nothing, the end of the game all.
///
/// A state that recurs on the path is worth nothing there (`kNeverEnds`), so what is found below an
/// ancestor that it repeats depends on the path: as it can only be too low, the table keeps it as a
/// lower bound and never as an upper one.
class AlphaBetaSearch final : public TwoSidedSearch {
 public:
  /// `table` null: none. `trace` may be null.
  AlphaBetaSearch(const AlphaBetaRules& rules, std::unique_ptr<Evaluation> evaluation,
                  TranspositionTable* table, SearchTrace* trace);
  Outcome search(GameTree& tree, RootMoves& root, std::size_t depth) override;

 private:
  static constexpr std::size_t kNoPath = static_cast<std::size_t>(-1);
  /// What alpha-beta keeps of a frame beside `Frame`.
  struct Detail {
    double alpha = 0, beta = 0;        // as handed down
    std::size_t limit = 0;             // depth of the horizon below; more where it was moved
    std::size_t moves_begin = 0;       // into ordered_
    std::size_t depends_on = kNoPath;  // the highest state of the path that the value depends on
    gdl::MoveId best = gdl::kNoMove;
    double evaluation = 0;  // of the state, where quiescence needs it
  };
  friend bool depth_first<AlphaBetaSearch>(GameTree&, AlphaBetaSearch&);
  Entered enter();
  gdl::MoveId next();
  void unknown();
  void absorb();
  void leave();

  struct Window {
    double alpha, beta;
  };
  [[nodiscard]] Window widest() const;
  /// What the top frame hands down to the child that is entered.
  [[nodiscard]] Window window();
  Entered leaf(Arrival arrival);
  Entered horizon(std::size_t limit, const Window& window);
  Entered branch(std::size_t limit, const Window& window, double evaluation);
  [[nodiscard]] bool is_cut(const Frame& frame) const;
  [[nodiscard]] std::span<const gdl::MoveId> ordered() const {
    return std::span(ordered_).subspan(details_.back().moves_begin);
  }

  bool settled_by_table(std::size_t limit, const Window& window);
  void store(const Detail& detail, bool cut);

  /// Lays out the moves of the node in the order of searching; false when stopped.
  bool order_moves(Kind kind, std::size_t limit);
  bool rank_children(Kind kind);
  bool rank_child(double& value);

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
};

}  // namespace ludens::search
