// Selection: by what a descent chooses at a node.
#pragma once

#include <optional>
#include <vector>

#include "gdl/machine/rng.h"
#include "search/mcts/graph.h"
#include "search/mcts/guides.h"
#include "search/mcts/move_statistics.h"
#include "search/mcts/proof_numbers.h"

namespace ludens::search::mcts {

/// How a role chooses where several have a choice at once: see `simultaneous.h`.
enum class SimultaneousRule : std::uint8_t { Uct, Regret, Exp3 };

/// By what a descent chooses.
struct SelectionPolicy {
  double gamma = 0.4;
  std::vector<float> spread;  // [role] what `gamma` is multiplied by; empty: nothing
  bool first_ties = false;    // equals: the first in the order of the legal moves
  bool use_bounds = true;     // moves that are proved worse are left alone
  std::optional<gdl::RoleIndex> random;
  std::uint32_t depth = 0;  // cap on the length of a descent; 0: none
  std::uint8_t epoch = 0;   // of the machine in use
  SimultaneousRule simultaneous = SimultaneousRule::Uct;
  double mixing = 0.1;  // share of moves drawn evenly by the other rules
  /// At a node visited n times about `widening` * sqrt(n) moves are tried, as long as something is
  /// left to find out about these (progressive widening: Coulom 2007); 0: all, before any is
  /// repeated.
  double widening = 0;
  std::shared_ptr<const MoveMeans> move_means;  // the best are tried first; null: in any order
  Guides guides;
};

/// The place of any move with equal chance, which has an edge then; one of those tried if there is
/// no memory for another, and `Graph::kNoPlace` where none was. The node is held.
std::uint32_t draw_evenly(Graph& graph, Node& node, gdl::RoleIndex role, gdl::Rng& rng);

/// The place of the move that `role` takes at a node, which has an edge then; `Graph::kNoPlace` if
/// there is no memory for the first. `random` takes any move with equal chance. Another role takes
/// a move that is proved to be worth 100, if there is one; else one that nobody has tried, if the
/// policy has it tried by now; else, among the candidates, the one with the largest UCB score.
/// Descents in flight count as visits that brought nothing, and where they are all that a move has,
/// its value is the node's. The node is held.
std::uint32_t choose_move(Graph& graph, Node& node, gdl::RoleIndex role,
                          const SelectionPolicy& policy, gdl::Rng& rng);

/// Chooses for descents that stand at the same node, each after those before it.
class Chooser {
 public:
  /// The place of the move that `role` takes in each of the descents, as by `choose_move`, or,
  /// where the policy has another rule for simultaneous moves, as by `draw_move`. Each is counted
  /// as in flight on its edge, and all have been at the node. The scores of all moves are worked
  /// out once; then, that of each move taken. The node is held.
  /// Where something speaks for moves beside their own visits (`guides.h`), those that nobody has
  /// tried are candidates as well, worth what the node is and what speaks for them.
  void choose(Graph& graph, Node& node, gdl::RoleIndex role, const SelectionPolicy& policy,
              const Way& way, gdl::Rng& rng, std::span<std::uint32_t> places);

 private:
  void distribute(std::span<Edge> edges, const Node& node, gdl::RoleIndex role,
                  const SelectionPolicy& policy, std::span<std::uint32_t> places);

  bool lean(const Graph& graph, const Node& node, gdl::RoleIndex role,
            const SelectionPolicy& policy, const Way& way);
  void choose_guided(Graph& graph, Node& node, const SelectionPolicy& policy, gdl::Rng& rng,
                     std::span<std::uint32_t> places);
  void choose_in_order(Graph& graph, Node& node, const SelectionPolicy& policy, const Turn& before,
                       gdl::Rng& rng, std::span<std::uint32_t> places);
  void put_in_order(Node& node, const SelectionPolicy& policy, const Turn& before, gdl::Rng& rng);

  std::vector<float> scores_;  // [place], and some that are never chosen
  std::vector<Lean> leans_;    // [place]
  ProofRanks ranks_;
};

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

}  // namespace ludens::search::mcts
