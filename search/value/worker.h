// SPDX-License-Identifier: MIT
// One thread's share of a search: descents, new nodes and what they bring, in passes.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>

#include "search/strategy/stopping.h"
#include "search/value/gate.h"
#include "search/value/node_maker.h"
#include "search/value/selection.h"

namespace ludens::search::value {

/// What the threads of a search share. Several pass the gate to go down and up the tree, one alone
/// to prune it or to report; nobody is behind it while the machine works or values are looked up.
struct SharedSearch {
  SharedSearch(gdl::MemoryBudget* memory, std::size_t limit_bytes, std::uint64_t seed)
      : tree(memory, limit_bytes, seed) {}

  /// What the descents of one search have done.
  struct Counts {
    std::uint64_t descents = 0, judged = 0;
    std::uint32_t depth = 0;
  };

  Gate gate;
  Tree tree;
  gdl::RoleIndex role = 0;               // who thinks
  std::uint8_t threshold = 100;          // a goal as good as the best
  std::atomic<bool> adversaries = true;  // what one role wins the others lose, as far as seen
  std::atomic<bool> misled = false;    // bounds of the tree rest on what has turned out to be wrong
  std::atomic<bool> finished = false;  // nothing is left to find out, or to be done
  std::atomic<std::int64_t> left = 0;  // states that may be judged

  /// Starts the counts anew.
  void restart(std::int64_t most_states);
  /// Another game: nothing is known of its goals.
  void forget_goals();
  /// Whether nothing is left to find out at the root.
  [[nodiscard]] bool is_decided() const;
  [[nodiscard]] Counts counts() const;
  /// Takes up what a thread has done, and what it has seen of ends.
  void take_up(const Counts& more, const mcts::GoalSums& seen, std::size_t players);
  /// The evaluator has thrown: the search is over.
  void fail(std::exception_ptr why);
  /// Throws what `fail` was told since the last call, if it was told anything.
  void throw_failure();

 private:
  mutable std::mutex mutex_;
  // Behind it:
  Counts counts_;
  mcts::GoalSums goal_sums_;
  std::exception_ptr failure_;
};

/// Works in its own context and with its own chance. Used by one thread at a time.
class Worker {
 public:
  /// `evaluator` judges states if it is not null.
  Worker(SharedSearch& search, const SelectionRules& rules, std::size_t leaves,
         Evaluator* evaluator, gdl::Rng rng, gdl::MemoryBudget* memory);

  /// The machine of the passes to come, and what judges their states where there is no evaluator
  /// (null: nothing does).
  void use(std::shared_ptr<const gdl::Machine> machine,
           std::shared_ptr<const ValueFunction> values);
  /// The first node of a tree. False where the machine was stopped, or a role has no move.
  bool plant(gdl::StateView state, const Deadline& deadline);

  /// Passes until the deadline, the end of the states that may be judged, or the end of the search;
  /// calls `after_pass` after each.
  template <typename AfterPass>
  void run(const Deadline& deadline, AfterPass&& after_pass) {
    context_->limits.stop = &deadline;
    while (!deadline.stop_requested() && pass()) after_pass();
    context_->limits.stop = nullptr;
  }

 private:
  /// A descent on its way to a child that is to be made.
  struct Descent {
    Path path;
    std::vector<gdl::MoveId> joint;
    std::vector<float> values;  // [role]: of the child at the end
  };
  bool pass();
  void collect();
  void select();
  void prepare(Descent& descent);
  gdl::Status make();
  void take_up(gdl::Status status);
  void hand_in();

  SharedSearch& search_;
  Selection selection_;
  std::size_t most_leaves_;
  Evaluator* evaluator_;
  gdl::Rng rng_;
  gdl::MemoryBudget* memory_;
  std::shared_ptr<const gdl::Machine> machine_;
  std::unique_ptr<gdl::Machine::Context> context_;
  std::optional<NodeMaker> maker_;

  // Of the pass under way; kept to be filled again.
  std::vector<Descent> descents_;
  std::size_t leaves_ = 0;  // descents that wait for their node
  bool adversaries_ = true;
  std::vector<Leaf> to_make_;
  SharedSearch::Counts counts_;
  Tree::Census census_{};
};

}  // namespace ludens::search::value
