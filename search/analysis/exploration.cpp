// SPDX-License-Identifier: MIT
#include "search/analysis/exploration.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <optional>

#include "gdl/memory/held_memory.h"
#include "search/analysis/sampling.h"

namespace ludens::search {

namespace {

using gdl::Status;

/// The most pairs per batch, whatever the machine prefers, because legal moves are listed in
/// memory.
constexpr std::size_t kBatch = 1024;
/// A state with more joint moves does not belong to a small game.
constexpr std::size_t kMostJointMoves = 65'536;

class Explorer {
 public:
  Explorer(const gdl::Machine& machine, gdl::Machine::Context& context, std::size_t limit,
           Findings& findings)
      : machine_(machine), context_(context), limit_(limit), findings_(findings) {}

  bool run(gdl::StateView from);
  [[nodiscard]] Exploration result();

 private:
  struct Edge {
    std::uint32_t from, to;
  };
  bool enter(gdl::StateView state, std::uint32_t& index);
  bool open(std::uint32_t index);
  std::optional<std::size_t> list_joint_moves();
  bool follow(std::uint32_t index, std::size_t first, std::size_t count);
  bool grow(std::size_t bytes);

  const gdl::Machine& machine_;
  gdl::Machine::Context& context_;
  std::size_t limit_;
  Findings& findings_;
  gdl::HeldMemory held_;

  boost::unordered_flat_map<gdl::StateHash, std::uint32_t, HashOfState> index_;
  gdl::StateBatch states_;
  std::vector<int> goals_;  // [state * roles + role]
  std::vector<bool> terminal_;
  std::vector<Edge> edges_;

  // For the open state.
  std::vector<std::vector<gdl::MoveId>> legal_;
  std::vector<gdl::MoveId> joints_;
  std::vector<gdl::StateMove> pairs_;
  gdl::Expansion expansion_;
};

bool Explorer::grow(std::size_t bytes) {
  return held_.reserve(bytes, context_.limits.memory);
}

/// Finds or adds a state; false if there is no room for it or the machine was stopped.
bool Explorer::enter(gdl::StateView state, std::uint32_t& index) {
  const auto [place, is_new] =
      index_.try_emplace(hash(state), static_cast<std::uint32_t>(states_.size()));
  index = place->second;
  if (!is_new) return true;
  const std::size_t roles = machine_.role_count();
  if (states_.size() >= limit_) return false;
  if (!grow(state.words().size_bytes() + 64 + roles * sizeof(int))) return false;
  states_.push_back(state);
  goals_.resize(goals_.size() + roles);
  const auto goals = std::span(goals_).last(roles);
  bool terminal = false;
  if (machine_.terminal(context_, state, terminal) != Status::Ok) return false;
  if (machine_.goals(context_, state, goals) != Status::Ok) return false;
  terminal_.push_back(terminal);
  if (terminal) findings_.see_end(goals);
  return true;
}

/// Lists the joint moves of the open state contiguously, and returns how many there are; nullopt if
/// there is no room for them.
std::optional<std::size_t> Explorer::list_joint_moves() {
  joints_.clear();
  std::size_t count = 1;
  for (const auto& moves : legal_) {
    count *= moves.size();
    if (count > kMostJointMoves) return std::nullopt;
  }
  if (!grow(count * sizeof(Edge))) return std::nullopt;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t rest = i;
    for (const auto& moves : legal_) {
      joints_.push_back(moves[rest % moves.size()]);
      rest /= moves.size();
    }
  }
  return count;
}

bool Explorer::open(std::uint32_t index) {
  const std::size_t roles = machine_.role_count();
  legal_.resize(roles);
  std::vector<std::uint32_t> counts(roles);
  for (gdl::RoleIndex r = 0; r < roles; ++r) {
    if (machine_.legal(context_, states_[index], r, legal_[r]) != Status::Ok) return false;
    counts[r] = static_cast<std::uint32_t>(legal_[r].size());
  }
  findings_.see_choices(counts);
  const auto count = list_joint_moves();
  if (!count) return false;
  for (std::size_t first = 0; first < *count; first += kBatch) {
    if (!follow(index, first, std::min(kBatch, *count - first))) return false;
  }
  return true;
}

bool Explorer::follow(std::uint32_t index, std::size_t first, std::size_t count) {
  const std::size_t roles = machine_.role_count();
  pairs_.clear();
  for (std::size_t i = first; i < first + count; ++i) {
    pairs_.push_back({states_[index], std::span(joints_).subspan(i * roles, roles)});
  }
  if (machine_.expand(context_, pairs_, expansion_) != Status::Ok) return false;
  for (std::size_t i = 0; i < count; ++i) {
    Edge edge{index, 0};
    if (!enter(expansion_.states[i], edge.to)) return false;
    findings_.see_step(std::span(goals_).subspan(edge.from * roles, roles),
                       std::span(goals_).subspan(edge.to * roles, roles));
    edges_.push_back(edge);
  }
  return true;
}

bool Explorer::run(gdl::StateView from) {
  std::uint32_t index = 0;
  if (!enter(from, index)) return false;
  for (; index < states_.size(); ++index) {
    if (!terminal_[index] && !open(index)) return false;
  }
  return true;
}

/// Repeatedly removes states to which no remaining state leads (Kahn 1962): the states that stay
/// are on a cycle or reachable from one. The longest path to a state is known when it is removed.
Exploration Explorer::result() {
  Exploration result;
  result.states = states_.size();
  std::vector<std::uint32_t> incoming(states_.size()), depth(states_.size());
  std::vector<std::size_t> first(states_.size() + 1);  // arcs are sorted by their starts
  for (const Edge& edge : edges_) {
    ++incoming[edge.to];
    ++first[edge.from + 1];
  }
  for (std::size_t i = 0; i < states_.size(); ++i) first[i + 1] += first[i];
  std::vector<std::uint32_t> ready;
  if (incoming[0] == 0) ready.push_back(0);
  std::uint32_t deepest = 0;
  std::size_t taken = 0;
  for (; !ready.empty(); ++taken) {
    const std::uint32_t state = ready.back();
    ready.pop_back();
    deepest = std::max(deepest, depth[state]);
    for (std::size_t i = first[state]; i < first[state + 1]; ++i) {
      const std::uint32_t to = edges_[i].to;
      depth[to] = std::max(depth[to], depth[state] + 1);
      if (--incoming[to] == 0) ready.push_back(to);
    }
  }
  if (taken == states_.size()) {
    result.depth = deepest;
  } else {
    findings_.recurred = true;
  }
  return result;
}

}  // namespace

std::optional<Exploration> explore(const gdl::Machine& machine, gdl::Machine::Context& context,
                                   gdl::StateView from, std::size_t limit, Findings& findings) {
  Explorer explorer(machine, context, limit, findings);
  if (!explorer.run(from)) return std::nullopt;
  return explorer.result();
}

}  // namespace ludens::search
