// SPDX-License-Identifier: MIT
#include "gdl/policy/policy_network.h"

#include <algorithm>
#include <string>

#include "gdl/network/passes/passes.h"
#include "gdl/policy/refactoring.h"

namespace ludens::gdl {

namespace {

/// Changes what is legal in a copy of the game's network.
class PolicyBuilder {
 public:
  PolicyBuilder(const Network& game, const Tactics& tactics, PlayoutPolicy policy,
                const StopSignal* stop)
      : tactics_(tactics), policy_(policy), stop_(stop), legal_(game.moves.size()) {
    out_.network = game;
    for (std::size_t m = 0; m < legal_.size(); ++m) legal_[m] = game.moves[m].legal;
  }

  /// Once it was stopped, the result means nothing.
  PolicyNetwork run() {
    std::vector<Edge> roots = tactics_.wins;
    const std::vector<Edge>* preferred = choice();
    if (preferred != nullptr) roots.insert(roots.end(), preferred->begin(), preferred->end());
    out_.raw_gates = count_gates(roots);
    Refactoring refactoring(tactics_.network, roots, out_.network, stop_);
    std::vector<Edge> wins, others;
    for (const Edge e : tactics_.wins) wins.push_back(refactoring.copy(e));
    if (preferred != nullptr) {
      for (const Edge e : *preferred) others.push_back(refactoring.copy(e));
    }
    if (policy_ == PlayoutPolicy::HalfBlock) add_coin();
    for (RoleIndex r = 0; r < out_.network.roles(); ++r) restrict_role(r, wins, others);
    return std::move(out_);
  }

 private:
  [[nodiscard]] const std::vector<Edge>* choice() const {
    if (policy_ == PlayoutPolicy::Decisive) return nullptr;
    return policy_ == PlayoutPolicy::Avoid ? &tactics_.avoided : &tactics_.threats;
  }

  [[nodiscard]] std::size_t count_gates(const std::vector<Edge>& roots) const {
    const std::vector<bool> used = tactics_.network.cone(roots);
    std::size_t count = 0;
    for (NodeId n = 0; n < used.size(); ++n) {
      if (used[n] && tactics_.network.gates.kind(n) == Gates::Kind::And) {
        count += tactics_.network.gates.inputs(n).size() - 1;
      }
    }
    return count;
  }

  void add_coin() {
    Network& net = out_.network;
    coin_ = net.add_fluent(kNoFluent, false);
    net.fluents.back().next = coin_;
    out_.coin = true;
  }

  // Restricts the role's moves to the preferred ones if one of them is legal, and always to the
  // wins if there is one.
  void restrict_role(RoleIndex role, const std::vector<Edge>& wins,
                     const std::vector<Edge>& others) {
    Network& net = out_.network;
    std::vector<Edge> all_wins, all_preferred;
    std::vector<Edge> preferred(net.moves.size(), kTrueEdge);
    for (std::size_t m = 0; m < net.moves.size(); ++m) {
      if (net.moves[m].role != role) continue;
      if (wins[m] != kFalse) all_wins.push_back(wins[m]);
      if (others.empty()) continue;
      preferred[m] = policy_ == PlayoutPolicy::Avoid ? invert(others[m]) : others[m];
      const Edge both = net.gates.conjunction(legal_[m], preferred[m]);
      if (both != kFalse) all_preferred.push_back(both);
    }
    const Edge no_win = invert(net.gates.disjunction(all_wins));
    std::vector<Edge> free{others.empty() ? kTrueEdge
                                          : invert(net.gates.disjunction(all_preferred))};
    if (out_.coin) free.push_back(invert(coin_));
    const Edge any = net.gates.disjunction(free);
    for (std::size_t m = 0; m < net.moves.size(); ++m) {
      if (net.moves[m].role != role) continue;
      std::vector<Edge> wanted{preferred[m], any};
      std::vector<Edge> chosen{legal_[m], no_win, net.gates.disjunction(wanted)};
      std::vector<Edge> either{wins[m], net.gates.conjunction(chosen)};
      net.moves[m].legal = net.gates.disjunction(either);
    }
  }

  static constexpr FluentId kNoFluent = 0xffffffff;

  const Tactics& tactics_;
  PlayoutPolicy policy_;
  const StopSignal* stop_;
  std::vector<Edge> legal_;  // [move], in the game
  PolicyNetwork out_;
  Edge coin_ = kFalse;
};

bool none(const std::vector<Edge>& edges) {
  return std::ranges::all_of(edges, [](Edge e) { return e == kFalse; });
}

}  // namespace

Result<PolicyNetwork> build_policy_network(const Network& game, const Tactics& tactics,
                                           PlayoutPolicy policy, const TacticsBudget& budget,
                                           double most_growth) {
  if (none(tactics.wins)) return Error{"no move wins at once"};
  const bool blocks = policy == PlayoutPolicy::Block || policy == PlayoutPolicy::HalfBlock;
  if (blocks && none(tactics.threats))
    return Error{"no move is a winning move of the other role, too"};
  PolicyNetwork built = PolicyBuilder(game, tactics, policy, budget.stop).run();
  if (budget.stop != nullptr && budget.stop->stop_requested()) return Error{"stopped"};
  PassBudget passes;
  passes.stop = budget.stop;
  built.network = share_wide_gates(built.network, passes);
  if (budget.stop != nullptr && budget.stop->stop_requested()) return Error{"stopped"};
  built.gates = measure(built.network).two_input;
  const double size = static_cast<double>(measure(game).two_input);
  if (static_cast<double>(built.gates) > most_growth * size) {
    return Error{std::to_string(built.gates) + " gates instead of " +
                 std::to_string(static_cast<std::size_t>(size)) + " are too many"};
  }
  return built;
}

}  // namespace ludens::gdl
