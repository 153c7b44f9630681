// SPDX-License-Identifier: MIT
// Estimates of a state's worth where a search stops short of the end.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "gdl/machine/rng.h"
#include "search/learning/value_function.h"
#include "search/tree/game_tree.h"

namespace ludens::search {

/// Estimates for all roles, 0..100. Works for one search in one thread.
class Evaluation {
 public:
  virtual ~Evaluation() = default;
  /// Evaluates the current state of the tree, which must not be terminal. May open it.
  virtual gdl::Status evaluate(GameTree& tree, std::span<double> out) = 0;
  /// Whether it is cheap enough to evaluate every child of a node only to order them.
  [[nodiscard]] virtual bool is_cheap() const { return true; }
  /// Whether the allowance of `evaluate` is used up: the search should end.
  [[nodiscard]] virtual bool exhausted() const { return false; }
};

enum class EvaluationKind : std::uint8_t {
  None,      // the middle of the scale
  Goal,      // the goals that the rules give the state, as if it were the end
  Mobility,  // legal moves against those of the others
  Mixed,     // the mean of the last two
  Playouts,  // the mean goals of a few uniform playouts
  Learned,   // values learned by self-play; Mixed as long as there are none
};
inline constexpr std::string_view kEvaluationKinds = "none|goal|mobility|mixed|playouts|learned";
/// The kind of one of the words of `kEvaluationKinds`.
EvaluationKind evaluation_kind(std::string_view word);

/// Playouts are seeded by `rng`, and no more than `playouts` in total; 0: any number. `values`, for
/// states of the tree's machine, may be null.
std::unique_ptr<Evaluation> make_evaluation(EvaluationKind kind, std::uint64_t playouts,
                                            gdl::Rng rng,
                                            std::shared_ptr<const ValueFunction> values = nullptr);

}  // namespace ludens::search
