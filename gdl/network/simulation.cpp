// SPDX-License-Identifier: MIT
#include "gdl/network/simulation.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

namespace ludens::gdl {

Simulation::Simulation(const Network& network)
    : fluents(network.fluents.size()),
      moves(network.moves.size()),
      network_(network),
      loops_(find_loops(network)),
      values_(network.gates.size()) {}

std::uint64_t Simulation::gate(NodeId n) const {
  std::uint64_t all = ~std::uint64_t{0};
  for (const Edge e : network_.gates.inputs(n)) all &= value(e);
  return all;
}

void Simulation::pass() {
  for (NodeId n = 0; n < values_.size(); ++n) {
    if (network_.gates.kind(n) == Gates::Kind::And) values_[n] = gate(n);
  }
}

void Simulation::settle(const Loop& loop) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const NodeId n : loop.gates) values_[n] = gate(n);
    for (const std::uint32_t f : loop.feedbacks) {
      const Network::Feedback& feedback = network_.feedbacks[f];
      const std::uint64_t now = value(feedback.update);
      changed = changed || now != values_[feedback.node];
      values_[feedback.node] = now;
    }
  }
}

void Simulation::evaluate() {
  for (std::size_t f = 0; f < fluents.size(); ++f) values_[network_.fluents[f].node] = fluents[f];
  for (std::size_t m = 0; m < moves.size(); ++m) values_[network_.moves[m].node] = moves[m];
  for (const Network::Feedback& f : network_.feedbacks) values_[f.node] = 0;
  pass();
  for (const Loop& loop : loops_.loops) {  // what a loop depends on must be right before it begins
    settle(loop);
    pass();
  }
}

RandomGames::RandomGames(const Network& network, Rng& rng)
    : network_(network), rng_(rng), simulation_(network) {}

void RandomGames::choose() {
  for (std::size_t f = 0; f < network_.fluents.size(); ++f) {
    const std::uint64_t initial = network_.fluents[f].initially ? ~std::uint64_t{0} : 0;
    std::uint64_t& now = simulation_.fluents[f];
    now = (now & playing_) | (initial & ~playing_);
  }
  std::ranges::fill(simulation_.moves, 0);
  simulation_.evaluate();
  playing_ = ~simulation_.value(network_.terminal);
  std::size_t end = 0;
  for (RoleIndex role = 0; role < network_.roles(); ++role) {
    const std::size_t begin = end;
    while (end < network_.moves.size() && network_.moves[end].role == role) ++end;
    choose(begin, end);
  }
  simulation_.evaluate();
}

// One of a role's legal moves in each game. Counts, draws, and counts again, so that the many moves
// that are not legal cost next to nothing.
void RandomGames::choose(std::size_t begin, std::size_t end) {
  std::array<std::uint32_t, 64> left{};
  const auto for_legal = [&](std::size_t move, auto f) {
    for (std::uint64_t in = simulation_.value(network_.moves[move].legal); in != 0; in &= in - 1) {
      f(static_cast<std::size_t>(std::countr_zero(in)));
    }
  };
  for (std::size_t m = begin; m < end; ++m) for_legal(m, [&](std::size_t game) { ++left[game]; });
  for (std::size_t game = 0; game < left.size(); ++game) {
    if (left[game] == 0) {
      playing_ &= ~(std::uint64_t{1} << game);
    } else {
      left[game] = rng_.below(left[game]) + 1;
    }
  }
  for (std::size_t m = begin; m < end; ++m) {
    for_legal(m, [&](std::size_t game) {
      if (--left[game] == 0) simulation_.moves[m] |= std::uint64_t{1} << game;
    });
  }
}

void RandomGames::step() {
  for (std::size_t f = 0; f < network_.fluents.size(); ++f) {
    simulation_.fluents[f] = simulation_.value(network_.fluents[f].next);
  }
}

