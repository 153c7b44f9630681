// SPDX-License-Identifier: MIT
// Replaces wide relations in rules by the bodies of their rules.
#pragma once

#include <optional>
#include <vector>

#include "gdl/ground/flat_program.h"
#include "gdl/memory/limits.h"

namespace ludens::gdl {

/// The rules of all other relations, in which each positive literal of a wide relation is replaced
/// by the body of one of its rules, in all combinations. The wide relations must not be recursive
/// or negated. nullopt: more than 200,000 literals, or stopped.
std::optional<std::vector<FlatRule>> unfold(const std::vector<FlatRule>& rules,
                                            const std::vector<bool>& wide, StopPoll& poll);

}  // namespace ludens::gdl
