// SPDX-License-Identifier: MIT
#include "search/induction/retrograde.h"

#include "search/induction/solved_game.h"
#include "search/learning/state_count.h"
#include "search/strategy/first_choice.h"

namespace ludens::search {

namespace {

class Retrograde final : public Strategy {
 public:
  Retrograde(const Options& options, const Resources& resources)
      : seed_(options.rng()()),
        ties_(options.ties()),
        trial_(static_cast<double>(options.count("trial")) / 100),
        memory_(resources.memory),
        game_(BackwardInduction::Choices::Seen, options.count("nodes"), resources) {}
  [[nodiscard]] std::string_view name() const override { return "retrograde"; }
  [[nodiscard]] std::string explanation() const override { return explanation_; }

  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent) override {
    explanation_.clear();
    if (publish_first(position, deadline, incumbent).empty()) return;
    const auto index = game_.find(position, deadline, patience(position, deadline));
    explanation_ = game_.failure();
    if (!index) return;
    const BackwardInduction& induction = game_.induction();
    Choice choice;
    const std::vector<gdl::MoveId> best = induction.best_moves(*index);
    if (best.empty()) return;
    // The same answer whenever the position is asked about.
    gdl::Rng rng(seed_ + position.history.size());
    const auto count = static_cast<std::uint32_t>(best.size());
    choice.move = ties_ == Ties::First ? best.front() : best[rng.below(count)];
    choice.value = induction.value(*index);
    choice.exact = induction.is_exact();
    choice.nodes = induction.size();
    choice.root = induction.values_of_moves(*index);
    explanation_ = "all " + std::to_string(induction.size()) + " states are solved";
    incumbent.publish(std::move(choice));
  }

 private:
  BackwardInduction::Patience patience(const Position& position, const Deadline& deadline) {
    if (trial_ >= 1) return {};
    const Deadline trial = deadline.share(trial_);
    if (counted_ != position.machine) {
      states_ = most_states(*position.machine, trial, memory_, seed_);
      if (!trial.stop_requested()) counted_ = position.machine;
    }
    return {trial.at(), states_};
  }

  std::uint64_t seed_;
  Ties ties_;
  double trial_;  // a share of the time
  gdl::MemoryBudget* memory_;
  std::shared_ptr<const gdl::Machine> counted_;  // the one that was asked
  double states_ = 0;                            // its game has no more
  SolvedGame game_;
  std::string explanation_;
};

}  // namespace

std::unique_ptr<Strategy> make_retrograde(const Options& options, const Resources& resources) {
  return std::make_unique<Retrograde>(options, resources);
}

}  // namespace ludens::search
