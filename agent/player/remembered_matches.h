// SPDX-License-Identifier: MIT
// Matches that have no place now, kept in case a PLAY shows that their hosts go on.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>

#include "agent/message/message.h"
#include "agent/session/session.h"

namespace ludens::agent {

/// What a match needs to begin late.
struct RememberedMatch {
  Start start;
  Past past;
  Sender from = {};  // of START
};

/// The latest few of them. Not thread-safe.
class RememberedMatches {
 public:
  /// `memory_bytes`: the memory of the player, of which a description may take a small part only.
  explicit RememberedMatches(std::size_t memory_bytes);

  /// Whether the description is small enough to be kept. If it is not, it would leave too little
  /// for the messages of matches that are played.
  [[nodiscard]] bool fits(const Part& description) const;
  /// Takes the place of an earlier one with the same id. The oldest one is forgotten if there are
  /// too many.
  void remember(RememberedMatch match);
  std::optional<RememberedMatch> take(const std::string& match_id);
  /// Null if it is not kept.
  [[nodiscard]] const RememberedMatch* find(const std::string& match_id) const;

 private:
  std::size_t most_bytes_;
  std::deque<RememberedMatch> matches_;  // oldest first
};

}  // namespace ludens::agent
