// SPDX-License-Identifier: MIT
#include "search/hidden/belief_sizes.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "gdl/machine/rng.h"
#include "search/hidden/belief.h"

namespace ludens::search::hidden {

namespace {

/// One random playout, with the belief of each role.
class Playout {
 public:
  Playout(const std::shared_ptr<const gdl::Machine>& machine, const BeliefSizesOptions& options,
          const Deadline& deadline, gdl::Rng& rng, BeliefSizes& sizes)
      : machine_(machine),
        options_(options),
        deadline_(deadline),
        rng_(rng),
        sizes_(sizes),
        context_(machine->make_context({.stop = &deadline, .memory = options.memory})),
        beliefs_(machine->role_count()),
        legal_(machine->role_count()) {
    for (gdl::RoleIndex r = 0; r < beliefs_.size(); ++r) {
      if (r == machine->random_role()) continue;
      beliefs_[r].emplace(machine, r,
                          BeliefOptions{.most = options.most, .memory = options.memory});
    }
  }

  /// False if there was no time or no memory to get to the end.
  bool run() {
    if (machine_->initial(*context_, state_) != gdl::Status::Ok) return false;
    for (auto& belief : beliefs_) {
      if (belief && belief->follow({}, deadline_) != gdl::Status::Ok) return false;
    }
    for (std::size_t step = 0; step < options_.steps; ++step) {
      count(step);
      if (!draw()) return false;
      if (joint_.empty()) return true;
      if (!advance()) return false;
      if (over_) return true;
    }
    return true;
  }

 private:
  void count(std::size_t step) {
    for (gdl::RoleIndex r = 0; r < beliefs_.size(); ++r) {
      if (r == machine_->random_role()) continue;
      auto& steps = sizes_.steps[r];
      if (steps.size() <= step) steps.resize(step + 1);
      const auto& belief = beliefs_[r];
      const std::size_t size = belief ? belief->size() : options_.most;
      BeliefSizes::Step& s = steps[step];
      s.beyond += belief ? 0 : 1;
      s.at_least += belief && !belief->exact() ? 1 : 0;
      s.largest = std::max(s.largest, size);
      s.mean += (static_cast<double>(size) - s.mean) / static_cast<double>(++s.met);
    }
  }

  /// Draws a random joint move; false if a role has no legal move.
  bool draw() {
    joint_.clear();
    for (gdl::RoleIndex r = 0; r < legal_.size(); ++r) {
      if (machine_->legal(*context_, state_, r, legal_[r]) != gdl::Status::Ok) return false;
    }
    if (std::ranges::any_of(legal_, [](const auto& moves) { return moves.empty(); })) return true;
    for (const auto& moves : legal_) {
      joint_.push_back(moves[rng_.below(static_cast<std::uint32_t>(moves.size()))]);
    }
    return true;
  }

  bool advance() {
    std::vector<KnownTurn> turns;
    for (gdl::RoleIndex r = 0; r < beliefs_.size(); ++r) {
      KnownTurn& turn = turns.emplace_back(KnownTurn{.own = joint_[r]});
      const auto s = machine_->percepts(*context_, state_, joint_, r, turn.percepts);
      if (s != gdl::Status::Ok) return false;
    }
    gdl::State next;
    if (machine_->next(*context_, state_, joint_, next) != gdl::Status::Ok) return false;
    state_ = std::move(next);
    if (machine_->terminal(*context_, state_, over_) != gdl::Status::Ok) return false;
    for (gdl::RoleIndex r = 0; r < beliefs_.size() && !over_; ++r) {
      if (!beliefs_[r]) continue;
      if (beliefs_[r]->advance(turns[r], deadline_) != gdl::Status::Ok) return false;
      if (beliefs_[r]->overflows()) beliefs_[r].reset();
    }
    return true;
  }

  const std::shared_ptr<const gdl::Machine>& machine_;
  const BeliefSizesOptions& options_;
  const Deadline& deadline_;
  gdl::Rng& rng_;
  BeliefSizes& sizes_;
  std::unique_ptr<gdl::Machine::Context> context_;
  std::vector<std::optional<Belief>> beliefs_;  // [role]; nullopt: too large to be counted
  std::vector<std::vector<gdl::MoveId>> legal_;
  std::vector<gdl::MoveId> joint_;
  gdl::State state_;
  bool over_ = false;
};

}  // namespace

BeliefSizes measure_beliefs(const std::shared_ptr<const gdl::Machine>& machine,
                            const BeliefSizesOptions& options, const Deadline& deadline) {
  BeliefSizes sizes{.most = options.most, .steps = {}};
  sizes.steps.resize(machine->role_count());
  gdl::Rng rng(options.seed);
  while (sizes.playouts < options.playouts && !deadline.stop_requested()) {
    if (!Playout(machine, options, deadline, rng, sizes).run()) break;
    ++sizes.playouts;
  }
  return sizes;
}

}  // namespace ludens::search::hidden
