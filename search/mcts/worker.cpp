// SPDX-License-Identifier: MIT
#include "search/mcts/worker.h"

#include <algorithm>
#include <utility>

#include "search/learning/mobility.h"
#include "search/mcts/bounds.h"

namespace ludens::search::mcts {

namespace {

constexpr std::size_t kCollectPerPass = 64;            // steps
constexpr std::size_t kCollectPerPassWhenFull = 4096;  // the tree can't grow without it
constexpr std::size_t kCollectPerNodeWhenShort = 16;   // made since the last time
/// Counting moves takes time: one pass in this many is enough, and all at the beginning.
constexpr std::uint32_t kPassesPerCount = 4;
constexpr std::uint32_t kPassesPerCountApart = 16;  // if each start has its own counts
constexpr std::uint64_t kFirstDescents = 1'024;     // of a search by which it is guided
constexpr double kNotEvaluated = -1;

}  // namespace

void Worker::use(const gdl::Machine* machine) {
  if (machine == machine_) return;
  machine_ = machine;
  context_ = machine->make_context({.stop = nullptr, .memory = memory_});
  play_on(machine);
}

void Worker::play_on(const gdl::Machine* player) {
  if (player == player_) return;
  player_ = player;
  player_context_.reset();
  if (player != machine_) {
    player_context_ = player->make_context({.stop = nullptr, .memory = memory_});
  }
}

bool Worker::pass(const PassSize& size) {
  collect();
  const std::uint32_t count = claim(single_passes_ > 0 ? 1 : size.leaves);
  if (count == 0) return false;
  if (single_passes_ > 0) --single_passes_;
  select(count);
  backpropagate(ended_.empty() ? gdl::Status::Ok : evaluate(size.playouts),
                size.playouts.per_start);
  count_in();
  return true;
}

/// Claims as many of the remaining descents as a pass may have.
std::uint32_t Worker::claim(std::uint32_t leaves) {
  const std::lock_guard lock(search_.mutex);
  if (search_.finished) return 0;
  const auto count =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(leaves, search_.descents_left));
  search_.descents_left -= count;
  policy_ = search_.policy;
  leaf_evaluation_ = search_.leaf_evaluation;
  weights_ = search_.weights;
  const bool knows_some = weights_ != nullptr || policy_.move_means != nullptr;
  ++pass_;
  const bool for_moves = search_.learning.counts() && (!knows_some || pass_ % kPassesPerCount == 0);
  const bool for_grave =
      search_.grave && (search_.iterations < kFirstDescents || pass_ % kPassesPerCountApart == 0);
  counted_ = for_moves || for_grave;
  return count;
}

void Worker::collect() {
  Graph& graph = search_.graph;
  const unsigned hurried = (patience_ + 3) / 4;  // so that no thread waits for long collections
  if (patience_ == 0 || ++waited_ < (graph.was_full() ? hurried : patience_)) return;
  const unsigned passes = std::exchange(waited_, 0);
  const std::size_t made = graph.made() - std::exchange(nodes_seen_, graph.made());
  if (!graph.is_collecting() && !graph.is_short()) return;
  const auto alone = search_.lock_alone();
  const std::uint32_t prunings = graph.prunings();
  if (graph.was_refused()) {
    graph.collect(kCollectPerPassWhenFull * passes);
  } else {
    const bool hurry = graph.was_full() || graph.is_short();
    graph.collect(std::max(kCollectPerPass * passes, hurry ? kCollectPerNodeWhenShort * made : 0));
  }
  if (search_.grave && graph.prunings() != prunings) search_.grave->clear();
}

void Worker::select(std::uint32_t count) {
  ended_.clear();
  states_.clear();
  moves_.clear();
  starts_.clear();
  goal_sums_ = {};
  completed_ = nodes_ = cancelled_ = depth_ = 0;
  at_once_ = false;
  const auto beside_others = search_.lock_shared();
  std::shared_lock<std::shared_mutex> guided;
  if (policy_.guides.by_path()) guided = std::shared_lock(search_.guides_in_use);
  selection_.descend(search_.graph, policy_, count, rng_, descents_);
  for (std::uint32_t i = 0; i < descents_.groups.size(); ++i) take(i);
}

