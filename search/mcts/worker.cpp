#include "search/mcts/worker.h"

#include <algorithm>

#include "search/mcts/bounds.h"

namespace ludens::search::mcts {

namespace {

constexpr std::size_t kCollectAPass = 64;            // steps
constexpr std::size_t kCollectAPassWhenFull = 4096;  // there is no growth without

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

void GoalSums::merge(const GoalSums& others) {
  if (!others.sum_) return;
  if (!sum_) sum_ = others.sum_;
  fixed_ &= others.fixed_ && sum_ == others.sum_;
}

std::shared_lock<std::shared_mutex> SharedSearch::join() {
  const std::lock_guard passing(door);
  return std::shared_lock(in_use);
}

std::unique_lock<std::shared_mutex> SharedSearch::seclude() {
  const std::lock_guard passing(door);
  return std::unique_lock(in_use);
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
  collect();
  const std::uint32_t count = claim(one_at_a_time_ ? 1 : size.leaves);
  if (count == 0) return false;
  select(count);
  land(descents_.empty() ? gdl::Status::Ok : evaluate(size.playouts));
  count_in();
  return true;
}

/// As many of the descents left as a pass may have.
std::uint32_t Worker::claim(std::uint32_t leaves) {
  const std::lock_guard lock(search_.mutex);
  if (search_.finished) return 0;
  const auto count =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(leaves, search_.descents_left));
  search_.descents_left -= count;
  policy_ = search_.policy;
  return count;
}

void Worker::collect() {
  Graph& graph = search_.graph;
  if (patience_ == 0 || ++waited_ < patience_) return;
  waited_ = 0;
  const auto alone = search_.seclude();
  if (!graph.is_collecting()) return;
  graph.collect((graph.was_full() ? kCollectAPassWhenFull : kCollectAPass) * patience_);
}

void Worker::select(std::uint32_t count) {
  steps_.clear();
  selected_.clear();
  descents_.clear();
  states_.clear();
  moves_.clear();
  goal_sums_ = {};
  iterations_ = nodes_ = taken_back_ = depth_ = 0;
  const auto beside_others = search_.join();
  selection_.run(search_.graph, policy_, count, rng_, steps_, selected_);
  for (const Descent& descent : selected_) take(descent);
}

void Worker::take(const Descent& descent) {
  depth_ = std::max(depth_, descent.step_count);
  if (descent.end == Descent::End::Settled) return settle(descent);
  descents_.push_back(descent);
  Graph& graph = search_.graph;
  if (descent.end == Descent::End::Leaf) {
    Node& leaf = graph[descent.leaf];
    const Hold held = graph.hold(leaf);
    states_.push_back(graph.state(leaf));
    return;
  }
  const Step& last = steps_[descent.first_step + descent.step_count - 1];
  Node& node = graph[last.node];
  const Hold held = graph.hold(node);
  states_.push_back(graph.state(node));
  moves_.resize(moves_.size() + value_.size());
  node.decode(last.code, std::span(moves_).last(value_.size()));
}

void Worker::settle(const Descent& descent) {
  const Node& leaf = search_.graph[descent.leaf];
  for (gdl::RoleIndex r = 0; r < value_.size(); ++r) value_[r] = leaf.bounds(r).low / 100.0;
  prove(descent);  // it may have been settled on another way than this
  back_up(search_.graph, descent, steps_, policy_, value_);
  ++iterations_;
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
void Worker::fetch_places() {
  hashes_.resize(pairs_.size());
  for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
    hashes_[pair] = Graph::hash_of(expansion_.states[pair]);
    search_.graph.fetch_place(hashes_[pair]);
  }
  for (const std::uint32_t hash : hashes_) search_.graph.fetch_node_at(hash);
}

void Worker::land(gdl::Status status) {
  const auto beside_others = search_.join();
  if (status == gdl::Status::Ok) {
    land();
  } else if (status == gdl::Status::OverBudget && descents_.size() == 1) {
    land_at_nothing();
  } else {
    one_at_a_time_ = status == gdl::Status::OverBudget;
    land_without_value();
  }
}

void Worker::count_in() {
  const std::lock_guard lock(search_.mutex);
  search_.descents_left += taken_back_;
  search_.iterations += iterations_;
  search_.nodes += nodes_;
  search_.depth = std::max(search_.depth, depth_);
  search_.goal_sums.merge(goal_sums_);
  search_.look_for_the_end();
}

void Worker::land() {
  const std::size_t roles = value_.size();
  std::size_t pair = 0;
  std::size_t start = 0;
  if (descents_.empty()) return;
  fetch_places();
  nodes_ += pairs_.size() + (starts_.empty() ? 0 : sums_.steps);
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
    back_up(search_.graph, descent, steps_, policy_, value_);
    ++iterations_;
  }
}

template <typename Goal>
void Worker::take_goals(std::span<const Goal> goals, std::uint32_t playouts, bool at_the_end) {
  goals_.assign(goals.begin(), goals.end());
  for (std::size_t r = 0; r < goals.size(); ++r) {
    value_[r] = static_cast<double>(goals[r]) / (100.0 * playouts);
  }
  if (at_the_end) goal_sums_.see(goals_, playouts, policy_.random);
}

void Worker::land_without_value() {
  for (const Descent& descent : descents_) take_back(search_.graph, descent, steps_);
  taken_back_ += descents_.size();
}

/// What can't be worked out is avoided.
void Worker::land_at_nothing() {
  std::ranges::fill(value_, 0.0);
  Descent descent = descents_.front();
  if (descent.end == Descent::End::Edge) descent.leaf = kNoNode;
  back_up(search_.graph, descent, steps_, policy_, value_);
  ++iterations_;
}

/// The node of an expanded pair: a new one, or one that another descent or machine has made. Should
/// two machines not agree about a position, it stays as the first had it and is not entered.
NodeId Worker::place(const Step& last, std::size_t pair) {
  const std::size_t roles = value_.size();
  const Facts facts{expansion_.states[pair], expansion_.terminal[pair] != 0,
                    std::span(expansion_.goals).subspan(pair * roles, roles), expansion_.moves,
                    std::span(expansion_.begin).subspan(pair * roles, roles + 1)};
  Graph& graph = search_.graph;
  NodeId known = kNoNode;
  {
    Node& parent = graph[last.node];
    const Hold held = graph.hold(parent);
    known = graph.child(parent, last.code);
  }
  if (known == kNoNode) {
    return graph.add(last.node, last.code, facts, policy_.epoch, hashes_[pair]);
  }
  {
    Node& node = graph[known];
    const Hold held = graph.hold(node);
    if (node.epoch == policy_.epoch) return known;
    if (!node.agrees_with(facts)) return kNoNode;
  }
  return graph.restate(known, facts.state, policy_.epoch, hashes_[pair]) ? known : kNoNode;
}

/// Carries a proof up the path as far as it changes anything.
void Worker::prove(const Descent& descent) {
  if (!search_.bounds) return;
  for (std::uint32_t i = descent.step_count; i-- > 0;) {
    const Step& step = steps_[descent.first_step + i];
    if (!update_bounds(search_.graph, step.node, step.code, policy_)) return;
  }
}

}  // namespace ludens::search::mcts
