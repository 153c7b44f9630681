// SPDX-License-Identifier: MIT
#include "search/alphabeta/alphabeta.h"

#include <algorithm>

#include "search/alphabeta/alphabeta_search.h"
#include "search/alphabeta/transposition_table.h"
#include "search/strategy/starts_with.h"

namespace ludens::search {

namespace {

AlphaBetaRules rules_of(const Options& options) {
  AlphaBetaRules rules;
  rules.order = options.on("order");
  rules.bounds = options.on("bounds");
  rules.quiescence = options.on("quiescence");
  rules.mean = options.text("chance") == "mean";
  rules.threshold = static_cast<double>(options.count("threshold"));
  rules.swing = static_cast<double>(options.count("swing"));
  rules.pvs = options.on("pvs");
  rules.aspiration = static_cast<double>(options.count("aspiration"));
  rules.killers = options.on("killers");
  rules.history = options.on("history");
  rules.reductions = options.on("reductions");
  rules.rank = options.count("rank");
  const std::string& batch = options.text("batch");
  rules.batch = batch == "on" || (batch == "auto" && options.text("evaluation") == "playouts");
  return rules;
}

class AlphaBeta final : public TreeStrategy {
 public:
  AlphaBeta(const Options& options, const Resources& resources)
      : TreeStrategy("alphabeta", options, resources), rules_(rules_of(options)) {}

 private:
  std::unique_ptr<TreeSearch> make_search(const Position& position) override {
    if (options().on("table")) prepare_table(position);
    return std::make_unique<AlphaBetaSearch>(rules_, evaluation(), table_.get(), resources().trace);
  }

  /// The table's values are for one role, and its states for one machine. Once a position comes
  /// back, its proofs may lead into a cycle: from then on, each position gets an empty table; so do
  /// those after which a position is left behind, where proofs must not lead.
  void prepare_table(const Position& position) {
    const bool moved = note_position(position);
    if (table_ == nullptr || machine_ != position.machine || role_ != position.role ||
        (moved && came_back_) || !std::ranges::equal(left_behind_, left_behind())) {
      std::size_t bytes = options().count("table_mb") << 20;
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

  AlphaBetaRules rules_;
  std::unique_ptr<TranspositionTable> table_;
  std::shared_ptr<const gdl::Machine> machine_;  // for whose states the table is
  gdl::RoleIndex role_ = 0;                      // for whose values the table is
  std::vector<gdl::StateHash> left_behind_;      // where its proofs don't lead
  std::vector<gdl::MoveId> history_;             // of the last search
  std::vector<gdl::StateHash> seen_;             // positions of the match that were searched
  bool came_back_ = false;                       // one of them did
};

}  // namespace

std::unique_ptr<Strategy> make_alphabeta(const Options& options, const Resources& resources) {
  return std::make_unique<AlphaBeta>(options, resources);
}

}  // namespace ludens::search
