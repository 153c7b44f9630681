// SPDX-License-Identifier: MIT
// How a match stands.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace ludens::agent {

/// What runs, for pages and INFO.
struct MatchStatus {
  std::string match_id;
  std::string role;
  std::size_t step = 0;
  std::string thinking;              // the strategy's last choice, as a line of text
  std::optional<std::size_t> legal;  // how many moves we have in the present turn, once known
  bool dead = false;  // nothing has come for so long that a new START takes its place
};

}  // namespace ludens::agent
