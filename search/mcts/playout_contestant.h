// SPDX-License-Identifier: MIT
// Searches that are compared with a given number of playouts.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "search/self_play/self_match.h"

namespace ludens::search::mcts {

/// Creates a search that makes this many uniform playouts per move, in one thread, and keeps its
/// tree within the budget.
using MakeSearch =
    std::function<std::unique_ptr<Strategy>(std::uint64_t playouts, gdl::MemoryBudget* memory)>;

/// Searches with the playouts of one machine.
class PlayoutContestant final : public Contestant {
 public:
  /// The search may keep its tree from move to move.
  PlayoutContestant(std::shared_ptr<const gdl::Machine> machine, std::unique_ptr<Strategy> search)
      : machine_(std::move(machine)), search_(std::move(search)) {}
  std::optional<gdl::MoveId> choose(const Position& position, const Deadline& end) override;

 private:
  std::shared_ptr<const gdl::Machine> machine_;
  std::unique_ptr<Strategy> search_;
};

/// How many iterations the search makes with the machine per second of processor time; nullopt if
/// there was no time.
std::optional<double> search_rate(const std::shared_ptr<const gdl::Machine>& machine,
                                  const Position& position, Strategy& search, const Deadline& end);

}  // namespace ludens::search::mcts
