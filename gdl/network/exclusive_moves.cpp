// SPDX-License-Identifier: MIT
#include "gdl/network/exclusive_moves.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

#include "gdl/network/copier.h"
#include "gdl/network/factor.h"

namespace ludens::gdl {

namespace {

using Group = std::vector<std::uint32_t>;  // indices of fluents or moves

/// The share of a role's moves that may be left where it pays to merge them: with more, playouts
/// became up to a tenth slower.
constexpr double kMostKept = 2.0 / 3;

/// A move, and the fluent that it requires and other members don't.
struct Member {
  std::uint32_t move, fluent;
};
/// Moves that become one. If it is only one, its fluent means nothing.
using Members = std::vector<Member>;

/// What must hold where an edge does: it, or the inputs of a plain AND.
std::span<const Edge> conditions(const Gates& gates, const Edge& edge) {
  return gates.is_and(edge) ? gates.inputs(node_of(edge)) : std::span(&edge, 1);
}

void sort_out_doubles(std::vector<Edge>& edges) {
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
}

/// The conditions of an edge, and theirs. Ascending.
std::vector<Edge> all_conditions(const Gates& gates, Edge edge) {
  std::vector<Edge> all;
  for (const Edge& e : conditions(gates, edge)) {
    all.push_back(e);
    if (gates.is_and(e)) std::ranges::copy(conditions(gates, e), std::back_inserter(all));
  }
  sort_out_doubles(all);
  return all;
}

std::size_t in_common(std::span<const Edge> a, std::span<const Edge> b) {
  std::size_t common = 0;
  for (auto i = a.begin(), k = b.begin(); i != a.end() && k != b.end();) {
    common += *i == *k ? 1 : 0;
    const bool next = *i <= *k;
    k += *k <= *i ? 1 : 0;
    i += next ? 1 : 0;
  }
  return common;
}

/// Finds out which moves of a role become one.
class MemberFinder {
 public:
  MemberFinder(const Network& network, const std::vector<Group>& groups, StopPoll& poll)
      : network_(network),
        poll_(poll),
        groups_of_(network.fluents.size()),
        conditions_(network.moves.size()) {
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
      for (const std::uint32_t f : groups[g]) groups_of_[f].push_back(g);
    }
  }

  /// `moves`: all of one role.
  std::vector<Members> find(std::span<const std::uint32_t> moves) {
    std::map<std::uint32_t, std::set<std::uint32_t>> required;  // [group]: fluents
    for (const std::uint32_t m : moves) {
      conditions_[m] = all_conditions(network_.gates, network_.moves[m].legal);
      if (poll_(conditions_[m].size())) return {};
      for (const Required& one : required_by(m)) required[one.group].insert(one.fluent);
    }
    std::vector<Members> found;
    std::map<std::uint32_t, ByFluent> in_group;
    for (const std::uint32_t m : moves) {
      // The smallest group: moves are told apart by what stands on a square, not by where it is.
      std::optional<Required> best;
      for (const Required& one : required_by(m)) {
        const std::size_t size = required[one.group].size();
        if (size > 1 && (!best || size < required[best->group].size())) best = one;
      }
      if (best) {
        in_group[best->group][best->fluent].push_back(m);
      } else {
        found.push_back({{m, 0}});
      }
    }
    for (const auto& [group, by_fluent] : in_group) join(by_fluent, found);
    return found;
  }

  /// Groups of fluents by which members of what was found are told apart.
  [[nodiscard]] std::vector<Group> take_apart() { return std::move(apart_); }

 private:
  using ByFluent = std::map<std::uint32_t, Group>;  // [fluent]: moves that require it

  /// A group of which a move requires a fluent.
  struct Required {
    std::uint32_t group, fluent;
  };

  [[nodiscard]] std::vector<Required> required_by(std::uint32_t move) const {
    std::vector<Required> found;
    for (const Edge e : conditions_[move]) {
      if (is_inverted(e) || network_.gates.kind(node_of(e)) != Gates::Kind::Fluent) continue;
      const std::uint32_t fluent = network_.gates.index(node_of(e));
      for (const std::uint32_t g : groups_of_[fluent]) found.push_back({g, fluent});
    }
    return found;
  }

