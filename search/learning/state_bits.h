// SPDX-License-Identifier: MIT
// What learning must know about a machine beyond its moves: which fluent each bit of a state is,
// and what its gates depend on. This is the only place where learning depends on a machine's
// internals.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gdl/machine/machine.h"
#include "gdl/network/game_network.h"

namespace ludens::search {

/// Bits of a machine's states, and its network. Immutable.
class StateBits {
 public:
  /// nullopt for a machine whose states are not sets of bits, or whose network is not kept.
  static std::optional<StateBits> of(const gdl::Machine& machine);

  /// [bit]: bit `i % 64` of word `i / 64` of a state says whether fluent i holds.
  [[nodiscard]] const std::vector<gdl::FluentId>& fluents() const { return fluents_; }
  [[nodiscard]] std::size_t size() const { return fluents_.size(); }
  /// The bit of each fluent.
  [[nodiscard]] std::map<gdl::FluentId, std::uint32_t> bit_of() const;
  /// Bits that say what roles can reach (gdl/reach/); `fluent` and `group` are bits.
  [[nodiscard]] const std::vector<gdl::ReachBit>& reach() const { return game_->reach; }
  /// The most moves of one of them; 0 if there are none.
  [[nodiscard]] std::uint32_t most_reach() const;
  /// [bit]: whether it is one of these.
  [[nodiscard]] std::vector<bool> are_reach() const;
  /// Whether there are some, and a role reaches a place that another one does not reach in as many
  /// moves. Otherwise they tell nothing of territory or attack.
  [[nodiscard]] bool roles_reach_differently() const;
  [[nodiscard]] std::size_t words() const { return (fluents_.size() + 63) / 64; }

  /// [bit]: whether the legality of moves depends on the fluent.
  [[nodiscard]] std::vector<bool> decide_moves() const;
  /// The sets of 2 to `most` variables on which single gates depend: each set once, ascending.
  /// `variable_of`: [bit], kNoVariable for bits that do not count.
  static constexpr std::uint32_t kNoVariable = 0xffffffff;
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> looked_at_together(
      std::span<const std::uint32_t> variable_of, std::size_t most) const;

 private:
  explicit StateBits(std::shared_ptr<const gdl::GameNetwork> game);

  std::shared_ptr<const gdl::GameNetwork> game_;
  std::vector<gdl::FluentId> fluents_;
};

}  // namespace ludens::search
