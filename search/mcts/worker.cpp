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
  const std::size_t all = graph[graph.root()].role_count();
  const std::size_t players = policy.random ? all - 1 : all;
  return players == 1 || (players == 2 && goal_sums.fixed());
}

void SharedSearch::look_for_the_end() {
  policy.use_bounds = bounds && adversarial();
  const Bounds& root = graph[graph.root()].bounds(role);
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
  selected_.clear();
  descents_.clear();
  states_.clear();
  moves_.clear();
  std::lock_guard lock(search_.mutex);
  if (search_.finished || search_.descents_left == 0) return false;
  search_.graph.collect(kCollectAPass);
  const auto count =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(leaves, search_.descents_left));
  search_.descents_left -= count;
  selection_.run(search_.graph, search_.policy, count, rng_, steps_, selected_);
  for (const Descent& descent : selected_) take(descent);
  return true;
}

void Worker::take(const Descent& descent) {
  search_.depth = std::max(search_.depth, descent.step_count);
  if (descent.end == Descent::End::Settled) return settle(descent);
  descents_.push_back(descent);
  const Graph& graph = search_.graph;
  if (descent.end == Descent::End::Leaf) {
    states_.push_back(graph.state(graph[descent.leaf]));
    return;
  }
  const Step& last = steps_[descent.first_step + descent.step_count - 1];
  const Node& node = graph[last.node];
  states_.push_back(graph.state(node));
  moves_.resize(moves_.size() + value_.size());
  node.decode(last.code, std::span(moves_).last(value_.size()));
}

void Worker::settle(const Descent& descent) {
  const Node& leaf = search_.graph[descent.leaf];
  for (gdl::RoleIndex r = 0; r < value_.size(); ++r) value_[r] = leaf.bounds(r).low / 100.0;
  prove(descent);  // it may have been settled on another way than this
  back_up(search_.graph, descent, steps_, search_.policy, value_);
  ++search_.iterations;
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

/// The places of new nodes in memory are all over it: they are asked for together.
void Worker::announce() {
  hashes_.resize(pairs_.size());
  for (const bool again : {false, true}) {
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      search_.graph.announce(expansion_.states[pair], hashes_[pair], again);
    }
  }
}

void Worker::land() {
  const std::size_t roles = value_.size();
  std::size_t pair = 0;
  std::size_t start = 0;
  announce();
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
    back_up(search_.graph, descent, steps_, search_.policy, value_);
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
  for (const Descent& descent : descents_) take_back(search_.graph, descent, steps_);
  search_.descents_left += descents_.size();
}

/// What can't be worked out is avoided.
void Worker::land_at_nothing() {
  std::ranges::fill(value_, 0.0);
  Descent descent = descents_.front();
  if (descent.end == Descent::End::Edge) descent.leaf = kNoNode;
  back_up(search_.graph, descent, steps_, search_.policy, value_);
  ++search_.iterations;
}

/// The node of an expanded pair: a new one, or one that another descent or machine has made. Should
/// two machines not agree about a position, it stays as the first had it and is not entered.
NodeId Worker::place(const Step& last, std::size_t pair) {
  const std::size_t roles = value_.size();
  const Facts facts{expansion_.states[pair], expansion_.terminal[pair] != 0,
                    std::span(expansion_.goals).subspan(pair * roles, roles), expansion_.moves,
                    std::span(expansion_.begin).subspan(pair * roles, roles + 1)};
  Graph& graph = search_.graph;
  const NodeId known = graph.child(graph[last.node], last.code);
  if (known == kNoNode) return graph.add(last.node, last.code, facts, search_.policy.epoch);
  if (graph[known].epoch == search_.policy.epoch) return known;
  if (!graph[known].agrees_with(facts)) return kNoNode;
  return graph.restate(known, facts.state, search_.policy.epoch) ? known : kNoNode;
}

/// Carries a proof up the path as far as it changes anything.
void Worker::prove(const Descent& descent) {
  if (!search_.bounds) return;
  for (std::uint32_t i = descent.step_count; i-- > 0;) {
    const Step& step = steps_[descent.first_step + i];
    if (!update_bounds(search_.graph, step.node, step.code, search_.policy)) return;
  }
}

}  // namespace ludens::search::mcts
