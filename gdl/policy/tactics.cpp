// SPDX-License-Identifier: MIT
#include "gdl/policy/tactics.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "gdl/network/passes/passes.h"
#include "gdl/policy/layer.h"
#include "gdl/policy/refactoring.h"

namespace ludens::gdl {

namespace {

using Failure = std::optional<std::string>;

/// Builds the answer turn by turn: what is legal and next in the turn, over it the end and the goal
/// (or the other role's wins), and that again for each move of the role in control. If roles move
/// simultaneously, each has a turn that always applies, in which the others don't move.
class Composition {
 public:
  Composition(const Network& game, const Network& plain, std::optional<RoleIndex> random,
              const TacticsBudget& budget)
      : game_(game), plain_(plain), random_(random), budget_(budget), known_(gates()) {
    const auto moves = game.moves.size();
    for (auto* edges : {&wins_, &out_.wins, &out_.threats}) edges->assign(moves, kFalse);
    turns_of_.assign(moves, 0);
    for (const Network::Fluent& f : game.fluents) out_.network.add_fluent(f.id, f.initially);
    out_.network.goals.resize(game.roles());
  }

  Result<Tactics> run(bool with_avoided) {
    if (Failure failure = match()) return Error{*std::move(failure)};
    for (const Turn& turn : find_turns(game_)) {
      add_turns(turn);
    }
    const bool alternate = !turns_.empty();
    if (!alternate) add_turns({});
    if (turns_.empty()) return Error{"no role has a choice"};
    for (const RoleTurn& turn : turns_) {
      if (Failure failure = find_wins(turn)) return Error{*std::move(failure)};
    }
    const RoleIndex one = turns_.front().role, other = turns_.back().role;
    const bool two = one != other && std::ranges::all_of(turns_, [&](const RoleTurn& t) {
                       return t.role == one || t.role == other;
                     });
    if (two && alternate) find_threats(one, other);
    if (with_avoided) {
      if (!two) return Error{"there are not two roles that choose"};
      out_.avoided.assign(game_.moves.size(), kFalse);
      for (const RoleTurn& turn : turns_) {
        if (Failure failure = find_avoided(turn)) return Error{*std::move(failure)};
      }
    }
    return std::move(out_);
  }

 private:
  struct RoleTurn {
    Turn turn;
    RoleIndex role;                            // in control
    std::vector<Edge> legal;                   // [move]
    std::vector<const Network::Move*> forced;  // [role]: what it has to do; null if it can choose
  };

  Gates& gates() { return out_.network.gates; }

  // Which input of `plain` is which of `game`.
  Failure match() {
    std::unordered_map<FluentId, std::uint32_t> fluents;
    for (std::uint32_t f = 0; f < game_.fluents.size(); ++f) fluents[game_.fluents[f].id] = f;
    plain_of_.assign(game_.fluents.size(), nullptr);
    for (const Network::Fluent& f : plain_.fluents) {
      const auto found = fluents.find(f.id);
      if (found == fluents.end()) {
        edges_.push_back(f.initially ? kTrueEdge : kFalse);
        continue;
      }
      edges_.push_back(out_.network.fluents[found->second].node * 2);
      plain_of_[found->second] = &f;
    }
    std::map<std::pair<RoleIndex, MoveId>, const Network::Move*> moves;
    for (const Network::Move& m : plain_.moves) moves[{m.role, m.id}] = &m;
    for (const Network::Move& m : game_.moves) plain_move_.push_back(moves[{m.role, m.id}]);
    const bool whole = std::ranges::find(plain_of_, nullptr) == plain_of_.end() &&
                       std::ranges::find(plain_move_, nullptr) == plain_move_.end();
    if (!whole) return "grounding the rules gives another network than the machine's";
    return std::nullopt;
  }

  // --- a turn

  void assume(const Turn& turn) {
    known_.forget(0);
    for (const auto& [fluent, holds] : turn) {
      known_.add((out_.network.fluents[fluent].node * 2) ^ (holds ? 0U : 1U));
    }
  }

  void set_fluents(Layer& layer) {
    for (std::size_t f = 0; f < edges_.size(); ++f) {
      layer.set_base(plain_.fluents[f].node, known_.simplify(edges_[f]));
    }
  }

  // Finds what is legal in a turn, and which role can choose there, if any. Chance never does.
  void add_turns(const Turn& turn) {
    RoleTurn t{turn, 0, {}, {}};
    std::vector<std::size_t> possible(game_.roles(), 0);
    t.forced.assign(game_.roles(), nullptr);
    assume(turn);
    std::vector<Edge> roots;
    for (const Network::Move* m : plain_move_) roots.push_back(m->legal);
    Layer layer(plain_, roots, known_, gates());
    set_fluents(layer);
    layer.evaluate_base();
    work_ += layer.work();
    for (const Network::Move* m : plain_move_) {
      t.legal.push_back(layer.value(m->legal));
      if (t.legal.back() != kFalse) t.forced[m->role] = ++possible[m->role] == 1 ? m : nullptr;
    }
    if (std::ranges::find(possible, std::size_t{0}) != possible.end()) return;
    const auto chooses = [&](RoleIndex role) { return possible[role] > 1 && role != random_; };
    for (std::size_t m = 0; m < t.legal.size(); ++m) {
      if (t.legal[m] != kFalse && chooses(plain_move_[m]->role)) ++turns_of_[m];
    }
    for (t.role = 0; t.role < possible.size(); ++t.role) {
      if (chooses(t.role)) turns_.push_back(t);
    }
  }

