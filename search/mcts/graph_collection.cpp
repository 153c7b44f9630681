// SPDX-License-Identifier: MIT
// The root moves on; nodes that can't be reached from it, and those that are pruned, are freed.
#include <algorithm>
#include <utility>

#include "search/mcts/graph.h"

namespace ludens::search::mcts {

namespace {

constexpr std::size_t kListsPerStep = 64;        // swept
constexpr std::size_t kListsPerHurriedStep = 4;  // the same while memory is short
constexpr std::size_t kListsPerFreedNode = 16;   // freeing a node costs as much as sweeping these
constexpr std::uint32_t kSampled = 4096;         // lists of the table of positions

}  // namespace

void Graph::advance(NodeId root) {
  root_ = root;
  was_full_ = false;
  if (phase_ == Phase::Idle) {
    start_collection();
  } else {
    mark(root);  // it need not be reachable from the old root
    collect_again_ = true;
  }
}

void Graph::start_collection() {
  collect_again_ = false;
  phase_ = Phase::Mark;
  ++generation_;
  marked_.clear();
  mark(root_);
}

/// Chooses the nodes to prune next by a sample of all nodes.
void Graph::start_pruning() {
  arena_.drain();
  std::vector<Pruning::Seen> sample;
  const std::uint32_t stride = table_.list_count() / kSampled + 1;
  for (std::uint32_t list = 0; list < table_.list_count(); list += stride) {
    table_.for_each(list, [&](NodeId id) {
      const Node& node = (*this)[id];
      sample.push_back({visits_made(node), bytes_of(node)});
    });
  }
  pruning_.plan(sample, arena_.pages_end());
  was_full_ = true;
  start_collection();
}

void Graph::prune(Node& node) {
  if (node.edges == kNoRef) return;
  if (!node.has_decider()) return prune_among(node);
  for (Edge& edge : edges(node, node.decider())) prune(edge, node);
}

/// Most children are not in the caches, so only those are read about which something is proved. A
/// move that is refuted is not made again, so without what the other role can force there, the
/// parent could never be settled for that role.
void Graph::prune(Edge& edge, const Node& parent) {
  const NodeId child = edge.child();
  if (child == kNoNode || edge.in_flight > 0 || !pruning_.cuts(child, edge.visits)) return;
  const auto other = edge.bounds.high < 100 ? opponent(parent) : std::nullopt;
  edge.drop_child(other ? (*this)[child].bounds(*other).low : 0);
}

/// Each role has its own edges, so the child's visits count, and a joint move may be in flight if
/// the moves of all roles are.
void Graph::prune_among(Node& node) {
  std::vector<Slot> kept;
  kept.reserve(children(node).count);
  for_each_child(node, [&](JointCode code, NodeId child) {
    bool in_flight = true;
    for (gdl::RoleIndex r = 0; r < node.role_count(); ++r) {
      if (node.decides(r)) in_flight &= edges(node, r)[node.index_in(code, r)].in_flight > 0;
    }
    const bool goes = !in_flight && pruning_.cuts(child, visits_made((*this)[child]));
    if (!goes) kept.push_back({code, child});
  });
  if (kept.size() < children(node).count) put_slots(node, kept);
}

/// Replaces the current slots; frees what is no longer needed.
void Graph::put_slots(Node& node, std::span<const Slot> kept) {
  Children& table = children(node);
  std::uint32_t count = kept.empty() ? 0 : kFirstSlots;
  while (4 * kept.size() > 3 * std::size_t{count}) count *= 2;
  const std::uint32_t before = std::exchange(table.slot_count, count);
  table.count = static_cast<std::uint32_t>(kept.size());
  std::ranges::fill(slots(node), Slot());
  for (const Slot& one : kept) slot(slots(node), one.code) = one;
  if (before > count) free(table.slots + count, (before - count) * sizeof(Slot));
  if (count == 0) table.slots = kNoRef;
}

/// A node that the search reaches while others are being marked is also in use.
void Graph::mark(NodeId id) {
  if (phase_ != Phase::Mark) return;
  const Hold held(marked_lock_, several_);
  Node& node = (*this)[id];
  if (node.generation == generation_) return;
  node.generation = generation_;
  if (pruning_.is_on()) {
    // Another thread, which holds the node, may make its first edge meanwhile.
    if (std::atomic_ref(node.edges).load(std::memory_order_relaxed) == kNoRef) return;
    fetch_edges(node);
  }
  marked_.push_back(id);
}

void Graph::mark_children() {
  const NodeId id = marked_.back();
  marked_.pop_back();
  if (pruning_.is_on()) prune((*this)[id]);
  for_each_child((*this)[id], [this](JointCode, NodeId child) { fetch_to_change(arena_[child]); });
  for_each_child((*this)[id], [this](JointCode, NodeId child) { mark(child); });
}

std::size_t Graph::sweep_list() {
  return table_.sweep(
      next_list_++, [this](NodeId id) { return (*this)[id].generation != generation_; },
      [this](NodeId id) { free_node(id); });
}

void Graph::collect(std::size_t steps) {
  if (phase_ == Phase::Idle && is_short()) start_pruning();
  for (; steps > 0 && phase_ == Phase::Mark; --steps) {
    if (!marked_.empty()) {
      mark_children();
    } else {
      phase_ = Phase::Sweep;
      next_list_ = 0;
      if (pruning_.is_on()) ++prunings_;
    }
  }
  const bool hurry = pruning_.is_on() || is_short();
  steps *= hurry ? kListsPerHurriedStep : kListsPerStep;
  while (steps > 0 && phase_ == Phase::Sweep) {
    std::size_t taken = 1;
    if (next_list_ < table_.list_count()) {
      const std::size_t freed = sweep_list();
      if (!hurry) taken += kListsPerFreedNode * freed;
    } else {
      phase_ = Phase::Idle;
      pruning_.end();
      nodes_refused_ = blocks_refused_ = 0;
      if (collect_again_) start_collection();
    }
    steps -= std::min(steps, taken);
  }
}

}  // namespace ludens::search::mcts
