// SPDX-License-Identifier: MIT
// Estimates of a state's worth where a search stops short of the end.
#pragma once

#include <memory>
#include <span>

#include "gdl/machine/machine.h"
#include "search/strategy/options.h"
#include "search/tree/game_tree.h"

namespace ludens::search {

/// Estimates for all roles, 0..100. Works for one search in one thread.
class Evaluation {
 public:
  virtual ~Evaluation() = default;
  /// Evaluates the current state of the tree, which must not be terminal. May open it.
  virtual gdl::Status evaluate(GameTree& tree, std::span<double> out) = 0;
  /// The same for all states of an expansion at once, [pair * roles + role]; the values of terminal
  /// states are unspecified.
  virtual gdl::Status evaluate(const gdl::Machine& machine, gdl::Machine::Context& context,
                               const gdl::Expansion& states, std::span<double> out) = 0;
  /// Whether it is cheap enough to evaluate every child of a node only to order them.
  [[nodiscard]] virtual bool is_cheap() const { return true; }
  /// Whether the allowance of `evaluate` is used up: the search should end.
  [[nodiscard]] virtual bool exhausted() const { return false; }
};

/// Options of every strategy that can stop at a depth: `evaluation` and `samples`.
inline constexpr OptionInfo kEvaluationOption{
    "evaluation", "mixed",
    "at the depth limit: goal of the state, mobility, their mean (mixed), mean of playouts, "
    "learned from playouts of the match (learned; mixed until that is useful), or "
    "none (none)",
    "goal|mobility|mixed|playouts|learned|none"};
inline constexpr OptionInfo kSamplesOption{"samples", "8", "playouts of an evaluation by playouts",
                                           "1..10000"};

/// `learned` must be learned first (see `learned_evaluation.h`) and is `mixed` until then. Playouts
/// are seeded by `rng`; there are no more in total than the option `playouts` says.
std::unique_ptr<Evaluation> make_evaluation(const Options& options, gdl::Rng rng);

/// Knows nothing about any state.
std::unique_ptr<Evaluation> make_no_evaluation();

}  // namespace ludens::search