/// Notes the query to the machine for a group that has ended. No node is held: when one has this
/// epoch, its state does not change any more, nor do the moves that were tried.
void Worker::take(std::uint32_t index) {
  const Descents::Group& group = descents_.groups[index];
  depth_ = std::max(depth_, group.depth);
  if (group.end == Descents::End::None) return;
  if (group.end == Descents::End::Settled) return settle(group);
  ended_.push_back(index);
  const Graph& graph = search_.graph;
  if (group.end == Descents::End::Leaf) {
    states_.push_back(graph.state(graph[group.node]));
    return;
  }
  const Node& last = graph[descents_.groups[group.above].node];
  states_.push_back(graph.state(last));
  moves_.resize(moves_.size() + last.role_count());
  last.decode(group.code, std::span(moves_).last(last.role_count()));
}

void Worker::settle(const Descents::Group& group) {
  const Node& leaf = search_.graph[group.node];
  for (const std::uint32_t descent : Descents::members(group)) {
    const auto value = descents_.value(descent);
    for (gdl::RoleIndex r = 0; r < value.size(); ++r) value[r] = leaf.bounds(r).low / 100.0;
  }
  prove(group);  // it may have been settled on another path than this
}

gdl::Status Worker::evaluate(const gdl::PlayoutOptions& options) {
  const std::size_t roles = machine_->role_count();
  pairs_.clear();
  starts_.clear();
  for (std::size_t i = 0; i < ended_.size(); ++i) {
    if (descents_.groups[ended_[i]].end != Descents::End::Edge) continue;
    const auto move = std::span(moves_).subspan(pairs_.size() * roles, roles);
    pairs_.push_back({states_[i], move});
  }
  if (!pairs_.empty()) {
    const gdl::Status status = machine_->expand(*context_, pairs_, expansion_);
    if (status != gdl::Status::Ok) return status;
  }
  std::size_t pair = 0;
  for (std::size_t i = 0; i < ended_.size(); ++i) {
    const Descents::Group& group = descents_.groups[ended_[i]];
    if (group.end != Descents::End::Edge) {
      starts_.insert(starts_.end(), group.count, states_[i]);
    } else if (expansion_.terminal[pair++] == 0) {
      starts_.insert(starts_.end(), group.count, expansion_.states[pair - 1]);
    }
  }
  const gdl::Status status = leaf_evaluation_.is_used() ? evaluate_leaves() : gdl::Status::Ok;
  if (starts_.empty() || status != gdl::Status::Ok) return status;
  return play(options);
}

/// Evaluates the states that descents have reached, unless the game is over.
gdl::Status Worker::evaluate_leaves() {
  const std::size_t roles = machine_->role_count();
  leaf_values_.resize(ended_.size() * roles);
  if (leaf_evaluation_.values != nullptr) {
    evaluate_by_values();
    return gdl::Status::Ok;
  }
  std::size_t pair = 0;
  for (std::size_t i = 0; i < ended_.size(); ++i) {
    const bool expanded = descents_.groups[ended_[i]].end == Descents::End::Edge;
    const gdl::StateView state = expanded ? expansion_.states[pair] : states_[i];
    if (expanded && expansion_.terminal[pair++] != 0) continue;
    const gdl::Status status =
        state_evaluator_.evaluate(*leaf_evaluation_.model, *machine_, *context_, state,
                                  std::span(leaf_values_).subspan(i * roles, roles));
    if (status != gdl::Status::Ok) return status;
  }
  return gdl::Status::Ok;
}

/// Evaluates new states; for known ones, nothing takes the place of playouts.
void Worker::evaluate_by_values() {
  const std::size_t roles = machine_->role_count();
  const ValueFunction& values = *leaf_evaluation_.values;
  value_.resize(roles);
  std::size_t pair = 0;
  for (std::size_t i = 0; i < ended_.size(); ++i) {
    const auto out = std::span(leaf_values_).subspan(i * roles, roles);
    std::ranges::fill(out, kNotEvaluated);
    if (descents_.groups[ended_[i]].end != Descents::End::Edge) continue;
    if (expansion_.terminal[pair++] != 0) continue;
    values.values(values.movers().of(expansion_, pair - 1), expansion_.states[pair - 1],
                  mobility(expansion_, pair - 1, roles), value_);
    std::ranges::copy(value_, out.begin());
  }
}

gdl::Status Worker::play(gdl::PlayoutOptions options) {
  if (leaf_evaluation_.model != nullptr && leaf_evaluation_.share >= 1) {
    counted_ = false;
    sums_ = {};
    sums_.goals.resize(starts_.size() * machine_->role_count());
    sums_.playouts.resize(starts_.size());
    sums_.cut = starts_.size();  // no end was seen
    return gdl::Status::Ok;
  }
  options.weights = weights_.get();
  gdl::MoveCounting counting = MoveStatistics::kCounting;
  counting.per_start = search_.grave.has_value();
  if (counted_) options.counting = &counting;
  return player_->playouts(player_context(), starts_, options, rng_, sums_);
}

