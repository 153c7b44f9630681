// SPDX-License-Identifier: MIT
#include "search/minimax/minimax.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "search/minimax/maxn_search.h"
#include "search/minimax/reach_search.h"
#include "search/strategy/starts_with.h"

namespace ludens::search {

namespace {

/// The most of a transposition table; a quarter of the memory, if that is less.
constexpr std::size_t kTableBytes = std::size_t{128} << 20;

class TwoSided final : public TreeStrategy {
 public:
  TwoSided(std::string_view name, const MinimaxRules& rules, bool table,
           const TreeSettings& settings, const Resources& resources)
      : TreeStrategy(name, settings, resources), rules_(rules), with_table_(table) {}

 private:
  std::unique_ptr<TreeSearch> make_search(const Position& position) override {
    if (with_table_) prepare_table(position);
    return std::make_unique<MinimaxSearch>(rules_, evaluation(position), table_.get(),
                                           resources().trace);
  }

  /// The table's values are for one role, and its states for one machine. Once a position comes
  /// back, its proofs may lead into a cycle: from then on, each position gets an empty table; so do
  /// those after which a position is left behind, where proofs must not lead.
  void prepare_table(const Position& position) {
    const bool moved = note_position(position);
    if (table_ == nullptr || machine_ != position.machine || role_ != position.role ||
        (moved && came_back_) || !std::ranges::equal(left_behind_, left_behind())) {
      std::size_t bytes = kTableBytes;
      if (resources().memory != nullptr) bytes = std::min(bytes, resources().memory->limit() / 4);
      table_.reset();
      table_ = std::make_unique<TranspositionTable>(bytes, resources().memory);
      machine_ = position.machine;
      role_ = position.role;
      left_behind_.assign(left_behind().begin(), left_behind().end());
    }
  }

  /// Records the position of the match. False if it is that of the last search.
  bool note_position(const Position& position) {
    const bool goes_on = machine_ == position.machine && starts_with(position.history, history_);
    if (goes_on && position.history.size() == history_.size()) return false;
    if (!goes_on) {
      seen_.clear();
      came_back_ = false;
    }
    history_ = position.history;
    const gdl::StateHash key = gdl::hash(position.state);
    came_back_ = came_back_ || std::ranges::find(seen_, key) != seen_.end();
    seen_.push_back(key);
    return true;
  }

  MinimaxRules rules_;
  bool with_table_;
  std::unique_ptr<TranspositionTable> table_;    // null: none, or none yet
  std::shared_ptr<const gdl::Machine> machine_;  // for whose states the table is
  gdl::RoleIndex role_ = 0;                      // for whose values the table is
  std::vector<gdl::StateHash> left_behind_;      // where its proofs don't lead
  std::vector<gdl::MoveId> history_;             // of the last search
  std::vector<gdl::StateHash> seen_;             // positions of the match that were searched
  bool came_back_ = false;                       // one of them did
};

class Maxn final : public TreeStrategy {
 public:
  Maxn(bool prune, double sum, const TreeSettings& settings, const Resources& resources)
      : TreeStrategy("maxn", settings, resources), prune_(prune), sum_(sum) {}

 private:
  std::unique_ptr<TreeSearch> make_search(const Position& position) override {
    return std::make_unique<MaxnSearch>(evaluation(position), prune_, sum_, resources().trace);
  }
  [[nodiscard]] bool guarantees() const override { return false; }

  bool prune_;
  double sum_;
};

class Exhaustive final : public TreeStrategy {
 public:
  Exhaustive(const TreeSettings& settings, const Resources& resources)
      : TreeStrategy("exhaustive", settings, resources) {}

 private:
  std::unique_ptr<TreeSearch> make_search(const Position& position) override {
    if (position.machine->role_count() == 1) {
      follow(position);
      return std::make_unique<ReachSearch>(settings().threshold, resources().memory, play_);
    }
    MinimaxRules rules = bounded_rules(settings().threshold);
    rules.mean = true;
    auto none = make_evaluation(EvaluationKind::None, 0, gdl::Rng(1));
    return std::make_unique<MinimaxSearch>(rules, std::move(none), nullptr, resources().trace);
  }

  /// Leaves of the play found before what the match has not made yet; nothing if it made other
  /// moves.
  void follow(const Position& position) {
    std::vector<gdl::MoveId> planned = std::exchange(history_, position.history);
    planned.insert(planned.end(), play_.begin(), play_.end());
    play_.clear();
    if (!starts_with(planned, history_)) return;
    play_.assign(planned.begin() + static_cast<std::ptrdiff_t>(history_.size()), planned.end());
  }

  std::vector<gdl::MoveId> history_;  // of the last position
  std::vector<gdl::MoveId> play_;     // the best found from there
};

}  // namespace

MinimaxRules minimax_rules() {
  return {};
}

MinimaxRules bounded_rules(int threshold) {
  return {.nothing = 0, .enough = static_cast<double>(threshold)};
}

MinimaxRules paranoid_rules() {
  return {.alpha_beta = true};
}

MinimaxRules expectimax_rules() {
  return {.alpha_beta = true, .mean = true, .star = true};
}

MinimaxRules alphabeta_rules(int threshold) {
  MinimaxRules rules = bounded_rules(threshold);
  rules.alpha_beta = rules.mean = rules.order = true;
  return rules;
}

std::unique_ptr<Strategy> make_two_sided(std::string_view name, const MinimaxRules& rules,
                                         bool table, const TreeSettings& settings,
                                         const Resources& resources) {
  return std::make_unique<TwoSided>(name, rules, table, settings, resources);
}

std::unique_ptr<Strategy> make_maxn(bool prune, double sum, const TreeSettings& settings,
                                    const Resources& resources) {
  return std::make_unique<Maxn>(prune, sum, settings, resources);
}

std::unique_ptr<Strategy> make_minimax(const Options& options, const Resources& resources) {
  return make_two_sided("minimax", minimax_rules(), false, tree_settings(options), resources);
}

std::unique_ptr<Strategy> make_bounded(const Options& options, const Resources& resources) {
  const TreeSettings settings = tree_settings(options);
  return make_two_sided("bounded", bounded_rules(settings.threshold), false, settings, resources);
}

std::unique_ptr<Strategy> make_paranoid(const Options& options, const Resources& resources) {
  return make_two_sided("paranoid", paranoid_rules(), false, tree_settings(options), resources);
}

std::unique_ptr<Strategy> make_expectimax(const Options& options, const Resources& resources) {
  return make_two_sided("expectimax", expectimax_rules(), false, tree_settings(options), resources);
}

std::unique_ptr<Strategy> make_alphabeta(const Options& options, const Resources& resources) {
  const TreeSettings settings = tree_settings(options);
  MinimaxRules rules = alphabeta_rules(settings.threshold);
  rules.reorder = rules.order = options.on("order");
  rules.quiescence = options.on("quiescence");
  if (!options.on("bounds")) {
    rules.nothing = -kInfinity;
    rules.enough = kInfinity;
  }
  return make_two_sided("alphabeta", rules, options.on("table"), settings, resources);
}

std::unique_ptr<Strategy> make_maxn(const Options& options, const Resources& resources) {
  return make_maxn(true, static_cast<double>(options.count("sum")), tree_settings(options),
                   resources);
}

std::unique_ptr<Strategy> make_exhaustive(const Options& options, const Resources& resources) {
  return std::make_unique<Exhaustive>(tree_settings(options), resources);
}

}  // namespace ludens::search
