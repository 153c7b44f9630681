// SPDX-License-Identifier: MIT
#include "search/hidden/mccfr_search.h"

#include <algorithm>
#include <utility>

#include "gdl/machine/rng.h"
#include "search/hidden/known_hash.h"

namespace ludens::search::hidden {

namespace {

constexpr std::size_t kNodesBetween = 4096;  // between questions whether to stop

}  // namespace

MccfrSearch::MccfrSearch(const gdl::Machine& machine, const MccfrPolicy& policy,
                         InformationSets<Regrets>& sets, gdl::Rng& rng, gdl::MemoryBudget* memory)
    : machine_(machine),
      policy_(policy),
      sets_(sets),
      rng_(rng),
      context_(machine.make_context({.stop = nullptr, .memory = memory})),
      roles_(machine.role_count()),
      all_is_seen_(!machine.vocabulary()->rules().has_rule(gdl::kSees)),
      alone_(roles_ == (machine.random_role() ? 2U : 1U)) {}

gdl::Status MccfrSearch::run(std::size_t traversals, const gdl::StopSignal& stop) {
  context_->limits.stop = &stop;
  if (initial_.size() == 0) {
    const auto status = begin_histories(machine_, *context_, initial_);
    if (status != gdl::Status::Ok) return status;
  }
  for (gdl::RoleIndex player = 0; player < roles_; ++player) {
    if (player == machine_.random_role()) continue;
    if (const auto s = run_for(player, traversals); s != gdl::Status::Ok) return s;
  }
  return gdl::Status::Ok;
}

gdl::Status MccfrSearch::run_for(gdl::RoleIndex player, std::size_t traversals) {
  nodes_.assign(traversals, {});
  known_.clear();
  arms_.clear();
  frontier_.clear();
  const auto known = initial_.known_by_all(0);
  for (std::size_t n = 0; n < traversals; ++n) {
    nodes_[n].parent = n;
    known_.insert(known_.end(), known.begin(), known.end());
    frontier_.push_back(n);
  }
  for (turn_ = 0; !frontier_.empty() && turn_ < policy_.steps; ++turn_) {
    if (const auto s = go_down(player); s != gdl::Status::Ok) return s;
  }
  learn();
  return gdl::Status::Ok;
}

/// Makes one turn: the moves that are followed after each node of the frontier, and their
/// successors.
gdl::Status MccfrSearch::go_down(gdl::RoleIndex player) {
  next_frontier_.clear();
  joints_.clear();
  std::size_t asked = nodes_.size();  // when it was last asked whether to stop
  for (const std::size_t node : frontier_) {
    propose(node, player);
    if (nodes_.size() > policy_.most_nodes) return gdl::Status::OverBudget;
    if (nodes_.size() - asked < kNodesBetween) continue;
    asked = nodes_.size();
    if (context_->limits.stop->stop_requested()) return gdl::Status::Stopped;
  }
  pairs_.clear();
  for (std::size_t n = 0; n < next_frontier_.size(); ++n) {
    const std::size_t place = nodes_[nodes_[next_frontier_[n]].parent].place;
    pairs_.push_back({turn_ == 0 ? initial_.states[0] : now_.states[place],
                      std::span(joints_).subspan(n * roles_, roles_)});
  }
  states_ += pairs_.size();
  if (!all_is_seen_) {
    if (const auto s = machine_.perceive(*context_, pairs_, percepts_); s != gdl::Status::Ok) {
      return s;
    }
  }
  if (const auto s = machine_.expand(*context_, pairs_, after_); s != gdl::Status::Ok) return s;
  frontier_.clear();
  for (std::size_t n = 0; n < next_frontier_.size(); ++n) {
    const std::size_t id = next_frontier_[n];
    Node& node = nodes_[id];
    node.place = n;
    if (after_.terminal[n] != 0) {
      node.value = after_.goals[n * roles_ + player] / 100.0;
      continue;
    }
    const auto joint = std::span(joints_).subspan(n * roles_, roles_);
    for (gdl::RoleIndex r = 0; r < roles_; ++r) {
      const auto seen = all_is_seen_ ? joint : percepts_.of(n, r, roles_);
      known_[id * roles_ + r] = learned(known_[node.parent * roles_ + r], joint[r], seen);
    }
    frontier_.push_back(id);
  }
  std::swap(now_, after_);
  return gdl::Status::Ok;
}

std::span<const gdl::MoveId> MccfrSearch::legal(std::size_t node, gdl::RoleIndex role) const {
  const std::size_t place = nodes_[node].place;
  return turn_ == 0 ? initial_.legal(0, role) : now_.legal(place, role, roles_);
}

/// Proposes the children of a node: those of all the player's moves, or of one.
void MccfrSearch::propose(std::size_t node, gdl::RoleIndex player) {
  if (!choose_others(node, player)) return;  // worth nothing
  const auto moves = legal(node, player);
  if (moves.size() > 1) open_arms(node, player, moves);
  if (nodes_[node].set == nullptr) {
    const gdl::MoveId own = moves[rng_.below(static_cast<std::uint32_t>(moves.size()))];
    return add_child(node, 0, 1, own, player);
  }
  const std::size_t first = nodes_[node].arms;
  const std::uint32_t count = nodes_[node].count;
  if (policy_.external) {
    for (std::uint32_t arm = 0; arm < count; ++arm) add_child(node, arm, 1, moves[arm], player);
    return;
  }
  chances_.clear();
  for (std::uint32_t arm = 0; arm < count; ++arm) {
    chances_.push_back(policy_.exploration / count +
                       (1 - policy_.exploration) * arms_[first + arm].chance);
  }
  const auto arm = static_cast<std::uint32_t>(gdl::draw_index(chances_, rng_.uniform()));
  add_child(node, arm, chances_[arm], moves[arm], player);
}

/// Draws the moves of the others and of chance into `joint_`; false if a role has none.
bool MccfrSearch::choose_others(std::size_t node, gdl::RoleIndex player) {
  joint_.assign(roles_, gdl::kNoMove);
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    if (legal(node, r).empty()) return false;
  }
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    if (r == player) continue;
    const auto moves = legal(node, r);
    Regrets* set = nullptr;
    if (moves.size() > 1 && r != machine_.random_role()) {
      const std::uint64_t known = known_[node * roles_ + r];
      set = sets_.find(r, known);
      if (set == nullptr) set = sets_.make(r, known, moves.size());
    }
    if (set == nullptr) {
      joint_[r] = moves[rng_.below(static_cast<std::uint32_t>(moves.size()))];
      continue;
    }
    set->find(moves, places_);
    set->match(places_, chances_);
    for (std::size_t i = 0; i < places_.size(); ++i) {
      set->averages[places_[i]] += nodes_[node].weight * chances_[i];
    }
    joint_[r] = moves[gdl::draw_index(chances_, rng_.uniform())];
  }
  return true;
}

