// SPDX-License-Identifier: MIT
#include "gdl/reach/reach_network.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "gdl/reach/effects.h"
#include "gdl/reach/relaxed_gates.h"
#include "gdl/rules/canonical_names.h"

namespace ludens::gdl {

namespace {

/// How many times as many nodes the network may have.
constexpr std::size_t kMostGrowth = 8;

using Groups = std::vector<std::vector<std::uint32_t>>;
using Reached = std::vector<Edge>;  // [group]

class ReachBuilder {
 public:
  ReachBuilder(const Network& network, const Groups& groups, MainTurns turns, Effects effects,
               const StopSignal* stop, Network& target)
      : network_(network),
        groups_(groups),
        turns_(std::move(turns)),
        effects_(std::move(effects)),
        poll_(stop),
        target_(target) {}

  /// [moves - 1]: which groups the role could change by exactly this number of moves; nullopt if it
  /// was stopped or grew too much.
  std::optional<std::vector<Reached>> find(RoleIndex role, std::uint32_t most_moves) {
    std::vector<Edge> now;
    const auto known = turns_.known(network_.fluents.size(), role);
    for (std::uint32_t f = 0; f < known.size(); ++f) {
      const Edge own = network_.fluents[f].node * 2;
      now.push_back(known[f] ? (*known[f] ? kTrueEdge : kFalse) : own);
    }
    std::vector<Reached> reached;
    std::vector<Edge> gained = now;
    for (std::uint32_t moves = 0; moves < most_moves; ++moves) {
      RelaxedGates gates(network_, target_.gates, now, gained);
      auto step = make_moves(role, gates, now, known);
      if (!step) return std::nullopt;
      reached.push_back(std::move(step->first));
      gained = std::move(step->second);
    }
    for (std::size_t moves = reached.size(); moves-- > 1;) {
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        Edge& exactly = reached[moves][g];
        exactly = target_.gates.conjunction(exactly, invert(reached[moves - 1][g]));
      }
    }
    return reached;
  }

 private:
  /// Which groups one more move could change, and which fluents could hold then.
  std::optional<std::pair<Reached, std::vector<Edge>>> make_moves(
      RoleIndex role, RelaxedGates& gates, const std::vector<Edge>& now,
      const std::vector<std::optional<bool>>& known) {
    const auto& moves = turns_.of_role[role].moves;
    const auto changed = times(effects_.changed, moves, groups_.size());
    const auto gains = times(effects_.gained, moves, network_.fluents.size());
    std::vector<std::vector<Edge>> by_group(groups_.size());
    std::map<std::uint32_t, std::vector<Edge>> by_fluent;
    for (const std::uint32_t m : moves) {
      const std::size_t before = target_.gates.size();
      const Edge legal = gates.evaluate(network_.moves[m].legal);
      if (poll_(16 + target_.gates.size() - before)) return std::nullopt;
      if (target_.gates.size() > kMostGrowth * network_.gates.size()) return std::nullopt;
      for (const std::uint32_t g : effects_.changed[m]) {
        if (2 * changed[g] <= moves.size()) by_group[g].push_back(legal);
      }
      for (const std::uint32_t f : effects_.gained[m]) {
        if (!known[f] && 2 * gains[f] <= moves.size()) by_fluent[f].push_back(legal);
      }
    }
    Reached reached;
    for (auto& legal : by_group) reached.push_back(target_.gates.disjunction(legal));
    std::vector<Edge> gained = now;
    for (auto& [f, legal] : by_fluent) {
      legal.push_back(now[f]);
      gained[f] = target_.gates.disjunction(legal);
    }
    return std::pair(std::move(reached), std::move(gained));
  }

  /// [group or fluent]: how many of the moves change or gain it. What most moves do comes about by
  /// itself, such as the next step of a counter.
  static std::vector<std::size_t> times(const std::vector<std::vector<std::uint32_t>>& effects,
                                        const std::vector<std::uint32_t>& moves, std::size_t of) {
    std::vector<std::size_t> counts(of, 0);
    for (const std::uint32_t m : moves) {
      for (const std::uint32_t effect : effects[m]) ++counts[effect];
    }
    return counts;
  }

