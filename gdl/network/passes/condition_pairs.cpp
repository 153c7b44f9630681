// SPDX-License-Identifier: MIT
#include "gdl/network/passes/condition_pairs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gdl/network/fan_out.h"
#include "gdl/network/passes/rewrite.h"

namespace ludens::gdl {

namespace {

constexpr std::size_t kShort = 3, kMost = 8;  // conditions of a move
constexpr std::uint32_t kLeastMoves = 3;
/// After this many rounds, conditions of chess and of its relatives have no pairs left.
constexpr int kRounds = 2;

class ConditionPairs {
 public:
  ConditionPairs(const Network& network, const StopSignal* stop)
      : network_(network),
        stop_(stop),
        poll_(stop),
        uses_(count_uses(network, network.outputs(), &poll_)) {
    std::vector<bool> listed(network.gates.size(), false);
    for (const Network::Move& m : network.moves) {
      const NodeId legal = node_of(m.legal);
      if (!network.gates.is_and(m.legal) || listed[legal]) continue;
      listed[legal] = true;
      std::vector<Edge> conditions = conditions_of(legal);
      if (!conditions.empty()) moves_.push_back({legal, std::move(conditions), false});
    }
  }

  std::optional<Network> run() {
    for (int round = 0; round < kRounds; ++round) {
      count_pairs();
      for (Move& move : moves_) share_pair(move);
    }
    ReplacedGates replaced;
    for (const auto& [pair, edge] : gates_) replaced[node_of(edge)] = {pair.first, pair.second};
    for (Move& move : moves_) {
      if (move.changed) replaced[move.legal] = std::move(move.conditions);
    }
    if (replaced.empty() || poll_.stopped()) return std::nullopt;
    return rewrite(network_, stop_, replaced);
  }

 private:
  using Pair = std::pair<Edge, Edge>;  // ascending

  /// Moves with the same legal edge.
  struct Move {
    NodeId legal;
    std::vector<Edge> conditions;  // ascending
    bool changed;
  };

  // Inputs of ANDs that nothing else reads are conditions, too. Empty if there are too few or too
  // many.
  std::vector<Edge> conditions_of(NodeId legal) {
    const auto inputs = network_.gates.inputs(legal);
    std::vector<Edge> open(inputs.begin(), inputs.end()), conditions;
    while (!open.empty()) {
      if (open.size() + conditions.size() > kMost || poll_(1)) return {};
      const Edge e = open.back();
      open.pop_back();
      if (network_.gates.is_and(e) && uses_[node_of(e)] == 1) {
        const auto further = network_.gates.inputs(node_of(e));
        open.insert(open.end(), further.begin(), further.end());
      } else {
        conditions.push_back(e);
      }
    }
    std::ranges::sort(conditions);
    conditions.erase(std::unique(conditions.begin(), conditions.end()), conditions.end());
    return conditions.size() > kShort ? conditions : std::vector<Edge>();
  }

  template <typename Use>
  void for_pairs(const std::vector<Edge>& conditions, Use use) {
    if (conditions.size() <= kShort || poll_(conditions.size())) return;
    for (std::size_t i = 0; i < conditions.size(); ++i) {
      for (std::size_t k = i + 1; k < conditions.size(); ++k)
        use(Pair{conditions[i], conditions[k]});
    }
  }

  std::uint32_t& moves_with(const Pair& pair) {
    return moves_with_[std::uint64_t{pair.first} << 32 | pair.second];
  }

  void count_pairs() {
    moves_with_.clear();
    for (const Move& move : moves_) {
      for_pairs(move.conditions, [this](const Pair& pair) { ++moves_with(pair); });
    }
  }

  // Replaces the pair that the most moves have.
  void share_pair(Move& move) {
    Pair best;
    std::uint32_t most = 0;
    for_pairs(move.conditions, [&](const Pair& pair) {
      if (moves_with(pair) <= most) return;
      most = moves_with(pair);
      best = pair;
    });
    if (most < kLeastMoves) return;
    const auto next = static_cast<NodeId>(network_.gates.size() + gates_.size());
    const Edge gate = gates_.try_emplace(best, 2 * next).first->second;
    std::erase_if(move.conditions, [&](Edge e) { return e == best.first || e == best.second; });
    move.conditions.insert(std::ranges::upper_bound(move.conditions, gate), gate);
    move.changed = true;
  }

  const Network& network_;
  const StopSignal* stop_;
  StopPoll poll_;
  const std::vector<std::uint32_t> uses_;  // [node]
  std::vector<Move> moves_;
  std::unordered_map<std::uint64_t, std::uint32_t> moves_with_;  // [pair]
  std::map<Pair, Edge> gates_;                                   // those made
};

}  // namespace

std::optional<Network> share_condition_pairs(const Network& network, const StopSignal* stop) {
  return ConditionPairs(network, stop).run();
}

}  // namespace ludens::gdl
