// SPDX-License-Identifier: MIT
// Splits a body with `or`, `and` and nested `not` into bodies without them: one for each way it can
// hold.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "gdl/rules/clause_reader.h"

namespace ludens::gdl {

/// A sentence or `distinct` of a formula, plain or negated.
struct SignedNode {
  std::uint32_t formula;
  bool negated;
};

/// Calls `emit` with each branch, in the order in which the text names them; each holds its
/// literals in text order. `not` is pushed inwards. Every visited node is subtracted from `budget`,
/// and `branch_cost` for each branch except the last; false as soon as it is used up. `emit`
/// returns false to end the splitting.
bool split(const std::vector<FormulaNode>& body, std::size_t branch_cost, std::size_t& budget,
           const std::function<bool(const std::vector<SignedNode>&)>& emit);

}  // namespace ludens::gdl
