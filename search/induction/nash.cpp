// SPDX-License-Identifier: MIT
#include "search/induction/nash.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "search/hidden/mixed_choice.h"
#include "search/induction/backward.h"
#include "search/strategy/first_choice.h"

namespace ludens::search {

namespace {

/// The states that can be reached from one, with their values for one role.
struct Solved {
  std::shared_ptr<const gdl::Machine> machine;
  gdl::RoleIndex role;
  Deadline deadline;
  BackwardInduction induction;

  Solved(const Position& position, const Deadline& end, gdl::MemoryBudget* memory)
      : machine(position.machine),
        role(position.role),
        deadline(end),
        induction(machine, role, deadline, memory, BackwardInduction::Choices::Mixed) {}
};

class Nash final : public Strategy {
 public:
  Nash(const Options& options, const Resources& resources)
      : seed_(options.rng()()),
        most_states_(static_cast<BackwardInduction::Index>(options.count("nodes"))),
        memory_(resources.memory != nullptr ? resources.memory : &own_memory_) {}
  [[nodiscard]] std::string_view name() const override { return "nash"; }
  [[nodiscard]] std::string explanation() const override { return explanation_; }

  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent) override {
    explanation_.clear();
    if (publish_first(position, deadline, incumbent).empty()) return;
    const auto index = know(position, deadline);
    if (!index) return;
    const auto [moves, chances] = solved_->induction.mixture(*index);
    if (moves.empty()) return;
    // The same answer whenever the position is asked about.
    gdl::Rng rng(seed_ + position.history.size());
    const std::size_t states = solved_->induction.size();
    Choice choice = hidden::mixed_choice(moves, chances, {}, states, rng.uniform());
    choice.value = solved_->induction.value(*index);
    choice.nodes = states;
    choice.exact = true;
    char text[96];
    std::snprintf(text, sizeof text, "the equilibrium of %zu states guarantees %.2f", states,
                  choice.value);
    explanation_ = text;
    incumbent.publish(std::move(choice));
  }

 private:
  std::optional<BackwardInduction::Index> know(const Position& position, const Deadline& deadline) {
    if (solved_ && solved_->machine == position.machine && solved_->role == position.role) {
      if (const auto known = solved_->induction.find(position.state)) return known;
    }
    solved_.reset();
    solved_.emplace(position, deadline, memory_);
    if (most_states_ > 0) solved_->induction.cap_states(most_states_);
    const auto outcome = solved_->induction.solve(position.state);
    if (outcome == BackwardInduction::Outcome::Complete) return 0;
    char text[96];
    std::snprintf(
        text, sizeof text, "%zu states and more: %s", solved_->induction.size(),
        outcome == BackwardInduction::Outcome::Stopped ? "no time" : "no memory, or too many");
    explanation_ = text;
    solved_.reset();
    return std::nullopt;
  }

  std::uint64_t seed_;
  BackwardInduction::Index most_states_;                 // 0: any number
  gdl::MemoryBudget own_memory_{gdl::kUnbudgetedBytes};  // if none is given
  gdl::MemoryBudget* memory_;
  std::optional<Solved> solved_;
  std::string explanation_;
};

}  // namespace

std::unique_ptr<Strategy> make_nash(const Options& options, const Resources& resources) {
  return std::make_unique<Nash>(options, resources);
}

}  // namespace ludens::search
