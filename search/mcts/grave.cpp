// SPDX-License-Identifier: MIT
#include "search/mcts/grave.h"

#include <algorithm>

namespace ludens::search::mcts {

namespace {

constexpr float kPriorPlayouts = 20;  // playouts, with the mean of all moves
/// With more playouts, older ones fade: a float can't count many more one by one.
constexpr float kMostPlayouts = 1 << 20;
/// A node with this many times the visits that a move's statistics are worth only uses its own.
constexpr float kEnough = 16;

}  // namespace

void MoveTable::Count::add(const MadeMove& more) {
  if (made >= kMostPlayouts) {
    made /= 2;
    won /= 2;
  }
  made += more.made;
  won += more.won;
}

void MoveTable::add_bias(const Node& node, gdl::RoleIndex role, float most_visits, float playouts,
                         std::span<MoveBias> biases) const {
  if (role >= rows_.size()) return;
  const Row& row = rows_[role];
  if (row.all.made <= 0) return;
  const float usual = row.all.won / row.all.made;
  for (std::uint32_t i = 0; i < biases.size(); ++i) {
    const gdl::MoveId move = node.move(role, i);
    if (move >= row.moves.size()) continue;
    const Count& count = row.moves[move];
    const float visits = count.made * most_visits / (count.made + most_visits * playouts);
    biases[i].visits += visits;
    biases[i].gain += visits * (count.won - usual * count.made) / (count.made + kPriorPlayouts);
  }
}

bool MoveTable::add(const MadeMove& made, gdl::HeldMemory& held, gdl::MemoryBudget* memory) {
  if (rows_.size() <= made.turn.role) rows_.resize(made.turn.role + 1);
  Row& row = rows_[made.turn.role];
  const std::size_t size = made.turn.move + std::size_t{1}, room = row.moves.capacity();
  if (size > room) {
    const std::size_t larger = std::max(size, room + room / 2);
    if (!held.reserve((larger - room) * sizeof(Count), memory)) return false;
    row.moves.reserve(larger);
  }
  if (size > row.moves.size()) row.moves.resize(size);
  row.moves[made.turn.move].add(made);
  row.all.add(made);
  return true;
}

void Grave::clear() {
  tables_.clear();
  held_.release();
}

const MoveTable* Grave::reference(NodeId id, std::uint32_t visits) const {
  if (visits <= least_visits_) return nullptr;
  const auto found = tables_.find(id);
  if (found == tables_.end() || found->second.visits() < least_visits_) return nullptr;
  return &found->second;
}

bool Grave::matters(std::uint32_t visits, std::uint32_t moves) const {
  return static_cast<float>(visits) < kEnough * weight_ * static_cast<float>(moves);
}

/// Null if there is no memory for one, or the node has too few visits.
MoveTable* Grave::table_of(NodeId id, std::uint32_t visits) {
  if (visits <= least_visits_) return nullptr;
  const auto found = tables_.find(id);
  if (found != tables_.end()) return &found->second;
  constexpr std::size_t kEntry = sizeof(MoveTable) + 4 * sizeof(void*);
  if (!held_.reserve(kEntry, memory_)) return nullptr;
  return &tables_[id];
}

void Grave::learn(Graph& graph, Descents& descents, std::uint32_t group, std::uint32_t playouts,
                  std::vector<MadeMove>& made) {
  playouts_ = static_cast<float>(playouts);
  const Descents::Group& leaf = descents.groups[group];
  const auto won = [&](gdl::RoleIndex role) {
    double sum = 0;
    for (const std::uint32_t descent : Descents::members(leaf))
      sum += descents.value(descent)[role];
    return static_cast<float>(sum) * playouts_;
  };
  for (const Descents::Group* at = &leaf; at->above != Descents::kNoGroup;) {
    const JointCode code = at->code;
    at = &descents.groups[at->above];
    if (code == Graph::kNoPlace) continue;
    Node& node = graph[at->node];
    const Hold held = graph.hold(node);
    if (node.has_decider()) {
      const gdl::RoleIndex role = node.decider();
      const float count = static_cast<float>(leaf.count) * playouts_;
      made.push_back({{role, node.move(role, code)}, count, won(role)});
    }
    MoveTable* const table = table_of(at->node, node.visits);
    if (table == nullptr) continue;
    table->count_visits(leaf.count);
    for (const MadeMove& move : made) {
      if (!table->add(move, held_, memory_)) break;
    }
  }
}

}  // namespace ludens::search::mcts