  const Network& network_;
  const Groups& groups_;
  const MainTurns turns_;
  const Effects effects_;
  StopPoll poll_;
  Network& target_;
};

/// `( does ROLE FLUENT )`, in itself for each further move: no rulesheet has such a fluent, as the
/// symbol of the keyword is in no term.
FluentId name_of(const Network::Fluent& fluent, RoleIndex role, std::uint32_t moves,
                 Vocabulary& vocabulary) {
  const Rules& rules = vocabulary.rules();
  const SymbolId does = rules.relations[kDoes].name;
  std::vector<std::uint32_t> term;
  for (std::uint32_t i = 0; i < moves; ++i) {
    term.insert(term.end(), {does * 2 + 1, 2, 2 * rules.terms.value(rules.roles[role])});
  }
  const auto inner = vocabulary.fluent_term(fluent.id);
  term.insert(term.end(), inner.begin(), inner.end());
  return vocabulary.fluent(term);
}

/// [group]: the fluent that stands for it, whatever the names and the order of the rules are.
std::vector<std::uint32_t> representatives(const Network& network, const Groups& groups,
                                           const Vocabulary& vocabulary,
                                           const CanonicalNames& names) {
  std::vector<std::uint32_t> out;
  for (const auto& group : groups) {
    out.push_back(*std::ranges::min_element(group, {}, [&](std::uint32_t f) {
      return names.renumber(vocabulary.fluent_term(network.fluents[f].id));
    }));
  }
  return out;
}

/// `places`: [group], as `representatives`.
void add_bits(const std::vector<Reached>& reached, const std::vector<std::uint32_t>& places,
              RoleIndex role, Vocabulary& vocabulary, GameNetwork& game, MoveId first_move) {
  Network& network = game.network;
  for (std::uint32_t g = 0; g < places.size(); ++g) {
    for (std::uint32_t i = 0; i < reached.size(); ++i) {
      if (node_of(reached[i][g]) == 0) continue;
      const std::uint32_t group = places[g];
      const FluentId name = name_of(network.fluents[group], role, i + 1, vocabulary);
      const auto last = static_cast<RoleIndex>(network.roles() - 1);
      (void)network.add_move(first_move + static_cast<MoveId>(game.reach.size()), last);
      network.moves.back().legal = reached[i][g];
      game.reach.push_back(
          {static_cast<std::uint32_t>(network.fluents.size()), group, role, i + 1});
      (void)network.add_fluent(name, false);
    }
  }
}

}  // namespace

Result<ReachNetwork> build_reach_network(const GameNetwork& game, Vocabulary& vocabulary,
                                         const std::vector<std::vector<std::uint32_t>>& groups,
                                         std::uint32_t most_moves, const StopSignal* stop) {
  const Network& network = game.network;
  if (most_moves > kMostReach) return Error{"it looks too many moves ahead"};
  if (!network.feedbacks.empty()) return Error{"its rules depend on each other in cycles"};
  MainTurns turns = find_main_turns(network, stop);
  auto effects = find_effects(network, turns, groups, stop);
  const auto names = canonical_names(vocabulary.rules(), stop);
  if (!names || (stop != nullptr && stop->stop_requested())) return Error{"stopped"};
  if (!effects) return Error{"it has too many moves"};
  const auto places = representatives(network, groups, vocabulary, *names);
  auto with = std::make_shared<GameNetwork>(game);
  with->ground_rules = nullptr;
  ReachBuilder builder(network, groups, std::move(turns), *std::move(effects), stop, with->network);
  const auto first_move = static_cast<MoveId>(vocabulary.move_count());
  for (RoleIndex r = 0; r < network.roles(); ++r) {
    const auto reached = builder.find(r, most_moves);
    if (stop != nullptr && stop->stop_requested()) return Error{"stopped"};
    if (!reached) return Error{"what its roles can reach takes too many gates"};
    add_bits(*reached, places, r, vocabulary, *with, first_move);
  }
  if (with->reach.empty()) return Error{"its moves reach nothing"};
  return ReachNetwork{std::move(with), first_move};
}

}  // namespace ludens::gdl
