// SPDX-License-Identifier: MIT
// What a manager says of a match, as Gamemaster's own writes it.
#pragma once

#include <string>
#include <vector>

#include "gdl/rules/rules.h"
#include "gdl/text/error.h"

namespace ludens::server {

inline constexpr const char* kPing = "ping()";
inline constexpr const char* kAbort = "abort()";

/// `ruleset(RULE,RULE,...)`, as START has it, or a sentence that says why HRF can't express the
/// game.
gdl::Result<std::string> write_ruleset(const gdl::Rules& rules);

/// The one move that was made last, from the moves of all roles in prefix GDL; `[]` if there are
/// none.
std::string write_last_move(const std::vector<std::string>& moves);

}  // namespace ludens::server
