// SPDX-License-Identifier: MIT
#include "search/value/value.h"

#include <algorithm>
#include <limits>

#include "search/learning/match_learning.h"
#include "search/strategy/first_choice.h"
#include "search/strategy/publication_plan.h"
#include "search/strategy/smaller_cap.h"
#include "search/strategy/starts_with.h"
#include "search/strategy/thinking_time.h"
#include "search/strategy/work_together.h"
#include "search/value/report.h"

namespace ludens::search {

namespace value {

namespace {

std::size_t tree_limit(const Options& options, const Resources& resources) {
  const std::uint64_t mebibytes = options.count("memory");
  if (mebibytes != 0) return mebibytes << 20;
  return resources.memory != nullptr ? resources.memory->limit() / 2 : 0;
}

SelectionRules rules_of(const Options& options) {
  SelectionRules rules;
  rules.exploration = static_cast<float>(options.number("exploration"));
  rules.minimax_share = static_cast<float>(options.number("minimax"));
  rules.depth = static_cast<std::uint32_t>(options.count("depth"));
  return rules;
}

LearningPlan plan_of(const Options& options) {
  LearningPlan plan;
  plan.first = static_cast<double>(options.count("learn")) / 100;
  plan.later = static_cast<double>(options.count("more")) / 100;
  plan.games = options.count("games");
  plan.reach = static_cast<std::uint32_t>(options.count("reach"));
  const bool by_counts = options.count("nodes") != 0 || options.count("playouts") != 0;
  if (by_counts && plan.games == 0) plan.games = kLearningByCounts.games;
  return plan;
}

std::int64_t most_states(const Options& options) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  const std::uint64_t most = smaller_cap(options.count("nodes"), options.count("playouts"));
  return static_cast<std::int64_t>(most == 0 ? kMost : std::min(most, kMost));
}

class Value final : public Strategy {
 public:
  Value(const Options& options, const Resources& resources, std::shared_ptr<Evaluator> evaluator,
        gdl::Rng rng);
  [[nodiscard]] std::string_view name() const override { return "value"; }
  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent) override;
  [[nodiscard]] std::string explanation() const override { return explanation_; }

 private:
  void search_on(const Position& position, const Position& searched, const Deadline& deadline,
                 Incumbent& incumbent);
  void look_at(const Position& position);
  bool follow_moves(const Position& position);
  bool search(const Position& position, const Deadline& deadline, Incumbent& incumbent);
  [[nodiscard]] std::uint16_t ply_of(const Position& position) const {
    return static_cast<std::uint16_t>(position.history.size() / machine_->role_count());
  }
  void descend(const Deadline& deadline, Incumbent& incumbent);
  void publish(Incumbent& incumbent);
  void explain();