/// The places of new nodes are spread over memory, so they are prefetched together.
void Worker::fetch_places() {
  hashes_.resize(pairs_.size());
  for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
    hashes_[pair] = position_hash(expansion_.states[pair]);
    search_.graph.fetch_place(hashes_[pair]);
  }
  if (search_.graph.serves_threads()) fetch_parents();
  for (const std::uint32_t hash : hashes_) search_.graph.fetch_node_at(hash);
}

/// Other threads may have changed the nodes and edges that lead to new nodes since selection.
void Worker::fetch_parents() {
  for (const std::uint32_t index : ended_) {
    const Descents::Group& group = descents_.groups[index];
    if (group.end != Descents::End::Edge) continue;
    const Node& parent = search_.graph[descents_.groups[group.above].node];
    fetch_to_change(&parent);
    search_.graph.fetch_edge(parent, group.code);
  }
}

void Worker::backpropagate(gdl::Status status, std::uint32_t playouts) {
  const auto beside_others = search_.lock_shared();
  const auto count = descents_.groups[0].count;
  if (status == gdl::Status::Ok) {
    bring_back();
  } else if (status == gdl::Status::OverBudget && count == 1) {
    // What can't be computed is avoided: it counts as 0.
    counted_ = false;
    Descents::Group& group = descents_.groups[ended_.front()];
    if (group.end == Descents::End::Edge) group.node = kNoNode;
  } else {
    if (status == gdl::Status::OverBudget) single_passes_ = count;
    cancel(search_.graph, descents_);
    cancelled_ = count;
    return;
  }
  backpropagation_.run(search_.graph, policy_, descents_);
  if (search_.bounds) refresh();
  completed_ = count;
  if (status == gdl::Status::Ok && policy_.guides.by_path()) learn_from_paths(playouts);
}

/// Learns from the paths of descents that had this many playouts each.
void Worker::learn_from_paths(std::uint32_t playouts) {
  const std::unique_lock lock(search_.guides_in_use);
  if (search_.ngrams) search_.ngrams->learn(search_.graph, descents_);
  if (!search_.grave || !counted_) return;
  std::size_t pair = 0, start = 0;
  for (const std::uint32_t index : ended_) {
    const Descents::Group& group = descents_.groups[index];
    const bool over = group.end == Descents::End::Edge && expansion_.terminal[pair++] != 0;
    made_.clear();
    for (std::uint32_t i = 0; i < group.count && !over; ++i) list_moves(start++);
    search_.grave->learn(search_.graph, descents_, index, playouts, made_);
  }
}

/// Lists the moves made in the playouts from a start.
void Worker::list_moves(std::size_t start) {
  const std::size_t roles = machine_->role_count();
  for (std::uint32_t r = 0; r < roles; ++r) {
    const auto& row = sums_.moves[start * roles + r];
    for (gdl::MoveId move = 0; move < row.size(); ++move) {
      if (row[move].made == 0) continue;
      const auto made = static_cast<float>(row[move].made);
      const auto more = static_cast<float>(row[move].won) - static_cast<float>(row[move].lost);
      made_.push_back({{r, move}, made, (made + more) / 2});
    }
  }
}

void Worker::count_in() {
  const std::lock_guard lock(search_.mutex);
  search_.descents_left += cancelled_;
  search_.iterations += completed_;
  search_.nodes += nodes_;
  search_.depth = std::max(search_.depth, depth_);
  search_.goal_sums.merge(goal_sums_);
  search_.at_once |= at_once_;
  if (search_.spread_unit > 0) {
    search_.spread.take(spread_);
    search_.spread.measure(search_.spread_unit, search_.policy.spread);
  }
  if (counted_ && search_.learning.counts() && completed_ > 0 && !starts_.empty()) {
    search_.learn_moves(sums_, machine_->role_count());
  }
  search_.look_for_the_end();
}

