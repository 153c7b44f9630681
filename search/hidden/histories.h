// SPDX-License-Identifier: MIT
// A set of histories of equal length, with the states they lead to.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gdl/machine/machine.h"

namespace ludens::search::hidden {

/// Arrays over histories of one length; what stands at one index belongs together.
struct Histories {
  std::size_t roles = 0, turns = 0;  // of each history
  gdl::StateBatch states = {};
  std::vector<gdl::MoveId> joints = {};  // [(history * turns + turn) * roles + role]
  std::vector<double> weights = {};      // in proportion to how likely each is
  /// Logarithm of the probability that `random` and the other roles make these moves, where all of
  /// them choose uniformly.
  std::vector<double> chances = {};
  std::vector<std::uint64_t> knowledge = {};  // [history * roles + role]: see knowledge.h
  std::vector<gdl::MoveId> moves = {};   // legal moves of all histories and roles, in that order
  std::vector<std::size_t> begin = {0};  // [history * roles + role], one more at the end

  [[nodiscard]] std::size_t size() const { return weights.size(); }
  [[nodiscard]] std::span<const gdl::MoveId> history(std::size_t i) const {
    return std::span(joints).subspan(i * turns * roles, turns * roles);
  }
  /// Ascending; none where the game is over.
  [[nodiscard]] std::span<const gdl::MoveId> legal(std::size_t i, gdl::RoleIndex role) const {
    const std::size_t at = i * roles + role;
    return std::span(moves).subspan(begin[at], begin[at + 1] - begin[at]);
  }
  /// A hash of all that a role knows where this history came to pass.
  [[nodiscard]] std::uint64_t known_by(std::size_t i, gdl::RoleIndex role) const {
    return knowledge[i * roles + role];
  }
  /// The number of moves that `random` and the roles but one have to choose from, multiplied; 0
  /// where one of them has none. A double, as it may be beyond all integers.
  [[nodiscard]] double choices_of_others(std::size_t i, gdl::RoleIndex role) const;

  /// Adds history `i` of shorter ones, and the joint move behind it that is the pair of an
  /// expansion. Weight, chance and knowledge are left to the caller.
  void append(const Histories& before, std::size_t i, gdl::JointMove joint,
              const gdl::Expansion& after, std::size_t pair);
  /// Adds history `i` of others that are as long.
  void append(const Histories& others, std::size_t i);
  [[nodiscard]] std::size_t bytes() const;
};

/// The initial state, reached without a move. The status of the machine where it is not Ok.
gdl::Status begin_histories(const gdl::Machine& machine, gdl::Machine::Context& context,
                            Histories& out);

}  // namespace ludens::search::hidden
