// SPDX-License-Identifier: MIT
#include "search/auto/solo_play.h"

#include <span>
#include <utility>

#include "search/strategy/starts_with.h"

namespace ludens::search {

namespace {

/// The share of a thinking time in which it must be found out whether the others have a say.
constexpr double kToLook = 0.25;

}  // namespace

bool SoloPlay::think(const Position& position, const Deadline& deadline, gdl::MemoryBudget* memory,
                     gdl::Rng& rng, Incumbent& incumbent) {
  look_at(position, deadline, memory, rng);
  if (game_ == nullptr) return false;
  Position own;
  if (!catch_up(position) || game_->project(position.state, own.state) != gdl::Status::Ok) {
    left_ = true;
    game_.reset();
    return false;
  }
  own.machine = game_->machine();
  own.history = own_history_;
  own.at_start = position.at_start;
  if (!puzzle_) puzzle_.emplace(make_());
  puzzle_->think(own, deadline, [&](Choice choice) { publish(std::move(choice), incumbent); });
  explanation_ = "the others can't touch what counts for " +
                 position.machine->role_name(position.role) + ": " + puzzle_->explanation();
  return true;
}

/// Decides whether this is such a game, once for each machine and role of a match.
void SoloPlay::look_at(const Position& position, const Deadline& deadline,
                       gdl::MemoryBudget* memory, gdl::Rng& rng) {
  const bool same_match = match_ == position.machine->vocabulary();
  if (same_match && machine_ == position.machine && role_ == position.role) return;
  left_ = left_ && same_match;
  match_ = position.machine->vocabulary();
  machine_ = position.machine;
  role_ = position.role;
  game_.reset();
  if (left_) return;
  const Deadline end = deadline.share(kToLook);
  auto game = factors::SoloGame::make(*machine_, role_, {.stop = &end, .memory = memory});
  if (game == nullptr || game->others_touch_it(position.state, end, rng)) return;
  game_ = std::move(game);
  history_.clear();
  own_history_.clear();
  const auto context = machine_->make_context();
  if (machine_->initial(*context, state_) != gdl::Status::Ok) game_.reset();
}

/// Follows the match up to the position. False: it was not the part's own course.
bool SoloPlay::catch_up(const Position& position) {
  const std::size_t roles = machine_->role_count();
  if (!starts_with(position.history, history_)) {
    history_.clear();
    own_history_.clear();
    const auto context = machine_->make_context();
    if (machine_->initial(*context, state_) != gdl::Status::Ok) return false;
  }
  gdl::State next;
  while (history_.size() < position.history.size()) {
    const auto joint = std::span(position.history).subspan(history_.size(), roles);
    bool as_told = false, moved = false;
    const auto status = game_->follow(state_, joint, next, as_told, moved);
    if (status != gdl::Status::Ok || !as_told) return false;
    if (moved) own_history_.push_back(game_->to_part(joint[role_]));
    history_.insert(history_.end(), joint.begin(), joint.end());
    std::swap(state_, next);
  }
  return true;
}

/// In the ids of the whole game, as an estimate: others may still let the game go on for ever.
void SoloPlay::publish(Choice choice, Incumbent& incumbent) const {
  const gdl::MoveId move = game_->to_whole(choice.move);
  if (move == gdl::kNoMove) return;
  choice.move = move;
  choice.exact = choice.goes_on = false;
  choice.variation.clear();
  for (RootMove& root : choice.root) {
    root.move = game_->to_whole(root.move);
    root.low = 0;
    root.high = 100;
    root.variation.clear();
  }
  incumbent.publish(std::move(choice));
}

}  // namespace ludens::search
