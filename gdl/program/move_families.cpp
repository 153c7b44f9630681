// SPDX-License-Identifier: MIT
#include "gdl/program/move_families.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace ludens::gdl {

namespace {

using Conditions = std::vector<Edge>;  // ascending

/// A family costs about as much as this many moves that are looked at one by one.
constexpr std::size_t kLeastMoves = 8;
/// Common conditions are looked for between moves that are listed next to each other, and are
/// tried for moves up to this far from them.
constexpr std::size_t kReach = 3;

/// The families of one role.
class RoleFamilies {
 public:
  /// `moves`: the role's, by index, in their order.
  RoleFamilies(const Network& network, std::span<const std::size_t> moves, StopPoll& poll)
      : network_(network), moves_(moves), poll_(poll) {}

  /// [move of the role]: the conditions that its family has in common, or null.
  std::vector<const Conditions*> run() {
    std::vector<const Conditions*> family(moves_.size(), nullptr);
    find_candidates();
    std::map<const Conditions*, std::size_t> members;
    for (std::size_t i = 0; i < moves_.size() && !poll_.stopped(); ++i) {
      family[i] = best_for(i);
      if (family[i] != nullptr) ++members[family[i]];
    }
    std::size_t all = 0;
    for (const Conditions*& f : family) {
      if (f != nullptr && members[f] < kLeastMoves) f = nullptr;
      all += f != nullptr ? 1 : 0;
    }
    if (4 * all < 3 * moves_.size()) family.assign(moves_.size(), nullptr);
    return family;
  }

 private:
  [[nodiscard]] std::span<const Edge> inputs(std::size_t i) const {
    const Edge legal = network_.moves[moves_[i]].legal;
    const bool is_gate =
        !is_inverted(legal) && network_.gates.kind(node_of(legal)) == Gates::Kind::And;
    return is_gate ? network_.gates.inputs(node_of(legal)) : std::span<const Edge>();
  }

  // What moves have in common with the next one, and how often that is.
  void find_candidates() {
    candidate_.assign(moves_.size(), candidates_.end());
    for (std::size_t i = 0; i + 1 < moves_.size(); ++i) {
      Conditions common;
      const std::span<const Edge> a = inputs(i), b = inputs(i + 1);
      if (poll_(a.size() + b.size())) return;
      std::ranges::set_intersection(a, b, std::back_inserter(common));
      if (common.size() < 2) continue;
      candidate_[i] = candidates_.try_emplace(std::move(common), 0).first;
      ++candidate_[i]->second;
    }
  }

  // The most frequent candidate nearby that is a part of the move's conditions, but not all of
  // them; its own part has to be a plain edge.
  [[nodiscard]] const Conditions* best_for(std::size_t i) const {
    const std::span<const Edge> all = inputs(i);
    auto best = candidates_.cend();
    const std::size_t end = std::min(i + kReach, candidate_.size());
    for (std::size_t k = i < kReach ? 0 : i - kReach; k < end; ++k) {
      const auto c = candidate_[k];
      if (c == candidates_.end() || !std::ranges::includes(all, c->first)) continue;
      if (!plain_rest(all, c->first)) continue;
      if (best == candidates_.end() || c->second > best->second) best = c;
    }
    return best == candidates_.end() ? nullptr : &best->first;
  }

  static bool plain_rest(std::span<const Edge> all, const Conditions& common) {
    if (all.size() != common.size() + 1) return all.size() > common.size();
    const auto own = std::mismatch(common.begin(), common.end(), all.begin()).second;
    return !is_inverted(*own);
  }

  const Network& network_;
  std::span<const std::size_t> moves_;
  StopPoll& poll_;
  std::map<Conditions, std::size_t> candidates_;
  std::vector<std::map<Conditions, std::size_t>::iterator> candidate_;  // [move of the role]
};

}  // namespace

std::vector<MoveParts> find_families(Network& network, StopPoll& poll) {
  std::vector<MoveParts> parts(network.moves.size(), {kFalse, kFalse});
  std::vector<std::vector<std::size_t>> of_role(network.roles());
  for (std::size_t m = 0; m < network.moves.size(); ++m) {
    if (network.moves[m].node == 0) of_role[network.moves[m].role].push_back(m);
  }
  for (const std::vector<std::size_t>& moves : of_role) {
    RoleFamilies families(network, moves, poll);
    const std::vector<const Conditions*> family = families.run();
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (family[i] == nullptr) continue;
      const auto all = network.gates.inputs(node_of(network.moves[moves[i]].legal));
      if (poll(all.size())) return parts;
      Conditions own, common = *family[i];
      std::ranges::set_difference(all, common, std::back_inserter(own));
      parts[moves[i]] = {network.gates.conjunction(common), network.gates.conjunction(own)};
    }
  }
  return parts;
}

}  // namespace ludens::gdl
