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

/// A quarter of the time of the first position, and a twentieth of later ones.
constexpr LearningPlan kLearning{.first = 0.25, .later = 0.05};

}  // namespace

TreeSettings tree_settings(const Options& options) {
  TreeSettings settings;
  settings.iterative = options.has("iterative") && options.on("iterative");
  settings.depth = options.count("depth");
  settings.threshold = static_cast<int>(options.count("threshold"));
  settings.states = options.count("nodes");
  settings.playouts = options.count("playouts");
  settings.evaluation = options.has("evaluation") ? evaluation_kind(options.text("evaluation"))
                                                  : EvaluationKind::None;
  settings.ties = options.ties();
  settings.rng = options.rng();
  return settings;
}

TreeStrategy::TreeStrategy(std::string_view name, const TreeSettings& settings,
                           const Resources& resources)
    : name_(name), settings_(settings), resources_(resources), rng_(settings.rng) {
  if (settings.evaluation != EvaluationKind::Learned) return;
  const bool by_counts = settings.states != 0 || settings.depth != 0;
  learning_.emplace(by_counts ? kLearningByCounts : kLearning, resources, rng_());
}

std::unique_ptr<Evaluation> TreeStrategy::evaluation(const Position& position) {
  const gdl::Rng rng(rng_());
  return make_evaluation(settings_.evaluation, settings_.playouts, rng,
                         learning_ ? learning_->values_for(*position.machine) : nullptr);
}

void TreeStrategy::think(const Position& position, const Deadline& deadline, Incumbent& incumbent) {
  explanation_.clear();
  const std::vector<gdl::MoveId> legal = publish_first(position, deadline, incumbent);
  if (legal.empty()) return;
  if (learning_) {
    learning_->prepare(position, deadline);
    (void)learning_->learn(position, deadline);
  }
  CountedStop stop(deadline, settings_.states);
  const auto context = position.machine->make_context({.stop = &stop, .memory = resources_.memory});
  GameTree tree(*position.machine, *context, position.role);
  stop.watch(tree);
  if (!settings_.iterative && guarantees()) follow(position);
  if (tree.reset(position.state, left_behind_) != gdl::Status::Ok || tree.terminal()) return;
  RootMoves root(legal, settings_.ties, settings_.threshold, rng_, incumbent);
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
    if (learning_) explanation_ += "; " + learning_->explanation();
    if (stopped) return;
    if (outcome == TreeSearch::Outcome::Complete) return;
    if (depth >= cap || root.is_solved() || root.low() >= settings_.threshold) return;
  }
}

}  // namespace ludens::search