void MccfrSearch::open_arms(std::size_t node, gdl::RoleIndex player,
                            std::span<const gdl::MoveId> legal) {
  const std::uint64_t known = known_[node * roles_ + player];
  Regrets* set = sets_.find(player, known);
  if (set == nullptr) set = sets_.make(player, known, legal.size());
  if (set == nullptr) return;
  set->find(legal, places_);
  set->match(places_, chances_);
  nodes_[node].set = set;
  nodes_[node].arms = arms_.size();
  nodes_[node].count = static_cast<std::uint32_t>(legal.size());
  for (std::size_t i = 0; i < legal.size(); ++i) {
    arms_.push_back({.place = places_[i], .chance = chances_[i], .drawn = 0, .value = 0});
    if (!alone_) continue;
    const double weight = nodes_[node].own * nodes_[node].weight;
    set->averages[places_[i]] += weight * chances_[i];
  }
}

void MccfrSearch::add_child(std::size_t node, std::uint32_t arm, double drawn, gdl::MoveId own,
                            gdl::RoleIndex player) {
  if (nodes_[node].set != nullptr) arms_[nodes_[node].arms + arm].drawn = drawn;
  Node child{.parent = node, .arm = arm, .weight = nodes_[node].weight / drawn};
  const double chance = nodes_[node].set == nullptr ? 1 : arms_[nodes_[node].arms + arm].chance;
  child.own = nodes_[node].own * chance;
  next_frontier_.push_back(nodes_.size());
  nodes_.push_back(child);
  known_.resize(nodes_.size() * roles_);
  joint_[player] = own;
  joints_.insert(joints_.end(), joint_.begin(), joint_.end());
}

/// Computes values from the ends up, and the regrets of all moves of the player.
void MccfrSearch::learn() {
  for (std::size_t id = nodes_.size(); id-- > 0;) {
    Node& node = nodes_[id];
    if (node.set != nullptr) {
      const auto arms = std::span(arms_).subspan(node.arms, node.count);
      for (const ArmOfNode& arm : arms) node.value += arm.chance * arm.value;
      for (const ArmOfNode& arm : arms) {
        node.set->regrets[arm.place] += node.weight * (arm.value - node.value);
      }
    }
    if (node.parent == id) continue;
    Node& parent = nodes_[node.parent];
    if (parent.set == nullptr) {
      parent.value = node.value;
    } else {
      ArmOfNode& arm = arms_[parent.arms + node.arm];
      arm.value = node.value / arm.drawn;
    }
  }
}

}  // namespace ludens::search::hidden
