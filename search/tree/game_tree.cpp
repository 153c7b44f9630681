// SPDX-License-Identifier: MIT
#include "search/tree/game_tree.h"

#include <algorithm>

namespace ludens::search {

using gdl::Status;

GameTree::GameTree(const gdl::Machine& machine, gdl::Machine::Context& context,
                   gdl::RoleIndex first)
    : machine_(machine), context_(context), walker_(machine.walker(context)) {
  const auto chance = machine.random_role();
  order_.push_back(first);
  for (gdl::RoleIndex role = 0; role < machine.role_count(); ++role) {
    if (role != first && role != chance) order_.push_back(role);
  }
  if (chance && *chance != first) order_.push_back(*chance);
}

Status GameTree::reset(gdl::StateView root, std::span<const gdl::StateHash> before) {
  before_ = before;
  levels_.clear();
  nodes_.clear();
  moves_.clear();
  const Status status = walker_->reset(root);
  return status == Status::Ok ? push_state() : status;
}

Status GameTree::push_state() {
  Level level{.key = gdl::hash(walker_->state()), .moves_begin = moves_.size()};
  const Status status = walker_->terminal(level.terminal);
  if (status != Status::Ok) return status;
  levels_.push_back(level);
  nodes_.push_back({});
  ++states_;
  deepest_ = std::max(deepest_, depth());
  return Status::Ok;
}

void GameTree::pop_state() {
  moves_.resize(levels_.back().moves_begin);
  levels_.pop_back();
}

Status GameTree::list_moves() {
  const std::size_t roles = order_.size();
  const std::size_t base = depth() * roles;
  if (begin_.size() < base + roles) {
    begin_.resize(base + roles);
    end_.resize(base + roles);
    joint_.resize(base + roles);
  }
  moves_.resize(levels_.back().moves_begin);
  for (gdl::RoleIndex role = 0; role < roles; ++role) {
    const Status status = walker_->legal(role, legal_);
    if (status != Status::Ok) return status;
    begin_[base + role] = moves_.size();
    moves_.insert(moves_.end(), legal_.begin(), legal_.end());
    end_[base + role] = moves_.size();
  }
  return Status::Ok;
}

Status GameTree::open() {
  if (levels_.back().open) return Status::Ok;
  const Status status = list_moves();
  if (status != Status::Ok) return status;
  for (gdl::RoleIndex role = 0; role < order_.size(); ++role) {
    const auto legal = moves_of(role);
    if (legal.empty()) levels_.back().terminal = true;
    if (role == machine_.random_role()) levels_.back().chance = legal.size() > 1;
    joint_[depth() * order_.size() + role] = legal.empty() ? gdl::kNoMove : legal.front();
  }
  const bool asked = depth() == 0 || moves().size() > 1;
  const std::size_t other = asked ? order_.size() : next_decider();
  levels_.back().open = true;
  // If no role has a choice, the searching role makes the only move.
  if (other < order_.size()) nodes_.back().decider = static_cast<std::uint32_t>(other);
  return Status::Ok;
}

std::span<const gdl::MoveId> GameTree::moves_of(gdl::RoleIndex role) const {
  const std::size_t i = depth() * order_.size() + role;
  return std::span(moves_).subspan(begin_[i], end_[i] - begin_[i]);
}

std::size_t GameTree::next_decider() const {
  std::size_t place = nodes_.back().decider + 1;
  while (place < order_.size() && moves_of(order_[place]).size() == 1) ++place;
  return place;
}

Status GameTree::down(gdl::MoveId move) {
  const Node node = nodes_.back();
  const std::size_t base = depth() * order_.size();
  joint_[base + decider()] = move;
  const std::size_t next = next_decider();
  if (next < order_.size()) {
    nodes_.push_back({static_cast<std::uint32_t>(next), node.decided + 1});
    return Status::Ok;
  }
  Status status = walker_->step(std::span(joint_).subspan(base, order_.size()));
  if (status != Status::Ok) return status;
  status = push_state();
  if (status != Status::Ok) walker_->undo();
  return status;
}

void GameTree::up() {
  if (is_state()) {
    pop_state();
    walker_->undo();
  }
  nodes_.pop_back();
}

std::optional<std::size_t> GameTree::recurrence() const {
  const gdl::StateHash key = levels_.back().key;
  for (std::size_t level = depth(); level-- > 0;) {
    if (levels_[level].key == key) return level;
  }
  if (std::ranges::find(before_, key) != before_.end()) return 0;
  return std::nullopt;
}

bool GameTree::recurs_by_chance() const {
  const auto before = recurrence();
  if (!before) return false;
  const auto since = levels_.begin() + static_cast<std::ptrdiff_t>(*before);
  return std::any_of(since, levels_.end(), [](const Level& level) { return level.chance; });
}

}  // namespace ludens::search
