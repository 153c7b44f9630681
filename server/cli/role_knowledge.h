// SPDX-License-Identifier: MIT
// What a role knows about a position in a game with hidden information, for `show --role`.
#pragma once

#include <boost/json/fwd.hpp>
#include <cstddef>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "gdl/memory/limits.h"
#include "server/game/position.h"

namespace ludens::server {

/// A role's moves and percepts, and the states in which the match may be by what it knows.
class RoleKnowledge {
 public:
  /// If there are too many histories that fit, or `stop` asks for it, only some of them are kept.
  RoleKnowledge(const Position& position, const std::shared_ptr<const gdl::Machine>& machine,
                gdl::RoleIndex role, gdl::MemoryBudget* memory, const gdl::StopSignal& stop);

  void print(std::ostream& out) const;
  [[nodiscard]] boost::json::object json() const;

 private:
  struct Turn {
    std::string move;
    std::vector<std::string> percepts;
  };

  std::string role_;
  std::vector<Turn> turns_;
  bool found_ = false, exact_ = false, overflows_ = false;
  std::size_t histories_ = 0;
  /// Each once, the likeliest first, with its probability if all others move at random.
  std::vector<std::pair<double, std::string>> states_;
};

}  // namespace ludens::server