namespace {

// For each fluent (move) of `before`, its index in `after`, or none.
constexpr std::uint32_t kGone = ~0U;

std::vector<std::uint32_t> kept_fluents(const Network& before, const Network& after) {
  std::map<FluentId, std::uint32_t> index;
  for (std::uint32_t f = 0; f < after.fluents.size(); ++f) index[after.fluents[f].id] = f;
  std::vector<std::uint32_t> kept;
  for (const Network::Fluent& f : before.fluents) {
    const auto found = index.find(f.id);
    kept.push_back(found == index.end() ? kGone : found->second);
  }
  return kept;
}

std::vector<std::uint32_t> kept_moves(const Network& before, const Network& after) {
  std::map<std::pair<RoleIndex, MoveId>, std::uint32_t> index;
  for (std::uint32_t m = 0; m < after.moves.size(); ++m) {
    index[{after.moves[m].role, after.moves[m].id}] = m;
  }
  std::vector<std::uint32_t> kept;
  for (const Network::Move& m : before.moves) {
    const auto found = index.find({m.role, m.id});
    kept.push_back(found == index.end() ? kGone : found->second);
  }
  return kept;
}

class Comparison {
 public:
  Comparison(const Network& before, const Network& after)
      : before_(before),
        after_(after),
        fluents_(kept_fluents(before, after)),
        moves_(kept_moves(before, after)),
        b_(after) {}

  std::optional<std::string> compare(const RandomGames& games) {
    const Simulation& a = games.now();
    for (std::size_t f = 0; f < fluents_.size(); ++f) {
      if (fluents_[f] != kGone) b_.fluents[fluents_[f]] = a.fluents[f];
    }
    for (std::size_t m = 0; m < moves_.size(); ++m) {
      if (moves_[m] != kGone) b_.moves[moves_[m]] = a.moves[m];
    }
    b_.evaluate();
    if (a.value(before_.terminal) != b_.value(after_.terminal)) return "terminal";
    for (std::size_t m = 0; m < moves_.size(); ++m) {
      const std::uint64_t legal = moves_[m] == kGone ? 0 : b_.value(after_.moves[moves_[m]].legal);
      if (a.value(before_.moves[m].legal) != legal) return "legal, move " + std::to_string(m);
    }
    // Passes may rely on moves being made, so next values only count where they are.
    for (std::size_t f = 0; f < fluents_.size(); ++f) {
      if (fluents_[f] == kGone) continue;
      const std::uint64_t next = b_.value(after_.fluents[fluents_[f]].next);
      if (((a.value(before_.fluents[f].next) ^ next) & games.playing()) != 0) {
        return "next, fluent " + std::to_string(f);
      }
    }
    if (auto difference = compare_percepts(a, games.playing())) return difference;
    return compare_goals(a);
  }

 private:
  // Percepts only count where moves are made, like next values.
  [[nodiscard]] std::optional<std::string> compare_percepts(const Simulation& a,
                                                            std::uint64_t playing) const {
    std::map<std::pair<RoleIndex, PerceptId>, std::uint64_t> before, after;
    for (const auto& p : before_.percepts) before[{p.role, p.id}] = a.value(p.edge) & playing;
    for (const auto& p : after_.percepts) after[{p.role, p.id}] = b_.value(p.edge) & playing;
    std::erase_if(before, [](const auto& p) { return p.second == 0; });
    std::erase_if(after, [](const auto& p) { return p.second == 0; });
    if (before != after) return "percepts";
    return std::nullopt;
  }

  [[nodiscard]] std::optional<std::string> compare_goals(const Simulation& a) const {
    for (RoleIndex r = 0; r < before_.roles(); ++r) {
      std::map<int, std::uint64_t> before, after;
      for (const Network::Goal& g : before_.goals[r]) before[g.value] |= a.value(g.edge);
      for (const Network::Goal& g : after_.goals[r]) after[g.value] |= b_.value(g.edge);
      std::erase_if(before, [](const auto& g) { return g.second == 0; });
      std::erase_if(after, [](const auto& g) { return g.second == 0; });
      if (before != after) return "goals of role " + std::to_string(r);
    }
    return std::nullopt;
  }

  const Network& before_;
  const Network& after_;
  const std::vector<std::uint32_t> fluents_, moves_;
  Simulation b_;
};

}  // namespace

std::optional<std::string> find_difference(const Network& before, const Network& after,
                                           std::uint32_t steps, Rng& rng) {
  RandomGames games(before, rng);
  Comparison comparison(before, after);
  for (std::uint32_t step = 0; step < steps; ++step) {
    games.choose();
    if (auto difference = comparison.compare(games)) {
      return *difference + ", after " + std::to_string(step) + " steps";
    }
    games.step();
  }
  return std::nullopt;
}

}  // namespace ludens::gdl
