// SPDX-License-Identifier: MIT
// How the other roles choose, for the weights of histories.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gdl/machine/machine.h"
#include "gdl/machine/rng.h"
#include "search/hidden/histories.h"

namespace ludens::search::hidden {

/// A strategy of roles, as far as it is known.
class OpponentModel {
 public:
  virtual ~OpponentModel() = default;
  /// The probabilities of a role's legal moves after a history: each above zero, with sum 1. False
  /// if nothing is known about them; then roles choose uniformly.
  [[nodiscard]] virtual bool chances(gdl::RoleIndex role, const Histories& histories,
                                     std::size_t history, std::vector<double>& out) const = 0;
};

/// The choices of all roles but one after a history: by a strategy where it is known, otherwise
/// uniform; `random` always chooses uniformly. The arguments must outlive it.
class OpponentChoices {
 public:
  /// `strategy` may be null.
  OpponentChoices(const Histories& histories, gdl::RoleIndex own,
                  std::optional<gdl::RoleIndex> random, const OpponentModel* strategy)
      : histories_(histories),
        own_(own),
        random_(random),
        strategy_(strategy),
        chances_(histories.roles) {}

  /// Selects a history.
  void select(std::size_t history);
  /// The probability that the others make these moves of a joint move.
  [[nodiscard]] double chance(gdl::JointMove joint) const;
  /// Draws a move of one of them.
  [[nodiscard]] gdl::MoveId draw(gdl::RoleIndex role, gdl::Rng& rng) const;

 private:
  const Histories& histories_;
  const gdl::RoleIndex own_;
  const std::optional<gdl::RoleIndex> random_;
  const OpponentModel* strategy_;
  std::size_t history_ = SIZE_MAX;
  std::vector<std::vector<double>> chances_;  // [role][legal move]; empty: uniform
};

}  // namespace ludens::search::hidden
