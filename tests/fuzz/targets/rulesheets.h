// SPDX-License-Identifier: MIT
// What targets that read rulesheets share: limits, and what holds of every diagnostic.
#pragma once

#include "gdl/rules/rules.h"
#include "gdl/text/syntax.h"

namespace ludens::fuzz {

inline constexpr gdl::ParseLimits kTextLimits{.max_bytes = 1 << 16, .max_depth = 1'000};
inline const gdl::NormaliseLimits kRuleLimits{
    .max_rules = 5'000, .max_splitting = 50'000, .max_term_size = 1'000};

/// Each diagnostic has a place within a text of this many bytes, and says something.
void require_places(const gdl::Diagnostics& diagnostics, std::size_t text_bytes);

/// Whether rules were left out, as there were too many.
bool gave_up(const gdl::NormalisedRules& result);

}  // namespace ludens::fuzz