  // Each move joins those with which it has the most conditions in common, but no other one with
  // the same fluent.
  void join(const ByFluent& by_fluent, std::vector<Members>& to) {
    const std::size_t begin = to.size();
    for (const auto& [fluent, moves] : by_fluent) {
      const std::size_t end = to.size();
      std::vector<bool> joined(end - begin, false);
      for (const std::uint32_t m : moves) {
        std::size_t best = end, most = 0;
        for (std::size_t i = begin; i < end && !poll_(conditions_[m].size()); ++i) {
          if (joined[i - begin]) continue;
          const std::size_t common = in_common(conditions_[m], conditions_[to[i].front().move]);
          if (common <= most) continue;
          most = common;
          best = i;
        }
        if (best == end) {
          to.push_back({{m, fluent}});
        } else {
          joined[best - begin] = true;
          to[best].push_back({m, fluent});
        }
      }
    }
    std::set<std::uint32_t> apart;
    for (const Members& members : std::span(to).subspan(begin)) {
      for (const Member& m : members) {
        if (members.size() > 1) apart.insert(m.fluent);
      }
    }
    if (!apart.empty()) apart_.emplace_back(apart.begin(), apart.end());
  }

  const Network& network_;
  StopPoll& poll_;
  std::vector<Group> groups_of_;               // [fluent]
  std::vector<std::vector<Edge>> conditions_;  // [move]
  std::vector<Group> apart_;
};

/// Copies a network whose moves become fewer.
class Merging final : private NodeMaker {
 public:
  Merging(const Network& from, const std::vector<Members>& moves, StopPoll& poll)
      : from_(from), moves_(moves), poll_(poll), copier_(from, &poll), part_of_(from.moves.size()) {
    to_.goals.resize(from.roles());
    copier_.add_fluents(to_);
    for (const Members& members : moves) add(members);
    is_made_.resize(moves.size(), false);
  }

  std::optional<Network> run() {
    Factoring factoring(to_, &poll_);
    for (std::size_t i = 0; i < moves_.size(); ++i) {
      to_.moves[i].legal = legal(moves_[i], factoring);
      is_made_[i] = true;
    }
    for (Network::Fluent& f : to_.fluents) f.next = copier_.copy(f.next, *this);
    to_.terminal = copier_.copy(from_.terminal, *this);
    if (poll_.stopped()) return std::nullopt;
    return std::move(to_);
  }

 private:
  /// What becomes of a move: it is made where these hold.
  struct Part {
    Edge move = kFalse;
    Edge fluent = kTrueEdge;
    std::size_t members = 1;  // of that move
  };

  void add(const Members& members) {
    const Network::Move& first = from_.moves[members.front().move];
    const Edge move = to_.add_move(first.id, first.role);
    for (const Member& m : members) {
      Part& part = part_of_[m.move];
      part = {move, kTrueEdge, members.size()};
      if (part.members > 1) part.fluent = copier_[from_.fluents[m.fluent].node * 2];
      copier_.substitute(from_.moves[m.move].node, to_.gates.conjunction(part.move, part.fluent));
      if (part.members > 1) move_of_[legal_of(m)] = to_.moves.size() - 1;
    }
  }

  // The OR of its members, factored.
  Edge legal(const Members& members, Factoring& factoring) {
    if (members.size() == 1) return copier_.copy(legal_of(members.front()), *this);
    std::vector<Edge> direct;  // conditions
    for (const Member& m : members) {
      std::ranges::copy(conditions(from_.gates, legal_of(m)), std::back_inserter(direct));
      direct.push_back(from_.fluents[m.fluent].node * 2);
    }
    sort_out_doubles(direct);
    std::vector<std::vector<Edge>> products;
    for (const Member& m : members) {
      std::vector<Edge>& product = products.emplace_back();
      for (const Edge& e : conditions(from_.gates, legal_of(m))) {
        // A gate stays as it is, unless one of its inputs is a condition by itself.
        const auto inputs = conditions(from_.gates, e);
        const bool splits = std::ranges::any_of(
            inputs, [&](Edge input) { return std::ranges::binary_search(direct, input); });
        for (const Edge input : splits ? inputs : std::span(&e, 1)) {
          product.push_back(copier_.copy(input, *this));
        }
      }
    }
    return factoring.sum_of_products(std::move(products));
  }

