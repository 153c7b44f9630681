// SPDX-License-Identifier: MIT
#include "search/hidden/hyperplay.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "search/hidden/imagined_players.h"
#include "search/hidden/known_hash.h"
#include "search/hidden/roots.h"
#include "search/hidden/sampling.h"
#include "search/strategy/first_choice.h"
#include "search/strategy/publication_plan.h"

namespace ludens::search {

namespace {

using gdl::Status;
using hidden::known_after;

/// A possible continuation of a match: a state, and what each role knows there.
struct Scene {
  gdl::State state;
  std::vector<std::vector<KnownTurn>> turns;  // [role]
  std::vector<std::uint64_t> known;           // [role]
};

/// Playouts of imagined players from histories of one position.
class ImaginedPlayouts {
 public:
  ImaginedPlayouts(const gdl::Machine& machine, const hidden::Roots& roots,
                   hidden::ImaginedPlayers& players, std::uint32_t steps,
                   const gdl::StopSignal& stop, gdl::MemoryBudget* memory, gdl::Rng& rng)
      : machine_(machine),
        roots_(roots),
        players_(players),
        steps_(steps),
        stop_(stop),
        context_(machine.make_context({.stop = &stop, .memory = memory})),
        rng_(rng),
        scenes_(roots.histories().size()) {}

  /// Computes the goal of the role that makes its move after a history; 0 if the game is not over
  /// at the cap.
  Status run(std::size_t history, gdl::RoleIndex role, gdl::MoveId move, double& goal) {
    Scene scene;
    if (const auto s = begin(history, scene); s != Status::Ok) return s;
    gdl::MoveId given = move;
    bool over = false;
    for (std::uint32_t step = 0; step < steps_; ++step) {
      std::vector<gdl::MoveId> joint;
      if (const auto s = choose(scene, role, given, joint); s != Status::Ok) return s;
      given = gdl::kNoMove;
      if (joint.empty()) break;
      if (const auto s = advance(scene, joint); s != Status::Ok) return s;
      if (const auto s = machine_.terminal(*context_, scene.state, over); s != Status::Ok) return s;
      if (over) break;
    }
    std::vector<int> goals(machine_.role_count(), 0);
    if (over) {
      const auto s = machine_.goals(*context_, scene.state, goals);
      if (s != Status::Ok) return s;
    }
    goal = goals[role];
    return Status::Ok;
  }
  [[nodiscard]] std::uint64_t states() const { return states_; }

 private:
  /// Finds what every role knows after a history; computed once.
  Status begin(std::size_t i, Scene& out) {
    if (!scenes_[i]) {
      Scene scene{
          .state = {},
          .turns = std::vector<std::vector<KnownTurn>>(machine_.role_count()),
          .known = std::vector<std::uint64_t>(machine_.role_count(), hidden::kNothingKnown)};
      if (const auto s = machine_.initial(*context_, scene.state); s != Status::Ok) return s;
      const auto history = roots_.histories().history(i);
      const std::size_t roles = machine_.role_count();
      for (std::size_t at = 0; at + roles <= history.size(); at += roles) {
        if (const auto s = advance(scene, history.subspan(at, roles)); s != Status::Ok) return s;
      }
      scene.state.assign(roots_.histories().states[i]);
      scenes_[i] = std::move(scene);
    }
    out = *scenes_[i];
    return Status::Ok;
  }

  /// Chooses a move for each role, of which one may be given (not `kNoMove`); none if a role has no
  /// legal move.
  Status choose(const Scene& scene, gdl::RoleIndex role, gdl::MoveId given,
                std::vector<gdl::MoveId>& joint) {
    joint.clear();
    std::vector<gdl::MoveId> legal;
    for (gdl::RoleIndex r = 0; r < machine_.role_count(); ++r) {
      if (const auto s = machine_.legal(*context_, scene.state, r, legal); s != Status::Ok) {
        return s;
      }
      if (legal.empty()) {
        joint.clear();
        return Status::Ok;
      }
      gdl::MoveId move = legal[rng_.below(static_cast<std::uint32_t>(legal.size()))];
      if (r == role && given != gdl::kNoMove) {
        move = given;
      } else if (r != machine_.random_role() && legal.size() > 1 && !roots_.all_is_seen()) {
        const auto s = players_.choose(r, scene.known[r], scene.turns[r], legal, stop_, move);
        if (s != Status::Ok) return s;
      }
      joint.push_back(move);
    }
    return Status::Ok;
  }

  Status advance(Scene& scene, gdl::JointMove joint) {
    ++states_;
    for (gdl::RoleIndex r = 0; r < machine_.role_count(); ++r) {
      KnownTurn turn{.own = joint[r]};
      const auto s = machine_.percepts(*context_, scene.state, joint, r, turn.percepts);
      if (s != Status::Ok) return s;
      scene.known[r] = known_after(scene.known[r], r, joint, turn.percepts, roots_.all_is_seen());
      scene.turns[r].push_back(std::move(turn));
    }
    gdl::State after;
    const auto s = machine_.next(*context_, scene.state, joint, after);
    if (s == Status::Ok) scene.state = std::move(after);
    return s;
  }

