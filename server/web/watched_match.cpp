// SPDX-License-Identifier: MIT
#include "server/web/watched_match.h"

#include <utility>

namespace ludens::server {

void WatchedMatch::begun(const MatchRecord& record, const Position& position) {
  game_ = feed_.game(record, notation_);
  sight_.reset();
  for (std::size_t role = 0; role < people_.size() && position.hides_moves(); ++role) {
    if (people_[role] != nullptr) sight_ = role;
  }
  show(record, sight_);
  offer(record, position);
}

/// Shows the match from the beginning; on a page that already has the match it replaces that one.
void WatchedMatch::show(const MatchRecord& record, std::optional<std::size_t> sight) {
  document_.emplace(game_, sight);
  boost::json::array steps;
  while (steps.size() < record.states.size()) {
    steps.emplace_back(document_->step(record, steps.size()));
  }
  feed_.begun(record, game_, document_->header(record), steps);
}

void WatchedMatch::asked(const MatchRecord& record, TimePoint until) {
  feed_.asked(record.match_id, record.errors.empty(), until);
}

void WatchedMatch::moved(const MatchRecord& record, const Position& position) {
  feed_.moved(record.match_id, document_->step(record, record.moves.size(), position.terminal()));
  offer(record, position);
}

void WatchedMatch::ended(const MatchRecord& record) {
  if (sight_) show(record, std::nullopt);  // nothing must be hidden any more
  feed_.ended(record.match_id, ending_json(record));
}

void WatchedMatch::warned(const std::string& text) {
  feed_.note(text);
}

void WatchedMatch::offer(const MatchRecord& record, const Position& position) {
  for (gdl::RoleIndex role = 0; role < people_.size(); ++role) {
    if (people_[role] == nullptr || position.terminal()) continue;
    std::vector<std::string> moves;
    boost::json::array moves_json;
    for (const gdl::MoveId move : position.legal(role)) {
      moves.push_back(storable(position.move_name(move)));
      moves_json.emplace_back(game_->move_json(moves.back()));
    }
    people_[role]->offer(record.match_id, record.moves.size(), std::move(moves),
                         std::move(moves_json));
  }
}

}  // namespace ludens::server