  [[nodiscard]] const Edge& legal_of(const Member& member) const {
    return from_.moves[member.move].legal;
  }

  // What a gate reads that requires that a part of a move is not made; null for other edges.
  [[nodiscard]] const Part* part(Edge e) const {
    if (!is_inverted(e) || from_.gates.kind(node_of(e)) != Gates::Kind::Move) return nullptr;
    const Part& part = part_of_[from_.gates.index(node_of(e))];
    return part.members > 1 ? &part : nullptr;
  }

  std::span<const Edge> inputs(NodeId /*gate*/, std::span<const Edge> inputs) override {
    const std::vector<std::size_t> illegal = illegal_moves(inputs);
    others_.clear();
    std::ranges::copy_if(inputs, std::back_inserter(others_), [&](Edge e) {
      const auto move = move_of_.find(invert(e));
      const bool is_of_all =
          move != move_of_.end() && std::ranges::binary_search(illegal, move->second);
      return part(e) == nullptr && !is_of_all;
    });
    return others_;
  }

  // Moves of which a gate requires that no member is legal, as the end of a game may. Ascending.
  [[nodiscard]] std::vector<std::size_t> illegal_moves(std::span<const Edge> inputs) const {
    std::map<std::size_t, std::size_t> members;
    for (const Edge e : inputs) {
      const auto move = move_of_.find(invert(e));
      if (move != move_of_.end() && is_made_[move->second]) ++members[move->second];
    }
    std::vector<std::size_t> all;
    for (const auto& [move, count] : members) {
      if (count == moves_[move].size()) all.push_back(move);
    }
    return all;
  }

  // All members of a move together are the move itself.
  Edge gate(NodeId gate, std::vector<Edge>& copied) override {
    std::map<Edge, std::vector<Edge>> fluents;  // [move]
    for (const Edge e : from_.gates.inputs(gate)) {
      const Part* const p = part(e);
      if (p == nullptr) continue;
      std::vector<Edge>& some = fluents[p->move];
      some.push_back(p->fluent);
      if (some.size() == p->members) some.assign(1, kTrueEdge);
    }
    for (auto& [move, some] : fluents) {
      copied.push_back(invert(to_.gates.conjunction(move, to_.gates.disjunction(some))));
    }
    for (const std::size_t move : illegal_moves(from_.gates.inputs(gate))) {
      copied.push_back(invert(to_.moves[move].legal));
    }
    return to_.gates.conjunction(copied);
  }

  const Network& from_;
  const std::vector<Members>& moves_;
  StopPoll& poll_;
  Copier copier_;
  Network to_;
  std::vector<Part> part_of_;                      // [move]
  std::unordered_map<Edge, std::size_t> move_of_;  // [legal of a member]: what it is a part of
  std::vector<bool> is_made_;  // [move of the copy]: whether its legal edge is set
  std::vector<Edge> others_;   // scratch of inputs
};

}  // namespace

std::optional<MergedMoves> merge_exclusive_moves(const Network& network,
                                                 const std::vector<Group>& groups,
                                                 const StopSignal* stop) {
  StopPoll poll(stop);
  std::vector<Group> moves_of(network.roles());
  for (std::uint32_t m = 0; m < network.moves.size(); ++m) {
    moves_of[network.moves[m].role].push_back(m);
  }
  MemberFinder finder(network, groups, poll);
  std::vector<Members> all;
  bool pays = false;
  for (const Group& moves : moves_of) {
    const std::vector<Members> found = finder.find(moves);
    pays =
        pays || kMostKept * static_cast<double>(moves.size()) > static_cast<double>(found.size());
    all.insert(all.end(), found.begin(), found.end());
  }
  if (!pays || poll.stopped()) return std::nullopt;
  auto merged = Merging(network, all, poll).run();
  if (!merged) return std::nullopt;
  return MergedMoves{*std::move(merged), finder.take_apart()};
}

}  // namespace ludens::gdl
