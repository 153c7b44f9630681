// SPDX-License-Identifier: MIT
// A position of a one-player game for which the best play is wanted; all puzzle searches share it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "gdl/machine/machine.h"

namespace ludens::search::puzzle {

/// How a search ended.
enum class Ended : std::uint8_t {
  Solved,     // a play with a sufficient goal was found
  Exhausted,  // everything reachable was searched: the best play found is the best possible
  Limited,    // by memory, width or depth: there may be more
  Stopped,    // if run again, it continues
};

/// One role, no chance: the best play found so far, and what a search may use. One thread.
class SearchProblem {
 public:
  /// Called whenever a better play was found.
  using Tell = std::function<void(const SearchProblem&)>;

  /// `root_moves`: in the order in which they are tried. `enough`: a goal that is sufficient.
  /// `memory` (null: no limit) and `rng` must outlive the problem.
  SearchProblem(std::shared_ptr<const gdl::Machine> machine, gdl::StateView root,
                std::span<const gdl::MoveId> root_moves, int enough, gdl::MemoryBudget* memory,
                gdl::Rng& rng);

  [[nodiscard]] const gdl::Machine& machine() const { return *machine_; }
  [[nodiscard]] gdl::Machine::Context& context() { return *context_; }
  [[nodiscard]] gdl::StateView root() const { return root_; }
  [[nodiscard]] std::span<const gdl::MoveId> root_moves() const { return root_moves_; }
  [[nodiscard]] gdl::MemoryBudget* memory() const { return context_->limits.memory; }
  [[nodiscard]] gdl::Rng& rng() { return rng_; }
  [[nodiscard]] int enough() const { return std::min(enough_, highest_); }
  /// The largest goal that is not ruled out: no play gives more.
  [[nodiscard]] int highest() const { return highest_; }
  /// To be called when it is proved that no play from the root gives this goal or a larger one.
  void rule_out(int goal);

  /// The signal must outlive the searches that run under it; null: they are not stopped.
  void run_under(const gdl::StopSignal* stop) { context_->limits.stop = stop; }
  [[nodiscard]] bool stopped() const {
    return context_->limits.stop != nullptr && context_->limits.stop->stop_requested();
  }
  void tell(Tell listener) { tell_ = std::move(listener); }

  /// Offers an end of the game that can be reached. It is kept if it is better, or if it is as good
  /// and its first move is tried earlier. `line`: moves from the root.
  void offer(int goal, std::span<const gdl::MoveId> line);
  [[nodiscard]] int best() const { return best_; }  // -1: no end was reached so far
  [[nodiscard]] std::span<const gdl::MoveId> line() const { return line_; }
  [[nodiscard]] bool solved() const { return best_ >= enough(); }

  static constexpr std::size_t kAnyNumber = ~std::size_t{0};
  /// The cap on moves from the root: no search goes deeper.
  std::size_t most_moves = kAnyNumber;

  std::uint64_t states = 0;   // visited
  std::uint32_t deepest = 0;  // moves from the root
  bool gaps = false;          // the machine could not expand some states

 private:
  std::shared_ptr<const gdl::Machine> machine_;
  std::unique_ptr<gdl::Machine::Context> context_;
  gdl::State root_;
  std::vector<gdl::MoveId> root_moves_;
  int enough_, highest_;
  gdl::Rng& rng_;
  Tell tell_;
  int best_ = -1;
  std::vector<gdl::MoveId> line_;
};

}  // namespace ludens::search::puzzle
