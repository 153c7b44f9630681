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
  /// Of the state that the tree stands at, which is not terminal. May open it.
  virtual gdl::Status evaluate(GameTree& tree, std::span<double> out) = 0;
  /// The same of all states of an expansion at once, [pair * roles + role]; nothing is said of
  /// those that are terminal.
  virtual gdl::Status evaluate(const gdl::Machine& machine, gdl::Machine::Context& context,
                               const gdl::Expansion& states, std::span<double> out) = 0;
  /// Whether it may be asked of every child of a node only to order them.
  [[nodiscard]] virtual bool is_cheap() const { return true; }
  /// Whether what `evaluate` was allowed to spend is used up: the search should end.
  [[nodiscard]] virtual bool exhausted() const { return false; }
};

/// Options of every strategy that can stop at a depth: `evaluation` and `samples`.
inline constexpr OptionInfo kEvaluationOption{
    "evaluation", "mixed",
    "at the depth limit: goal of the state, mobility, their mean (mixed), mean of playouts, "
    "what playouts of the match taught (learned; mixed until that is worth something), or "
    "nothing known (none)",
    "goal|mobility|mixed|playouts|learned|none"};
inline constexpr OptionInfo kSamplesOption{"samples", "8",
                                           "playouts an evaluation by playouts makes", "1..10000"};

/// `learned` is one to be learned first, see `learned_evaluation.h`, and mixed until then.
/// Playouts are seeded by `rng` and no more than the option `playouts` in all.
std::unique_ptr<Evaluation> make_evaluation(const Options& options, gdl::Rng rng);

/// Nothing is known of any state.
std::unique_ptr<Evaluation> make_no_evaluation();

}  // namespace ludens::search