/// Gives each descent that needed the machine its value, and each new position its node.
void Worker::bring_back() {
  if (ended_.empty()) return;
  const std::size_t roles = machine_->role_count();
  std::size_t pair = 0;
  std::size_t start = 0;
  fetch_places();
  nodes_ += pairs_.size() + (starts_.empty() ? 0 : sums_.steps);
  for (std::size_t ended = 0; ended < ended_.size(); ++ended) {
    Descents::Group& group = descents_.groups[ended_[ended]];
    const bool expanded = group.end == Descents::End::Edge;
    const bool over = expanded && expansion_.terminal[pair] != 0;
    for (const std::uint32_t descent : Descents::members(group)) {
      if (over) {
        const auto goals = std::span(expansion_.goals).subspan(pair * roles, roles);
        take_goals<std::uint8_t>(descent, goals, 1, true);
      } else {
        const std::uint32_t playouts = std::max<std::uint32_t>(1, sums_.playouts[start]);
        const auto goals = std::span(sums_.goals).subspan(start++ * roles, roles);
        take_goals<std::uint64_t>(descent, goals, playouts, sums_.cut == 0);
        if (leaf_evaluation_.is_used()) take_leaf_evaluation(descent, ended);
      }
      if (search_.spread_unit > 0) spread_.see(descents_.value(descent));
    }
    if (expanded) group.node = place(group, pair++);
    if (!over && group.node != kNoNode) at_once_ |= !search_.graph[group.node].has_decider();
    if (expanded && !over && leaf_evaluation_.is_used()) give_prior(group.node, ended);
    const bool linked = expanded && group.node != kNoNode;
    if (over || (linked && has_bounds(search_.graph[group.node]))) prove(group);
  }
}

/// Mixes the evaluation into the result of a descent's playouts.
void Worker::take_leaf_evaluation(std::uint32_t descent, std::size_t ended) {
  const auto value = descents_.value(descent);
  if (leaf_values_[ended * value.size()] == kNotEvaluated) return;
  for (std::size_t r = 0; r < value.size(); ++r) {
    value[r] += leaf_evaluation_.share * (leaf_values_[ended * value.size() + r] - value[r]);
  }
}

/// Gives an unvisited node some initial visits with the value of its evaluation.
void Worker::give_prior(NodeId id, std::size_t ended) {
  if (leaf_evaluation_.prior_visits == 0 || id == kNoNode) return;
  Node& node = search_.graph[id];
  const Hold held = search_.graph.hold(node);
  if (node.visits > 0) return;
  node.visits = leaf_evaluation_.prior_visits;
  node.set_prior();
  for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
    node.sum(r) = leaf_evaluation_.prior_visits * leaf_values_[ended * node.role_count() + r];
  }
}

template <typename Goal>
void Worker::take_goals(std::uint32_t descent, std::span<const Goal> goals, std::uint32_t playouts,
                        bool at_the_end) {
  goals_.assign(goals.begin(), goals.end());
  const auto value = descents_.value(descent);
  for (std::size_t r = 0; r < goals.size(); ++r) {
    value[r] = static_cast<double>(goals[r]) / (100.0 * playouts);
  }
  if (at_the_end) goal_sums_.see(goals_, playouts, policy_.random);
}

/// The node of an expanded pair: a new one, or one that another descent or machine has made. If two
/// machines disagree about a position, the first one's version stays and is not entered.
NodeId Worker::place(const Descents::Group& group, std::size_t pair) {
  const std::size_t roles = machine_->role_count();
  const NodeId last = descents_.groups[group.above].node;
  const Facts facts{expansion_.states[pair], expansion_.terminal[pair] != 0,
                    std::span(expansion_.goals).subspan(pair * roles, roles), expansion_.moves,
                    std::span(expansion_.begin).subspan(pair * roles, roles + 1)};
  Graph& graph = search_.graph;
  const NodeId known = group.node;
  if (known == kNoNode) {
    return graph.add(last, group.code, facts, policy_.epoch, hashes_[pair]);
  }
  {
    Node& node = graph[known];
    const Hold held = graph.hold(node);
    if (node.epoch == policy_.epoch) return known;
    if (!node.agrees_with(facts)) return kNoNode;
  }
  return graph.restate(known, facts.state, policy_.epoch, hashes_[pair]) ? known : kNoNode;
}

/// What was proved on other paths to a child is carried up these.
void Worker::refresh() {
  for (const Descents::Group& group : descents_.groups) {
    if (!group.refresh_due || !refresh_bounds(search_.graph, group.node, policy_)) continue;
    prove(group);
  }
}

/// Carries a proof up the path as far as it changes anything.
void Worker::prove(const Descents::Group& group) {
  if (!search_.bounds || group.above == Descents::kNoGroup) return;
  for (const Descents::Group* at = &group; at->above != Descents::kNoGroup;) {
    const Descents::Group& above = descents_.groups[at->above];
    if (!update_bounds(search_.graph, above.node, at->code, policy_)) return;
    at = &above;
  }
}

}  // namespace ludens::search::mcts
