#include "search/mcts/worker.h"

#include <algorithm>

#include "search/mcts/bounds.h"

namespace ludens::search::mcts {

namespace {

constexpr std::size_t kCollectAPass = 64;  // dead nodes

}  // namespace

void GoalSums::see(std::span<const std::uint64_t> goals, std::uint64_t playouts,
                   std::optional<gdl::RoleIndex> random) {
  if (!fixed_) return;
  std::uint64_t total = 0;
  for (gdl::RoleIndex r = 0; r < goals.size(); ++r) {
    if (r != random) total += goals[r];
  }
  if (!sum_) sum_ = total / playouts;
  fixed_ = total == *sum_ * playouts;
}

void SharedSearch::restart(std::uint64_t descents) {
  descents_left = descents;
  finished = false;
  iterations = 0;
  nodes = 0;
  depth = 0;
}

bool SharedSearch::adversarial() const {
  const std::size_t all = tree[tree.root()].role_count();
  const std::size_t players = policy.random ? all - 1 : all;
  return players == 1 || (players == 2 && goal_sums.fixed());
}

void SharedSearch::look_for_the_end() {
  policy.use_bounds = bounds && adversarial();
  const Bounds& root = tree[tree.root()].role(role).bounds;
  if (root.low >= threshold || (policy.use_bounds && root.closed())) finished = true;
}

void Worker::use(const gdl::Machine* machine) {
  if (machine == machine_) return;
  machine_ = machine;
  context_ = machine->make_context({.stop = nullptr, .memory = memory_});
  value_.resize(machine->role_count());
}

bool Worker::pass(const PassSize& size) {
  if (!select(one_at_a_time_ ? 1 : size.leaves)) return false;
  const gdl::Status status = descents_.empty() ? gdl::Status::Ok : evaluate(size.playouts);
  std::lock_guard lock(search_.mutex);
  if (status == gdl::Status::Ok) {
    land();
  } else if (status == gdl::Status::OverBudget && descents_.size() == 1) {
    land_at_nothing();
  } else {
    one_at_a_time_ = status == gdl::Status::OverBudget;
    land_without_value();
  }
  search_.look_for_the_end();
  return true;
}

bool Worker::select(std::uint32_t leaves) {
  steps_.clear();
  descents_.clear();
  states_.clear();
  moves_.clear();
  std::lock_guard lock(search_.mutex);
  if (search_.finished || search_.descents_left == 0) return false;
  search_.tree.collect(kCollectAPass);
  for (; leaves > 0 && search_.descents_left > 0; --leaves, --search_.descents_left) {
    take(descend(search_.tree, search_.policy, rng_, steps_));
  }
  return true;
}

void Worker::take(const Descent& descent) {
  search_.depth = std::max(search_.depth, descent.step_count);
  if (descent.end == Descent::End::Settled) {
    const Node& leaf = search_.tree[descent.leaf];
    for (gdl::RoleIndex r = 0; r < value_.size(); ++r) value_[r] = leaf.role(r).bounds.low / 100.0;
    back_up(search_.tree, descent, steps_, search_.policy, value_);
    ++search_.iterations;
    steps_.resize(descent.first_step);
    return;
  }
  descents_.push_back(descent);
  if (descent.end == Descent::End::Leaf) {
    states_.push_back(search_.tree[descent.leaf].state());
    return;
  }
  const Step& last = steps_.back();
  const Node& node = search_.tree[last.node];
  states_.push_back(node.state());
  moves_.resize(moves_.size() + value_.size());
  node.decode(last.code, std::span(moves_).last(value_.size()));
}

gdl::Status Worker::evaluate(const gdl::PlayoutOptions& options) {
  pairs_.clear();
  starts_.clear();
  for (std::size_t i = 0; i < descents_.size(); ++i) {
    if (descents_[i].end != Descent::End::Edge) continue;
    const auto move = std::span(moves_).subspan(pairs_.size() * value_.size(), value_.size());
    pairs_.push_back({states_[i], move});
  }
  if (!pairs_.empty()) {
    const gdl::Status status = machine_->expand(*context_, pairs_, expansion_);
    if (status != gdl::Status::Ok) return status;
  }
  std::size_t pair = 0;
  for (std::size_t i = 0; i < descents_.size(); ++i) {
    if (descents_[i].end != Descent::End::Edge) {
      starts_.push_back(states_[i]);
    } else if (expansion_.terminal[pair++] == 0) {
      starts_.push_back(expansion_.states[pair - 1]);
    }
  }
  if (starts_.empty()) return gdl::Status::Ok;
  return machine_->playouts(*context_, starts_, options, rng_, sums_);
}

void Worker::land() {
  const std::size_t roles = value_.size();
  std::size_t pair = 0;
  std::size_t start = 0;
  search_.nodes += pairs_.size() + (starts_.empty() ? 0 : sums_.steps);
  for (Descent& descent : descents_) {
    const bool expanded = descent.end == Descent::End::Edge;
    const bool over = expanded && expansion_.terminal[pair] != 0;
    if (over) {
      take_goals<std::uint8_t>(std::span(expansion_.goals).subspan(pair * roles, roles), 1, true);
    } else {
      const std::uint32_t playouts = std::max<std::uint32_t>(1, sums_.playouts[start]);
      take_goals<std::uint64_t>(std::span(sums_.goals).subspan(start * roles, roles), playouts,
                                sums_.cut == 0);
      ++start;
    }
    if (expanded) {
      descent.leaf = place(steps_[descent.first_step + descent.step_count - 1], pair++);
    }
    if (over) prove(descent);
    back_up(search_.tree, descent, steps_, search_.policy, value_);
    ++search_.iterations;
  }
}

template <typename Goal>
void Worker::take_goals(std::span<const Goal> goals, std::uint32_t playouts, bool at_the_end) {
  goals_.assign(goals.begin(), goals.end());
  for (std::size_t r = 0; r < goals.size(); ++r) {
    value_[r] = static_cast<double>(goals[r]) / (100.0 * playouts);
  }
  if (at_the_end) search_.goal_sums.see(goals_, playouts, search_.policy.random);
}

void Worker::land_without_value() {
  for (const Descent& descent : descents_) take_back(search_.tree, descent, steps_);
  search_.descents_left += descents_.size();
}

/// What can't be worked out is avoided.
void Worker::land_at_nothing() {
  std::ranges::fill(value_, 0.0);
  Descent descent = descents_.front();
  if (descent.end == Descent::End::Edge) descent.leaf = kNoNode;
  back_up(search_.tree, descent, steps_, search_.policy, value_);
  ++search_.iterations;
}

/// The node of an expanded pair: a new one, or one that another descent or machine has made. Should
/// two machines not agree about a position, it stays as the first had it and is not entered.
NodeId Worker::place(const Step& last, std::size_t pair) {
  const std::size_t roles = value_.size();
  const Facts facts{expansion_.states[pair], expansion_.terminal[pair] != 0,
                    std::span(expansion_.goals).subspan(pair * roles, roles), expansion_.moves,
                    std::span(expansion_.begin).subspan(pair * roles, roles + 1)};
  Tree& tree = search_.tree;
  const NodeId known = tree[last.node].child(last.code);
  if (known != kNoNode) {
    if (tree[known].epoch == search_.policy.epoch) return known;
    if (!tree[known].agrees_with(facts)) return kNoNode;
    return tree.restate(known, facts.state, search_.policy.epoch) ? known : kNoNode;
  }
  return tree.add(last.node, last.code, facts, search_.policy.epoch);
}

/// Carries a proof up the path as far as it changes anything.
void Worker::prove(const Descent& descent) {
  if (!search_.bounds) return;
  for (std::uint32_t i = descent.step_count; i-- > 0;) {
    const NodeId id = steps_[descent.first_step + i].node;
    if (!update_bounds(search_.tree, id, search_.policy.random)) return;
  }
}

}  // namespace ludens::search::mcts
