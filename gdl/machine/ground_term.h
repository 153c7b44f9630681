// SPDX-License-Identifier: MIT
// Ground terms: from text, and their arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gdl/machine/vocabulary.h"

namespace ludens::gdl {

/// The cells of a term as somebody else writes it, compared without regard to case; nullopt if it
/// is not one, or has words that the rules don't have. `( noop )` and `noop` are one term.
std::optional<std::vector<std::uint32_t>> ground_term(const Symbols& symbols,
                                                      const SyntaxTree& tree, NodeIndex node);

/// The arguments of a term, as parts of it; a constant has none.
std::vector<GroundTerm> arguments_of(GroundTerm term);

}  // namespace ludens::gdl