  std::int64_t most_states_;              // per move
  std::shared_ptr<Evaluator> evaluator_;  // null: values are learned
  SharedSearch search_;
  MatchLearning learning_;
  std::vector<std::unique_ptr<Worker>> workers_;
  AnswerRule answer_;
  PublicationPlan plan_;
  std::shared_ptr<const gdl::Machine> machine_;
  std::vector<gdl::MoveId> history_;  // of the root
  std::uint64_t kept_visits_ = 0;     // of the root when the last search began
  std::string explanation_;
};

Value::Value(const Options& options, const Resources& resources,
             std::shared_ptr<Evaluator> evaluator, gdl::Rng rng)
    : most_states_(most_states(options)),
      evaluator_(std::move(evaluator)),
      search_(resources.memory, tree_limit(options, resources), rng()),
      learning_(plan_of(options), resources, rng()) {
  search_.threshold = static_cast<std::uint8_t>(options.count("threshold"));
  answer_ = {options.ties() == Ties::First, rng(), rules_of(options).minimax_share};
  const unsigned threads = std::max(1U, resources.threads);
  search_.tree.serve_threads(threads > 1);
  search_.tree.share_positions(options.on("transpositions"));
  for (unsigned i = 0; i < threads; ++i) {
    workers_.push_back(std::make_unique<Worker>(search_, rules_of(options), options.count("leaves"),
                                                evaluator_.get(), gdl::Rng(rng()),
                                                resources.memory));
  }
}

void Value::think(const Position& position, const Deadline& deadline, Incumbent& incumbent) {
  explanation_.clear();
  if (publish_first(position, deadline, incumbent).empty()) return;
  if (evaluator_ != nullptr) return search_on(position, position, deadline, incumbent);
  learning_.prepare(position, deadline);
  const auto wide = learning_.widened(position, deadline);
  search_on(position, wide ? *wide : position, deadline, incumbent);
}

/// `position` is the position of the match; `searched` is the same position on the machine for
/// whose states the values were learned.
void Value::search_on(const Position& position, const Position& searched, const Deadline& deadline,
                      Incumbent& incumbent) {
  look_at(searched);
  if (evaluator_ != nullptr) evaluator_->begin(searched, deadline);
  plan_ = {};
  search_.restart(most_states_);
  const bool ponders = deadline.at() == TimePoint::max();
  Seconds turn = kShortestTurn;
  do {
    const bool learned = evaluator_ != nullptr || learning_.learn(position, deadline, turn);
    for (const auto& worker : workers_) worker->use(machine_, learning_.values_for(*machine_));
    const Deadline end = ponders ? within(deadline, turn) : deadline;
    const std::int64_t left = search_.left;
    if (!search(searched, end, incumbent) && !end.stop_requested()) break;
    if (!learned || search_.left == left) turn *= 2;
  } while (ponders && !deadline.stop_requested() && !search_.finished && search_.left > 0);
  search_.throw_failure();
  explain();
}

/// Continues with what is known about the position, and forgets what isn't below it.
void Value::look_at(const Position& position) {
  Tree& tree = search_.tree;
  if (machine_ != position.machine) {
    if (machine_ && machine_->vocabulary() != position.machine->vocabulary()) {
      search_.forget_goals();
    }
    tree.clear();
    machine_ = position.machine;
  }
  if (!follow_moves(position)) tree.clear();
  search_.role = position.role;
  history_ = position.history;
  kept_visits_ = tree.root() == kNoNode ? 0 : tree[tree.root()].visits;
}

/// Follows the joint moves made since the last search. False if they lead out of the tree.
bool Value::follow_moves(const Position& position) {
  Tree& tree = search_.tree;
  const std::size_t roles = machine_->role_count();
  const std::span made(position.history);
  if (tree.root() == kNoNode || !starts_with(made, history_)) return false;
  for (std::size_t i = history_.size(); i < made.size(); i += roles) {
    Node& root = tree[tree.root()];
    const std::uint32_t child = root.find(made.subspan(i, roles));
    if (child == root.child_count() || root.children()[child] == kNoNode) return false;
    tree.advance(tree.root(), child);
  }
  return gdl::StateView(tree[tree.root()].state()) == gdl::StateView(position.state);
}

/// Searches until the end. False if no tree can be made. Where the time or the states run out, a
/// tree that turns out to be misled still gives the answer, and the next search makes a new one.
bool Value::search(const Position& position, const Deadline& deadline, Incumbent& incumbent) {
  do {
    if (search_.misled) {
      search_.tree.clear();
      kept_visits_ = 0;
    }
    search_.misled = false;
    if (search_.tree.root() == kNoNode &&
        !workers_.front()->plant(position.state, ply_of(position), deadline)) {
      return false;
    }
    if (search_.misled) continue;  // by the root itself: it is made again
    search_.finished = search_.is_decided();
    publish(incumbent);
    descend(deadline, incumbent);
  } while (search_.misled && search_.left > 0 && !deadline.stop_requested());
  publish(incumbent);
  return true;
}

void Value::descend(const Deadline& deadline, Incumbent& incumbent) {
  const auto report_at_times = [&] {
    if (!plan_.due(search_.counts().descents)) return;
    const std::unique_lock lock(search_.in_use);
    publish(incumbent);
  };
  const auto work = [&](std::size_t i) {
    i == 0 ? workers_[i]->run(deadline, report_at_times) : workers_[i]->run(deadline, [] {});
  };
  work_together(workers_.size(), work, [&] { search_.finished = true; });
}

void Value::publish(Incumbent& incumbent) {
  incumbent.publish(report(search_, answer_));
}

void Value::explain() {
  const Tree& tree = search_.tree;
  const SharedSearch::Counts done = search_.counts();
  explanation_ = (evaluator_ ? "values given" : learning_.explanation()) + "; " +
                 std::to_string(done.evaluated) + " states evaluated in " +
                 std::to_string(done.descents) + " descents on " + std::to_string(kept_visits_) +
                 " kept, depth " + std::to_string(done.depth) + ", " + std::to_string(tree.size()) +
                 " nodes in " + std::to_string(tree.bytes() >> 10) + " KiB";
  if (tree.was_full()) explanation_ += ", memory full";
  if (search_.finished && !search_.misled) explanation_ += ", nothing left to find out";
}

}  // namespace

}  // namespace value

std::unique_ptr<Strategy> make_value(const Options& options, const Resources& resources) {
  return std::make_unique<value::Value>(options, resources, nullptr, options.rng());
}

std::unique_ptr<Strategy> make_evaluated_value(const Options& options, const Resources& resources,
                                               std::shared_ptr<Evaluator> evaluator) {
  return std::make_unique<value::Value>(options, resources, std::move(evaluator), options.rng());
}

}  // namespace ludens::search