  // What was found for a move in a turn, joined with what was found for it in others.
  void join(Edge& found, std::size_t move, Edge e, const RoleTurn& t) {
    std::vector<Edge> either{found, turns_of_[move] == 1 ? e : in_turn(e, t.turn)};
    found = gates().disjunction(either);
  }

  // The fluents that the roots of the upper network depend on, as those of `plain`, by node there.
  using Bridge = std::vector<std::pair<NodeId, const Network::Fluent*>>;

  /// The layers of a turn: the lower layer gives the next state after a move, the upper one what
  /// holds there.
  struct Stack {
    Layer lower, upper;
    Bridge bridge;
    std::vector<std::vector<std::uint32_t>> bridge_of;  // [lower node]: into the bridge
    bool constant = false;
  };

  Stack stack(const Network& upper, const std::vector<Edge>& upper_roots, Bridge bridge) {
    const std::vector<bool> cone = upper.cone(upper_roots);
    std::erase_if(bridge, [&](const auto& b) { return !cone[b.first]; });
    std::vector<Edge> roots{plain_.terminal};
    for (const auto& [node, fluent] : bridge) roots.push_back(fluent->next);
    Stack s{Layer(plain_, roots, known_, gates()),
            Layer(upper, upper_roots, known_, gates()),
            std::move(bridge),
            {}};
    s.bridge_of.resize(plain_.gates.size());
    for (std::uint32_t b = 0; b < s.bridge.size(); ++b) {
      s.bridge_of[node_of(s.bridge[b].second->next)].push_back(b);
    }
    return s;
  }

  void evaluate_base(Stack& s, const RoleTurn& t) {
    set_fluents(s.lower);
    for (const Network::Move& m : plain_.moves) s.lower.set_base(m.node, kFalse);
    for (const Network::Move* m : t.forced) {
      if (m != nullptr) s.lower.set_base(m->node, kTrueEdge);
    }
    s.lower.evaluate_base();
    known_.add(invert(s.lower.value(plain_.terminal)));
    for (const auto& [node, fluent] : s.bridge) {
      s.upper.set_base(node, s.lower.value(fluent->next));
    }
    s.upper.evaluate_base();
  }

  // Sets the upper layer to the state after a move, which is known to be legal.
  void make_move(Stack& s, std::size_t move, std::size_t known_before) {
    s.lower.begin();
    for (const Edge e : known_.since(known_before)) {
      if (gates().kind(node_of(e)) != Gates::Kind::Fluent) continue;
      const Network::Fluent* f = plain_of_[gates().index(node_of(e))];
      s.lower.change(f->node, is_inverted(e) ? kFalse : kTrueEdge);
    }
    s.lower.change(plain_move_[move]->node, kTrueEdge);
    s.lower.settle();
    s.upper.begin();
    for (const NodeId n : s.lower.changed()) {
      for (const std::uint32_t b : s.bridge_of[n]) {
        const auto& [node, fluent] = s.bridge[b];
        s.upper.change(node, s.lower.value(fluent->next));
      }
    }
    s.upper.settle();
  }

  /// Calls f(move, what it takes to be legal) with the stack as it is after each move of the turn.
  template <typename F>
  Failure for_moves(const RoleTurn& t, Stack& s, F&& f) {
    evaluate_base(s, t);
    const std::size_t known_before = known_.count();
    std::uint64_t work = 0;
    for (std::size_t m = 0; m < plain_move_.size(); ++m) {
      if (plain_move_[m]->role != t.role) continue;
      const Edge legal = known_.simplify(t.legal[m]);
      if (legal == kFalse) continue;
      known_.add(legal);
      make_move(s, m, known_before);
      f(m);
      known_.forget(known_before);
      out_.work = work_ + (work = s.lower.work() + s.upper.work());
      if (Failure failure = spent()) return failure;
    }
    work_ += work;
    return std::nullopt;
  }

  Failure spent() {
    for (; counted_ < gates().size(); ++counted_) {
      const auto n = static_cast<NodeId>(counted_);
      if (gates().kind(n) == Gates::Kind::And) made_ += gates().inputs(n).size() - 1;
    }
    if (made_ > budget_.gates) return "winning moves take too many gates";
    if (out_.work > budget_.work) return "winning moves take too long to find";
    if (budget_.stop != nullptr && budget_.stop->stop_requested()) return "stopped";
    return std::nullopt;
  }

