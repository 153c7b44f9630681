// SPDX-License-Identifier: MIT
#include "gdl/program/move_families.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gdl/network/known_literals.h"

namespace ludens::gdl {

namespace {

using Conditions = std::vector<Edge>;  // ascending

/// A family costs about as much as this many moves that are looked at one by one.
constexpr std::size_t kLeastMoves = 8;
/// Common conditions are looked for between moves that are listed next to each other, and are
/// tried for moves up to this far from them.
constexpr std::size_t kReach = 3;

/// What edges are where some conditions hold. It is asked about few gates of a large network, which
/// is why it keeps a map of them and is no `Copier`.
class Restriction {
 public:
  Restriction(Gates& gates, StopPoll& poll) : gates_(gates), poll_(poll), known_(gates) {}

  /// From now on these hold, and none of those before.
  void assume(std::span<const Edge> conditions) {
    known_.forget(0);
    restricted_.clear();
    for (const Edge e : conditions) known_.add(e);
  }

  /// The same for one edge, and looks into disjunctions that it requires: if a queen stands on a
  /// square, a rule that needs the square empty can't apply, so only the other rule remains.
  void assume_closely(Edge edge) {
    assume({&edge, 1});
    Conditions disjunctions, others;
    for (const Edge e : known_.since(0)) {
      if (!gates_.is_and(e)) (gates_.is_and(invert(e)) ? disjunctions : others).push_back(e);
    }
    assume(others);
    for (const Edge e : disjunctions) {
      known_.add((*this)(e));
      restricted_.clear();
    }
  }

  /// What an edge is there. Where that takes too many gates, the rest of them stay as they are.
  Edge operator()(Edge e) {
    left_ = kMostGates;
    return look(e);
  }

 private:
  static constexpr int kMostGates = 256;

  Edge look(Edge e) {
    const NodeId n = node_of(e);
    auto found = restricted_.find(n);
    if (found == restricted_.end()) {
      const Edge known = known_.simplify(2 * n);
      const bool is_open = known == 2 * n && gates_.is_and(known) && left_ > 0;
      found = restricted_.try_emplace(n, is_open ? gate(n) : known).first;
    }
    return is_inverted(e) ? invert(found->second) : found->second;
  }

  Edge gate(NodeId n) {
    --left_;
    Conditions inputs;
    bool same = true;
    // By index, because new gates move the inputs of all.
    for (std::size_t i = 0; i < gates_.inputs(n).size() && !poll_(1); ++i) {
      const Edge from = gates_.inputs(n)[i];
      inputs.push_back(look(from));
      same = same && inputs.back() == from;
    }
    return same ? 2 * n : known_.simplify(gates_.conjunction(inputs));
  }

  Gates& gates_;
  StopPoll& poll_;
  KnownLiterals known_;
  std::unordered_map<NodeId, Edge> restricted_;  // nodes looked at
  int left_ = 0;                                 // gates that may be looked at
};

/// The families of one role.
class RoleFamilies {
 public:
  using Families = std::map<Conditions, std::vector<std::size_t>>;  // moves by index

  /// `moves`: the role's, by index, in their order.
  RoleFamilies(const Network& network, std::span<const std::size_t> moves, StopPoll& poll)
      : network_(network), moves_(moves), poll_(poll), family_(moves.size(), nullptr) {}

  /// By the conditions that a family has in common.
  Families run(Restriction& restriction) {
    find_candidates();
    std::map<const Conditions*, std::size_t> members;
    for (std::size_t i = 0; i < moves_.size() && !poll_.stopped(); ++i) {
      family_[i] = best_for(i);
      ++members[family_[i]];
    }
    members[nullptr] = 0;  // those without a family
    std::size_t all = 0;
    for (const Conditions*& f : family_) {
      if (members[f] < kLeastMoves) f = nullptr;
      all += f != nullptr ? 1 : 0;
    }
    if (4 * all < 3 * moves_.size()) return {};
    Families families;
    for (std::size_t i = 0; i < moves_.size() && !poll_.stopped(); ++i) {
      if (family_[i] == nullptr) family_[i] = joined_by(i, restriction);
      if (family_[i] != nullptr) families[*family_[i]].push_back(moves_[i]);
    }
    return families;
  }

 private:
  [[nodiscard]] std::span<const Edge> inputs(std::size_t i) const {
    const Edge legal = network_.moves[moves_[i]].legal;
    return network_.gates.is_and(legal) ? network_.gates.inputs(node_of(legal))
                                        : std::span<const Edge>();
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

  // The first move nearby, and the one after the last.
  [[nodiscard]] std::pair<std::size_t, std::size_t> nearby(std::size_t i) const {
    return {i < kReach ? 0 : i - kReach, std::min(i + kReach, moves_.size())};
  }

  // The most frequent candidate nearby that is among the move's conditions.
  [[nodiscard]] const Conditions* best_for(std::size_t i) const {
    auto best = candidates_.cend();
    const auto [first, end] = nearby(i);
    for (std::size_t k = first; k < end; ++k) {
      const auto c = candidate_[k];
      if (c == candidates_.end() || !std::ranges::includes(inputs(i), c->first)) continue;
      if (best == candidates_.end() || c->second > best->second) best = c;
    }
    return best == candidates_.end() ? nullptr : &best->first;
  }

  // The family nearby whose common conditions the move requires, though in other gates.
  const Conditions* joined_by(std::size_t i, Restriction& restriction) {
    if (inputs(i).empty()) return nullptr;
    restriction.assume_closely(network_.moves[moves_[i]].legal);
    const auto holds = [&](Edge e) { return restriction(e) == kTrueEdge; };
    const auto [first, end] = nearby(i);
    for (std::size_t k = first; k < end; ++k) {
      if (family_[k] != nullptr && std::ranges::all_of(*family_[k], holds)) return family_[k];
    }
    return nullptr;
  }

  const Network& network_;
  std::span<const std::size_t> moves_;
  StopPoll& poll_;
  std::map<Conditions, std::size_t> candidates_;
  std::vector<std::map<Conditions, std::size_t>::iterator> candidate_;  // [move of the role]
  std::vector<const Conditions*> family_;  // [move of the role]: its common conditions, or null
};

}  // namespace

std::vector<MoveParts> find_families(Network& network, StopPoll& poll) {
  std::vector<MoveParts> parts(network.moves.size(), {kFalse, kFalse});
  std::vector<std::vector<std::size_t>> of_role(network.roles());
  for (std::size_t m = 0; m < network.moves.size(); ++m) {
    if (network.moves[m].node == 0) of_role[network.moves[m].role].push_back(m);
  }
  Restriction restriction(network.gates, poll);
  for (const std::vector<std::size_t>& moves : of_role) {
    RoleFamilies families(network, moves, poll);
    for (auto& [conditions, members] : families.run(restriction)) {
      restriction.assume(conditions);
      Conditions inputs = conditions;
      const Edge common = network.gates.conjunction(inputs);
      for (const std::size_t m : members) {
        const Edge legal = network.moves[m].legal, own = restriction(legal);
        const bool is_plain = own != kFalse && (!is_inverted(own) || own == kTrueEdge);
        parts[m] = {common, is_plain ? own : legal};
        if (poll.stopped()) return parts;
      }
    }
  }
  return parts;
}

}  // namespace ludens::gdl
