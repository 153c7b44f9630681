// SPDX-License-Identifier: MIT
// Histories that traversals begin with: targeting of information sets (Lisy, Lanctot and Bowling
// 2015).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gdl/machine/machine.h"
#include "gdl/machine/rng.h"
#include "search/hidden/mccfr_search.h"
#include "search/hidden/roots.h"

namespace ludens::search::hidden {

/// The histories of the information set in which a role has to decide. A share of all traversals
/// begins after one of them; some of the others reach them, too. Both are weighted by the
/// probability with which a traversal of either kind makes the history. So what is learned after
/// them is the same as with traversals from the initial state only, but learned sooner.
class Targets {
 public:
  /// `share`: the share of the traversals, below 1. `exploration`: of `MccfrPolicy`.
  Targets(double share, double exploration) : share_(share), exploration_(exploration) {}

  /// Takes the histories of a belief; if there are more than `most`, they are drawn. After anything
  /// but Ok there are none.
  gdl::Status take(const Roots& roots, const Position& position, std::size_t most,
                   const gdl::StopSignal& stop, gdl::MemoryBudget* memory, gdl::Rng& rng);

  [[nodiscard]] const Histories& histories() const { return histories_; }
  [[nodiscard]] std::size_t size() const { return histories_.size(); }

  /// Draws this many of them, by their weights, for traversals of one player.
  [[nodiscard]] std::vector<MccfrSearch::Start> draw(std::size_t count, gdl::RoleIndex player,
                                                     InformationSets<Regrets>& sets,
                                                     gdl::Rng& rng) const;
  /// The weight of traversals from the initial state.
  [[nodiscard]] double weight_of_others() const { return 1 / (1 - share_); }
  /// The weight of one of those once it has reached one of the histories, or anything else.
  [[nodiscard]] double weigh(const MccfrSearch::Crossed& crossed) const;

 private:
  /// A choice from several moves on the way to a history.
  struct Decision {
    gdl::RoleIndex role;
    bool chance;
    std::uint64_t known;
    std::vector<gdl::MoveId> legal;
    gdl::MoveId move;
  };
  gdl::Status retrace(const gdl::Machine& machine, gdl::Machine::Context& context,
                      bool all_is_seen);
  [[nodiscard]] double weight(std::size_t history, gdl::RoleIndex player,
                              InformationSets<Regrets>& sets) const;

  const double share_, exploration_;
  gdl::RoleIndex role_ = 0;
  Histories histories_;                       // their weights add up to 1
  std::vector<std::vector<Decision>> paths_;  // [history]
  double even_ = 0;  // probability of all of them if the others choose uniformly; 0: not known
};

}  // namespace ludens::search::hidden
