// SPDX-License-Identifier: MIT
// What can be wrong with the answers of a player, in more detail than the codes of records.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace ludens::server {

/// Counts of one role's answers that were not accepted, by what was wrong with them. Each was
/// replaced by a legal move (those to START by nothing).
struct FaultCounts {
  std::size_t late = 0;        // TO: nothing had arrived when the clock ended
  std::size_t unfinished = 0;  // TO: an answer had begun to arrive, but was not complete in time
  std::size_t illegal = 0;     // IL: a term that is not a legal move
  std::size_t garbage = 0;     // IN: text that is not one term
  std::size_t refused = 0;     // CE: no connection
  std::size_t dropped = 0;     // CE: connected, but no HTTP reply arrived, or one that reports an
                               // error

  [[nodiscard]] std::size_t total() const {
    return late + unfinished + illegal + garbage + refused + dropped;
  }
  FaultCounts& operator+=(const FaultCounts& other);
  friend bool operator==(const FaultCounts&, const FaultCounts&) = default;
};

/// A kind of fault: its name in logs and tables, and its counter.
struct FaultKind {
  std::string_view name;  // the member's
  std::size_t FaultCounts::*count;
  std::string_view meaning;  // a few words for people
};
/// All kinds, in the order of FaultCounts.
const std::vector<FaultKind>& fault_kinds();

}  // namespace ludens::server
