// SPDX-License-Identifier: MIT
// Whether a game goes on from the images of states as it does from the states.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gdl/machine/machine.h"
#include "search/learning/renamings.h"

namespace ludens::search {

/// Compares the moves and successors of states with those of their images. For one thread; the
/// machine and the context must outlive it.
class PlayComparison {
 public:
  PlayComparison(const gdl::Machine& machine, gdl::Machine::Context& context)
      : machine_(machine), context_(context), roles_(machine.role_count()) {}

  /// From now on, the two roles change places in images.
  void exchange_roles() { exchanged_ = true; }

  /// Adds a state that is compared with its images, unless it has too many moves. False if the
  /// machine was stopped.
  bool add(const std::vector<std::uint64_t>& state);

  /// Whether the game goes on in the same way after the permutation, from all states added: as many
  /// moves for each role lead to the images of the same successors, with the same goals. False if
  /// there are no states or the machine was stopped.
  bool is_alike(const BitPermutation& image);

 private:
  /// What a joint move leads to.
  struct Successor {
    std::vector<std::uint64_t> state;
    /// Whether this is an end; then, for each role, the goal or how many legal moves it has.
    std::vector<std::size_t> facts;

    // NOLINTNEXTLINE(modernize-use-nullptr)
    friend std::strong_ordering operator<=>(const Successor&, const Successor&) = default;
    friend bool operator==(const Successor&, const Successor&) = default;
  };
  using Legal = std::vector<std::vector<gdl::MoveId>>;  // [role]
  struct Known {
    std::vector<std::uint64_t> state;
    Legal legal;
    std::vector<Successor> successors;
  };

  bool legal_moves(const std::vector<std::uint64_t>& state, Legal& legal);
  bool find_successors(const std::vector<std::uint64_t>& state, const Legal& legal,
                       std::vector<Successor>& out);
  [[nodiscard]] Successor successor(std::size_t pair) const;
  bool is_alike(const Known& known, const BitPermutation& image);
  /// The role that has this role's place in images.
  [[nodiscard]] gdl::RoleIndex image_of_role(gdl::RoleIndex role) const {
    return exchanged_ ? 1 - role : role;
  }

  const gdl::Machine& machine_;
  gdl::Machine::Context& context_;
  std::size_t roles_;
  bool exchanged_ = false;
  std::vector<Known> known_;
  // Reused from comparison to comparison.
  std::vector<gdl::MoveId> joints_;
  std::vector<gdl::StateMove> pairs_;
  gdl::Expansion next_;
  Legal legal_;
  std::vector<Successor> after_, images_;
};

}  // namespace ludens::search
