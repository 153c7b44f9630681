// SPDX-License-Identifier: MIT
// One thread's share of a search: descents, new nodes and their values, in passes.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>

#include "search/strategy/stopping.h"
#include "search/value/node_maker.h"
#include "search/value/selection.h"
#include "search/value/writer_first_mutex.h"

namespace ludens::search::value {

/// What the threads of a search share. Several threads share `in_use` to go down and up the tree;
/// one has it alone to prune the tree or to report. No thread holds it while the machine works or
/// values are looked up.
struct SharedSearch {
  SharedSearch(gdl::MemoryBudget* memory, std::size_t limit_bytes, std::uint64_t seed)
      : tree(memory, limit_bytes, seed) {}

  /// Counts of the descents of one search.
  struct Counts {
    std::uint64_t descents = 0, evaluated = 0;
    std::uint32_t depth = 0;
  };

  WriterFirstMutex in_use;
  Tree tree;
  gdl::RoleIndex role = 0;               // the role that thinks
  std::uint8_t threshold = 100;          // a goal that counts as the best
  std::atomic<bool> adversaries = true;  // what one role wins the others lose, as far as was seen
  std::atomic<bool> noisy_results = false;  // by chance or simultaneous moves
  std::atomic<bool> misled = false;    // bounds of the tree depend on an assumption that turned out
                                       // to be wrong
  std::atomic<bool> finished = false;  // there is nothing left to find out, or to do
  std::atomic<std::int64_t> left = 0;  // states that may still be evaluated

  /// Resets the counts, for at most this many states.
  void restart(std::int64_t most_states);
  /// Starts with another game: nothing is known about its goals.
  void forget_goals();
  /// Whether there is nothing left to find out at the root, or no room to count more visits.
  [[nodiscard]] bool is_decided() const;
  [[nodiscard]] Counts counts() const;
  /// Adds what a thread has done, and the goals of ends that it has seen.
  void take_up(const Counts& more, const mcts::GoalSums& seen, std::size_t players);
  /// Records that the evaluator has thrown: the search is over.
  void fail(std::exception_ptr why);
  /// Throws the exception passed to `fail` since the last call, if any.
  void throw_failure();

 private:
  mutable std::mutex mutex_;
  // Guarded by it:
  Counts counts_;
  mcts::GoalSums goal_sums_;
  std::exception_ptr failure_;
};

/// Works with its own context and its own random numbers. One thread at a time may use it.
class Worker {
 public:
  /// `evaluator`, if not null, evaluates states.
  Worker(SharedSearch& search, const SelectionRules& rules, std::size_t leaves,
         Evaluator* evaluator, gdl::Rng rng, gdl::MemoryBudget* memory);

  /// Sets the machine of the next passes, and the values of their states if there is no evaluator
  /// (null: none).
  void use(std::shared_ptr<const gdl::Machine> machine,
           std::shared_ptr<const ValueFunction> values);
  /// Makes the first node of a tree. False if the machine was stopped, or a role has no move.
  bool plant(gdl::StateView state, std::uint16_t ply, const Deadline& deadline);

  /// Makes passes until the deadline, until no more states may be evaluated, or until the end of
  /// the search; calls `after_pass` after each.
  template <typename AfterPass>
  void run(const Deadline& deadline, AfterPass&& after_pass) {
    context_->limits.stop = &deadline;
    while (!deadline.stop_requested() && pass()) after_pass();
    context_->limits.stop = nullptr;
  }

 private:
  /// A descent on its way to a child that must be made.
  struct Descent {
    Path path;
    std::vector<gdl::MoveId> joint;
    std::vector<float> values;  // [role]: those of the child at the end
  };
  [[nodiscard]] Assumptions assumptions() const { return {adversaries_, search_.noisy_results}; }
  bool pass();
  void collect();
  void select();
  void prepare(Descent& descent);
  NodeId link(std::size_t leaf);
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

  // For the current pass; reused.
  std::vector<Descent> descents_;
  std::size_t leaves_ = 0;  // descents that wait for their node
  bool adversaries_ = true;
  std::vector<Leaf> to_make_;
  SharedSearch::Counts counts_;
  Tree::Census census_{};
};

}  // namespace ludens::search::value
