// SPDX-License-Identifier: MIT
// Rules with what they ask for put in place.
#pragma once

#include <optional>
#include <vector>

#include "gdl/ground/flat_program.h"
#include "gdl/memory/limits.h"

namespace ludens::gdl {

/// The rules of all other relations, each positive literal of a wide relation replaced by the body
/// of one of its rules, in all combinations. The wide relations are not recursive and are never
/// negated. nullopt: more than 200,000 literals, or stopped.
std::optional<std::vector<FlatRule>> unfold(const std::vector<FlatRule>& rules,
                                            const std::vector<bool>& wide, StopPoll& poll);

}  // namespace ludens::gdl
