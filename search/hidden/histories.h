// SPDX-License-Identifier: MIT
// A set of histories of equal length, with the states that they lead to.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gdl/machine/machine.h"

namespace ludens::search::hidden {

/// Arrays over histories of one length; entries with the same index belong together.
struct Histories {
  std::size_t roles = 0, turns = 0;  // of each history
  gdl::StateBatch states = {};
  std::vector<gdl::MoveId> joints = {};  // [(history * turns + turn) * roles + role]
  std::vector<double> weights = {};      // in proportion to their probabilities
  /// Logarithm of the probability that `random` and the other roles make these moves if all of them
  /// choose uniformly.
  std::vector<double> chances = {};
  std::vector<std::uint64_t> knowledge = {};  // [history * roles + role]: see known_hash.h
  std::vector<gdl::MoveId> moves = {};   // legal moves of all histories and roles, in that order
  std::vector<std::size_t> begin = {0};  // [history * roles + role], one more at the end

  [[nodiscard]] std::size_t size() const { return weights.size(); }
  [[nodiscard]] std::span<const gdl::MoveId> history(std::size_t i) const {
    return std::span(joints).subspan(i * turns * roles, turns * roles);
  }
  /// Ascending; none if the game is over.
  [[nodiscard]] std::span<const gdl::MoveId> legal(std::size_t i, gdl::RoleIndex role) const {
    const std::size_t at = i * roles + role;
    return std::span(moves).subspan(begin[at], begin[at + 1] - begin[at]);
  }
  /// A hash of all that a role knows if this is the history.
  [[nodiscard]] std::uint64_t known_by(std::size_t i, gdl::RoleIndex role) const {
    return knowledge[i * roles + role];
  }
  /// [role]: the same of all roles.
  [[nodiscard]] std::span<const std::uint64_t> known_by_all(std::size_t i) const {
    return std::span(knowledge).subspan(i * roles, roles);
  }
  /// The product of the numbers of legal moves of all roles but one, including `random`; 0 if one
  /// of them has none. A double, because it may exceed all integers.
  [[nodiscard]] double choices_of_others(std::size_t i, gdl::RoleIndex role) const;

  /// Adds history `i` of shorter ones, extended by the joint move of a pair of an expansion. The
  /// caller sets weight, chance and knowledge.
  void append(const Histories& before, std::size_t i, gdl::JointMove joint,
              const gdl::Expansion& after, std::size_t pair);
  /// Adds history `i` of others of the same length.
  void append(const Histories& others, std::size_t i);
  [[nodiscard]] std::size_t bytes() const;
};

/// Starts with the initial state, reached without a move. Returns the status of the machine if it
/// is not Ok.
gdl::Status begin_histories(const gdl::Machine& machine, gdl::Machine::Context& context,
                            Histories& out);

}  // namespace ludens::search::hidden
