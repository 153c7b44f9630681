// SPDX-License-Identifier: MIT
// Pictures of positions for a page that polls for them.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "agent/message/message.h"
#include "search/strategy/strategy.h"

namespace ludens::server {

/// A position in the form that pages draw.
struct DrawnBoard {
  std::uint64_t picture = 0;   // number of the game's document
  boost::json::object game;    // GameDocument::json
  boost::json::object state;   // the first step of a MatchDocument
  boost::json::object result;  // {ROLE: goal, ..} if the match ended here; empty before
};

/// Draws in a separate thread, so that no player's clock waits for a board: a requested picture is
/// ready the next time. Thread-safe.
class Boards {
 public:
  Boards();
  /// Stops at once.
  ~Boards();
  Boards(const Boards&) = delete;
  Boards& operator=(const Boards&) = delete;

  /// The latest picture of the match; null before the first. Begins to draw the position if it is a
  /// new one.
  std::shared_ptr<const DrawnBoard> draw(const std::string& match,
                                         const search::Position& position);
  /// Begins to draw the position behind the match's last move, made by one role in `before`, and
  /// what the roles got.
  void finish(const std::string& match, const search::Position& before, const agent::Part& move);
  /// The latest picture of the match.
  std::shared_ptr<const DrawnBoard> latest(const std::string& match) const;
  void forget(const std::string& match);
  /// Forgets all other matches.
  void keep(const std::vector<std::string>& matches);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ludens::server
