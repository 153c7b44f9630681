// SPDX-License-Identifier: MIT
#include "search/minimax/tree_strategy.h"

#include <algorithm>

#include "search/strategy/first_choice.h"
#include "search/strategy/starts_with.h"

namespace ludens::search {

namespace {

/// The deadline, or the cap on states.
class CountedStop final : public gdl::StopSignal {
 public:
  CountedStop(const Deadline& deadline, std::uint64_t cap) : deadline_(deadline), cap_(cap) {}
  void watch(const GameTree& tree) { tree_ = &tree; }
  [[nodiscard]] bool stop_requested() const noexcept override {
    return (cap_ != 0 && tree_ != nullptr && tree_->states() >= cap_) || deadline_.stop_requested();
  }

 private:
  const Deadline& deadline_;
  std::uint64_t cap_;
  const GameTree* tree_ = nullptr;
};

DeepeningSettings settings_of(const Options& options) {
  DeepeningSettings settings;
  settings.iterative = options.has("iterative") && options.on("iterative");
  settings.depth = options.count("depth");
  settings.threshold = static_cast<int>(options.count("threshold"));
  settings.states = options.count("nodes");
  if (options.has("moves") && options.text("moves") == "one") {
    settings.keep = GameTree::Keep::State;
  }
  return settings;
}

}  // namespace

TreeStrategy::TreeStrategy(std::string_view name, const Options& options,
                           const Resources& resources)
    : name_(name),
      options_(options),
      resources_(resources),
      settings_(settings_of(options)),
      rng_(options.rng()) {
  if (options.has("evaluation") && options.text("evaluation") == "learned") {
    learner_.emplace(rng_(), settings_.states != 0 || settings_.depth != 0);
  }
}

std::unique_ptr<Evaluation> TreeStrategy::evaluation() {
  if (learner_ && learner_->model() != nullptr) return make_learned_evaluation(*learner_->model());
  return make_evaluation(options_, gdl::Rng(rng_()));
}

void TreeStrategy::think(const Position& position, const Deadline& deadline, Incumbent& incumbent) {
  explanation_.clear();
  const std::vector<gdl::MoveId> legal = publish_first(position, deadline, incumbent);
  if (legal.empty()) return;
  if (learner_) learner_->learn(position, deadline, resources_.memory);
  CountedStop stop(deadline, settings_.states);
  const auto context = position.machine->make_context({.stop = &stop, .memory = resources_.memory});
  GameTree tree(*position.machine, *context, position.role, settings_.keep);
  stop.watch(tree);
  if (!settings_.iterative && guarantees()) follow(position);
  if (tree.reset(position.state, left_behind_) != gdl::Status::Ok || tree.terminal()) return;
  RootMoves root(legal, options_.ties(), settings_.threshold, rng_, incumbent);
  const auto search = make_search(position);
  deepen(*search, tree, root);
  if (!settings_.iterative && guarantees()) leave_behind(position, root, incumbent);
}

/// Forgets positions that the match has come back to with those after them; and all of them unless
/// it has followed the last choice.
void TreeStrategy::follow(const Position& position) {
  const std::size_t made = history_.size();
  const bool follows =
      machine_ == position.machine && role_ == position.role &&
      starts_with(position.history, history_) &&
      (position.history.size() == made || position.history[made + role_] == chosen_);
  const auto back =
      follows ? std::ranges::find(left_behind_, gdl::hash(position.state)) : left_behind_.begin();
  left_behind_.erase(back, left_behind_.end());
}

/// Where a mean over chance is proved, one outcome may be worth less and the way back more.
void TreeStrategy::leave_behind(const Position& position, const RootMoves& root,
                                const Incumbent& incumbent) {
  const bool chance = position.machine->random_role().has_value();
  const bool proved =
      chance ? root.low() >= 100 : root.is_solved() || root.low() >= settings_.threshold;
  if (!proved) return left_behind_.clear();
  left_behind_.push_back(gdl::hash(position.state));
  machine_ = position.machine;
  role_ = position.role;
  history_ = position.history;
  chosen_ = incumbent.get()->move;
}

void TreeStrategy::deepen(TreeSearch& search, GameTree& tree, RootMoves& root) {
  const std::size_t cap = settings_.depth == 0 ? kDeepest : settings_.depth;
  std::size_t depth = settings_.iterative ? 1 : cap;
  for (;; ++depth) {
    const TreeSearch::Outcome outcome = search.search(tree, root, depth);
    const bool stopped = outcome == TreeSearch::Outcome::Stopped;
    explanation_ = std::string(name_) + (stopped ? ": stopped in depth " : ": searched to depth ") +
                   std::to_string(settings_.iterative ? depth : tree.deepest()) + ", " +
                   std::to_string(tree.states()) + " states";
    if (learner_) explanation_ += "; evaluation " + learner_->explanation();
    if (stopped) return;
    if (outcome == TreeSearch::Outcome::Complete) return;
    if (depth >= cap || root.is_solved() || root.low() >= settings_.threshold) return;
  }
}

}  // namespace ludens::search
