// SPDX-License-Identifier: MIT
// The way down: from the root to a position that will be added, by PUCT.
#pragma once

#include <optional>
#include <vector>

#include "gdl/machine/rng.h"
#include "search/value/tree.h"

namespace ludens::search::value {

/// How a descent chooses.
struct SelectionRules {
  float exploration = 0.3F;    // the weight of the priors
  float minimax_share = 0.5F;  // of a child's value; the rest is the mean
  std::uint32_t depth = 0;     // the most plies; 0: any number
};

/// What is assumed about the game, by what was seen of it.
struct Assumptions {
  bool adversaries = true;     // as in `refresh`
  bool noisy_results = false;  // results depend on chance or on simultaneous moves
};

/// Nodes from the root down, with the child chosen at each.
struct Step {
  NodeId node;
  std::uint32_t child;
};
using Path = std::vector<Step>;

/// Belongs to one thread. Each node is locked while it is used; on the way up it is locked before
/// its child is unlocked, so that a parent never gets an old value of a child.
class Selection {
 public:
  enum class End : std::uint8_t {
    New,    // a child that must be made
    Known,  // a child about which everything is known, or the last within the depth
    Busy,   // a child that another descent is about to make
  };

  Selection(const SelectionRules& rules, gdl::Rng rng) : rules_(rules), rng_(rng) {}

  /// Sets the role that draws its moves, if there is one.
  void use(std::optional<gdl::RoleIndex> random) { random_ = random; }
  /// Goes down from the root, which must exist and not be settled. Nodes on the path count as
  /// visited with value 0 until `back_up` or `take_back`. `values` are those of the child where it
  /// ends.
  End descend(const Tree& tree, Path& path, std::span<float> values, Tree::Census& census);
  /// Backs up the values of the descent for each role. `made`: the node that the child at its end
  /// has become; kNoNode: none. `path` is empty afterwards.
  ///
  /// On their way up, values are clamped to the bounds of each node: a result worse than a role can
  /// force there was its own fault. Where results are noisy, bounds limit only the mean of all
  /// descents, and a value is clamped only as far as the mean would otherwise pass them.
  static void back_up(const Tree& tree, Path& path, NodeId made, std::span<float> values,
                      const Assumptions& game);
  /// Cancels the descent.
  static void take_back(const Tree& tree, Path& path, Tree::Census& census);

 private:
  std::uint32_t choose(Node& node);
  std::uint32_t choose_in_turn(Node& node);
  void leave_out(Node& node);
  std::uint32_t draw(std::span<const std::uint32_t> visits);
  std::uint32_t draw_at_once(Node& node, gdl::RoleIndex random);
  std::uint32_t choose_at_once(Node& node);

  SelectionRules rules_;
  gdl::Rng rng_;
  std::optional<gdl::RoleIndex> random_;
  std::vector<float> scores_;  // [option]
};

/// The joint moves most visited, from the root down, with `move` as the first move of `role`.
std::vector<gdl::MoveId> main_line(const Tree& tree, gdl::RoleIndex role, gdl::MoveId move);

}  // namespace ludens::search::value