  Failure find_wins(const RoleTurn& t) {
    assume(t.turn);
    const auto& goals = plain_.goals[t.role];
    const auto best = std::ranges::find(goals, 100, &Network::Goal::value);
    if (best == goals.end()) return std::nullopt;
    Bridge bridge;
    for (std::size_t f = 0; f < plain_.fluents.size(); ++f) {
      const Network::Fluent& fluent = plain_.fluents[f];
      if (edges_[f] > kTrueEdge) bridge.emplace_back(fluent.node, &fluent);
    }
    Stack s = stack(plain_, {plain_.terminal, best->edge}, std::move(bridge));
    set_fluents(s.upper);  // for those that never change
    return for_moves(t, s, [&](std::size_t m) {
      std::vector<Edge> all{t.legal[m], s.upper.value(plain_.terminal), s.upper.value(best->edge)};
      const Edge won = gates().conjunction(all);
      join(wins_[m], m, won, t);
      std::vector<Edge> either{out_.wins[m], in_turn(won, t.turn)};
      out_.wins[m] = gates().disjunction(either);
    });
  }

  Edge in_turn(Edge e, const Turn& turn) {
    std::vector<Edge> all{e};
    for (const auto& [fluent, holds] : turn) {
      all.push_back((out_.network.fluents[fluent].node * 2) ^ (holds ? 0U : 1U));
    }
    return gates().conjunction(all);
  }

  void find_threats(RoleIndex one, RoleIndex other) {
    std::map<std::pair<RoleIndex, MoveId>, std::size_t> by_name;
    for (std::size_t m = 0; m < game_.moves.size(); ++m) {
      by_name[{game_.moves[m].role, game_.moves[m].id}] = m;
    }
    for (std::size_t m = 0; m < game_.moves.size(); ++m) {
      const Network::Move& move = game_.moves[m];
      if (move.role != one && move.role != other) continue;
      const auto twin = by_name.find({move.role == one ? other : one, move.id});
      if (twin != by_name.end()) out_.threats[m] = wins_[twin->second];
    }
  }

  // Composes the next state with whether another role has a winning move, which is brought into a
  // small form first.
  Failure find_avoided(const RoleTurn& t) {
    assume(t.turn);
    const Edge any_win = any_win_but_of(t.role);
    if (any_win == kFalse) return std::nullopt;
    Network wins;
    wins.goals.resize(game_.roles());
    Bridge bridge;
    for (std::size_t f = 0; f < plain_of_.size(); ++f) {
      const Network::Fluent& fluent = out_.network.fluents[f];
      const Edge e = wins.add_fluent(fluent.id, fluent.initially);
      wins.fluents.back().next = e;
    }
    wins.terminal = Refactoring(out_.network, {any_win}, wins, budget_.stop).copy(any_win);
    PassBudget passes;
    passes.stop = budget_.stop;
    wins = share_wide_gates(wins, passes);
    for (std::size_t f = 0; f < plain_of_.size(); ++f) {
      bridge.emplace_back(wins.fluents[f].node, plain_of_[f]);
    }
    Stack s = stack(wins, {wins.terminal}, std::move(bridge));
    return for_moves(
        t, s, [&](std::size_t m) { join(out_.avoided[m], m, s.upper.value(wins.terminal), t); });
  }

  // Whether a role other than this has a winning move. This is a tree of small gates: the parts
  // that a move does not affect are the same after all moves.
  Edge any_win_but_of(RoleIndex role) {
    constexpr std::size_t kWidth = 4;
    std::vector<Edge> level;
    for (std::size_t m = 0; m < game_.moves.size(); ++m) {
      if (game_.moves[m].role != role && out_.wins[m] != kFalse) level.push_back(out_.wins[m]);
    }
    while (level.size() > 1) {
      std::vector<Edge> above;
      for (std::size_t i = 0; i < level.size(); i += kWidth) {
        const auto part = std::span(level).subspan(i, std::min(kWidth, level.size() - i));
        std::vector<Edge> some(part.begin(), part.end());
        above.push_back(gates().disjunction(some));
      }
      level = std::move(above);
    }
    return level.empty() ? kFalse : level.front();
  }

  const Network& game_;
  const Network& plain_;
  const std::optional<RoleIndex> random_;
  const TacticsBudget& budget_;
  Tactics out_;
  KnownLiterals known_;
  std::vector<RoleTurn> turns_;
  std::vector<std::uint32_t> turns_of_;           // [move]: in how many it may be chosen
  std::vector<Edge> edges_;                       // [fluent of plain]: in the target, or a constant
  std::vector<const Network::Fluent*> plain_of_;  // [fluent of game]
  std::vector<const Network::Move*> plain_move_;  // [move of game]
  std::vector<Edge> wins_;                        // [move]: as `wins`, in the role's turn
  std::uint64_t work_ = 0;
  std::size_t counted_ = 0, made_ = 0;  // gates
};

}  // namespace

Result<Tactics> find_tactics(const Network& game, const Network& plain,
                             std::optional<RoleIndex> random, bool with_avoided,
                             const TacticsBudget& budget) {
  if (!game.feedbacks.empty() || !plain.feedbacks.empty()) {
    return Error{"its rules depend on each other in cycles"};
  }
  return Composition(game, plain, random, budget).run(with_avoided);
}

}  // namespace ludens::gdl
