// Selection: the way from the root to a leaf.
#pragma once

#include <optional>
#include <vector>

#include "gdl/machine/rng.h"
#include "search/mcts/graph.h"

namespace ludens::search::mcts {

/// How a role chooses where several have a choice at once: see `simultaneous.h`.
enum class SimultaneousRule : std::uint8_t { Uct, Regret, Exp3 };

/// By what a descent chooses.
struct SelectionPolicy {
  double gamma = 0.4;
  bool first_ties = false;  // equals: the first in the order of the legal moves
  bool use_bounds = true;   // moves that are proved worse are left alone
  std::optional<gdl::RoleIndex> random;
  std::uint32_t depth = 0;  // cap on the length of a descent; 0: none
  std::uint8_t epoch = 0;   // of the machine in use
  SimultaneousRule simultaneous = SimultaneousRule::Uct;
  double mixing = 0.1;  // share of moves drawn evenly by the other rules
};

/// The place of the move that `role` takes at a node, which has an edge then; `Graph::kNoPlace` if
/// there is no memory. `random` takes any move with equal chance. Another role takes a move that is
/// proved to be worth 100, if there is one; else one that nobody has tried; else, among the
/// candidates, the one with the largest UCB score. Descents in flight count as visits that brought
/// nothing, and where they are all that a move has, its value is the node's. The node is held.
std::uint32_t choose_move(Graph& graph, Node& node, gdl::RoleIndex role,
                          const SelectionPolicy& policy, gdl::Rng& rng);

/// The place of a move that is proved to be worth 100.
std::optional<std::uint32_t> find_won(std::span<const Edge> edges);

/// What the bounds of a role's moves say together.
class Outlook {
 public:
  /// `untried`: moves that have no edge, of which nothing is known.
  Outlook(std::span<const Edge> edges, std::uint32_t untried);
  /// Whether there is something to find out about a move: its value is not proved, and it may be
  /// worth more than what the role can force by another. With nothing left to find out, the best
  /// moves are candidates.
  [[nodiscard]] bool admits(const Bounds& bounds) const;
  /// What the role can force.
  [[nodiscard]] std::uint8_t best_low() const { return best_low_; }
  /// Whether some move may be worth more than that.
  [[nodiscard]] bool open() const { return open_; }

 private:
  std::uint8_t best_low_ = 0;
  bool open_ = false;
};

/// One joint move of a descent.
struct Step {
  NodeId node;
  JointCode code;
};

struct Descent {
  enum class End {
    Settled,  // at `leaf`, whose value is known
    Leaf,     // at `leaf`, whose tree can't grow: playouts start there
    Edge,     // after the last step, in a position that has no node or no state of this machine
  };
  End end = End::Leaf;
  NodeId leaf = kNoNode;
  std::uint32_t first_step = 0, step_count = 0;  // in the vector given
};

/// Goes down from the root by `choose_move`, as often as asked, and counts what it passes as in
/// flight. Several descents are on their way at a time, a level each in turn, so that one goes on
/// while the memory of another is fetched.
class Descents {
 public:
  /// Appends to `steps` and `descents`.
  void run(Graph& graph, const SelectionPolicy& policy, std::uint32_t count, gdl::Rng& rng,
           std::vector<Step>& steps, std::vector<Descent>& descents);

 private:
  struct Cursor {
    NodeId at = kNoNode;
    std::vector<Step> path;
  };
  std::vector<Cursor> cursors_;
};

/// Backpropagation: the descent lands, and its value (goals of all roles, scaled to 0..1) is added
/// to each node and edge of its path, and to its leaf if it has one. On its way up it is brought
/// within the bounds of each node, where the policy uses bounds: what is worse than a role can
/// force there was its own bad move, and is not held against the moves that led there. An edge's
/// mean is that of its child, which other ways may have led to.
void back_up(Graph& graph, const Descent& descent, std::span<const Step> steps,
             const SelectionPolicy& policy, std::span<double> value);

/// The descent lands without a value.
void take_back(Graph& graph, const Descent& descent, std::span<const Step> steps);

}  // namespace ludens::search::mcts
