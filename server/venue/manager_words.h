// SPDX-License-Identifier: MIT
// What a manager says of a match, as Gamemaster's own writes it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gdl/rules/rules.h"
#include "gdl/text/error.h"

namespace ludens::server {

inline constexpr const char* kPing = "ping()";
inline constexpr const char* kAbort = "abort()";

/// The rules as pages are told them, and the names that HRF has for those of the rules.
struct PageRules {
  std::string ruleset;  // `ruleset(RULE,RULE,...)`, as START has it
  std::map<std::string, std::string> to_page, from_page;  // names, by the folded ones

  /// A role or move of prefix GDL as the page has it, and one of the page in prefix GDL.
  [[nodiscard]] std::string for_page(const std::string& term) const;
  [[nodiscard]] std::string of_page(const std::string& term) const;
  /// The one move that was made last, from the moves of all roles in prefix GDL; `[]` if there are
  /// none.
  [[nodiscard]] std::string last_move(const std::vector<std::string>& moves) const;
};

/// The error is a sentence that says why HRF can't express the game.
gdl::Result<PageRules> write_page_rules(const gdl::Rules& rules);

}  // namespace ludens::server
