// SPDX-License-Identifier: MIT
// What a strategy thought, as one line for logs and pages.
#pragma once

#include <string>

#include "gdl/machine/vocabulary.h"
#include "search/strategy/strategy.h"

namespace ludens::agent {

/// The move and its value, how much was searched, and the strategy's own `explanation` if there is
/// one; empty for a move that the vocabulary does not have.
std::string thought_text(const search::Choice& choice, const gdl::Vocabulary& names,
                         const std::string& explanation);

}  // namespace ludens::agent