  const gdl::Machine& machine_;
  const hidden::Roots& roots_;
  hidden::ImaginedPlayers& players_;
  const std::uint32_t steps_;
  const gdl::StopSignal& stop_;
  std::unique_ptr<gdl::Machine::Context> context_;
  gdl::Rng& rng_;
  std::vector<std::optional<Scene>> scenes_;  // [history]
  std::uint64_t states_ = 0;
};

class HyperPlay final : public Strategy {
 public:
  HyperPlay(const Options& options, const Resources& resources)
      : rng_(options.rng()),
        roots_({.most = static_cast<std::size_t>(options.count("histories")),
                .seed = rng_(),
                .memory = resources.memory}),
        imagined_{.histories = static_cast<std::size_t>(options.count("nested")),
                  .tries = static_cast<std::uint32_t>(options.count("tries")),
                  .steps = static_cast<std::uint32_t>(options.count("steps"))},
        memory_(resources.memory),
        most_(options.count("playouts")),
        width_(options.count("width")) {}
  [[nodiscard]] std::string_view name() const override { return "hyperplay"; }
  [[nodiscard]] std::string explanation() const override { return explanation_; }

  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent) override {
    explanation_.clear();
    const auto legal = publish_first(position, deadline, incumbent);
    if (legal.empty() || !roots_.take(position, deadline)) return;
    if (machine_ != position.machine) {
      machine_ = position.machine;
      players_.emplace(machine_, imagined_, rng_, memory_);
    }
    ImaginedPlayouts playouts(*machine_, roots_, *players_, imagined_.steps, deadline, memory_,
                              rng_);
    const std::vector<gdl::MoveId> tries = promising(position.role, legal, deadline);
    std::vector<RootMove> moves;
    moves.reserve(legal.size());
    for (const gdl::MoveId move : legal) moves.push_back({.move = move});
    PublicationPlan plan;
    hidden::LowDiscrepancySequence sequence(rng_);
    double share = 0;  // the same history for each move
    std::uint64_t done = 0;
    for (; !deadline.stop_requested() && (most_ == 0 || done < most_); ++done) {
      if (done % tries.size() == 0) share = sequence.next();
      RootMove& tried = *std::ranges::find(moves, tries[done % tries.size()], &RootMove::move);
      double goal = 0;
      const Status status = playouts.run(roots_.at(share), position.role, tried.move, goal);
      if (status == Status::Stopped) break;
      // What can't be computed counts as a goal of 0.
      tried.value += goal;  // a sum, until it is published
      ++tried.visits;
      if (plan.due(done + 1)) publish(moves, playouts.states(), incumbent);
    }
    publish(moves, playouts.states(), incumbent);
    explanation_ = roots_.told() + (roots_.told().empty() ? "" : "; ") +
                   std::to_string(players_->size()) + " situations of imagined players";
  }

 private:
  /// The best moves by random playouts, best first; all moves if there was no time to rate them.
  std::vector<gdl::MoveId> promising(gdl::RoleIndex role, const std::vector<gdl::MoveId>& legal,
                                     const Deadline& deadline) {
    std::vector<double> means;
    if (legal.size() <= width_ ||
        players_->rate(roots_.histories(), role, legal, deadline, means) != Status::Ok) {
      return legal;
    }
    std::vector<std::size_t> order(legal.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](auto a, auto b) { return means[a] > means[b]; });
    std::vector<gdl::MoveId> best;
    for (std::size_t i = 0; i < width_; ++i) best.push_back(legal[order[i]]);
    return best;
  }

  static void publish(std::vector<RootMove> moves, std::uint64_t states, Incumbent& incumbent) {
    Choice choice;
    choice.nodes = states;
    for (RootMove& move : moves) {
      choice.iterations += move.visits;
      move.value = move.visits > 0 ? move.value / static_cast<double>(move.visits) : kUnknownValue;
    }
    const auto better = [](const RootMove& a, const RootMove& b) {
      return (a.visits == 0) != (b.visits == 0) ? a.visits == 0 : a.value < b.value;
    };
    const RootMove& best = *std::ranges::max_element(moves, better);
    choice.move = best.move;
    choice.value = best.value;
    choice.root = std::move(moves);
    incumbent.publish(std::move(choice));
  }

  gdl::Rng rng_;
  hidden::Roots roots_;
  const hidden::ImaginedOptions imagined_;
  gdl::MemoryBudget* memory_;
  const std::uint64_t most_;
  const std::size_t width_;
  std::shared_ptr<const gdl::Machine> machine_;
  std::optional<hidden::ImaginedPlayers> players_;
  std::string explanation_;
};

}  // namespace

std::unique_ptr<Strategy> make_hyperplay(const Options& options, const Resources& resources) {
  return std::make_unique<HyperPlay>(options, resources);
}

}  // namespace ludens::search
